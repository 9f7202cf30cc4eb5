//! ABR: packets as AAL5 PDUs in cells that leave at the rate that the network allows.
//!
//! Both directions of a flow are one connection, so acknowledgments are rate-controlled as data
//! are. Our own addition: with `reverse = "ideal"` only data are controlled, which departs from TM
//! 4.0 and separates the effect of the control on data from its effect on acknowledgments.
//! [`crate::abr`] has the behaviour of the end systems; the names and defaults of the parameters
//! are those of TM 4.0, section 5.10.2.

use kernel::{Duration, Rate};
use parameters::record::Conflict;
use parameters::{Fraction, ParameterTable, RateOrZero, choices, parameters, presets};

use super::{Aal5Bearer, Encapsulation, OverAal5};
use super::{Bearer, Form, Links, Stack, StatedRate, Wrapping};
use crate::abr::Contract;
use crate::gcra::Descriptor;
use crate::wire::class::Class;
use crate::wire::format::CellFormat;

parameters! {
    /// AAL5 over an available-bit-rate (ABR) ATM virtual channel. Rates are in bits of cells,
    /// headers included, or in `cells/s`.
    #[check(check)]
    #[presets(AbrPreset)]
    pub struct Abr {
        /// Parameters of a publication; values written beside it replace those of the publication.
        pub preset: Option<AbrPreset>,
        #[as_in(Aal5Bearer)]
        pub encapsulation: Encapsulation<OverAal5>,
        #[as_in(Aal5Bearer)]
        pub reassembly_timeout: Option<Duration>,
        /// Peak cell rate (PCR): largest rate of the source; if not given, the rate of its host's
        /// link.
        pub pcr: Option<Rate>,
        /// Minimum cell rate (MCR): a rate that the source is always allowed.
        pub mcr: RateOrZero = "0 Mbit/s",
        /// Initial cell rate (ICR): allowed rate at the start, and after a silence; if not given,
        /// the peak.
        pub icr: Option<Rate>,
        /// Cap of the initial rate, which protects the network from a flood.
        pub icr_cap: IcrCap = "tbe_frtt",
        /// Tagged cell rate (TCR): rate of out-of-rate forward RM cells, which a source sends while
        /// its allowed rate is below this.
        pub tcr: Rate = "10 cells/s",
        /// Number of cells from one forward RM cell to the next: a power of two.
        #[range(2, 256)]
        pub nrm: u32 = 32,
        /// Smallest number of cells between forward RM cells, when `trm` has passed.
        #[range(1, 256)]
        pub mrm: u32 = 2,
        /// Time after which a forward RM cell is sent even if fewer than `nrm` cells were.
        #[range("0.78125 ms", "100 ms")]
        pub trm: Duration = "100 ms",
        /// Rate increase factor (RIF): largest increase of the rate per RM cell, as a share of the
        /// peak.
        pub rif: Fraction = "6.25 %",
        /// Rate decrease factor (RDF): decrease of the rate per RM cell with a congestion
        /// indication, as a share of the rate.
        pub rdf: Fraction = "6.25 %",
        /// Transient buffer exposure (TBE): cells that may be sent before the first RM cell comes
        /// back.
        #[range(1, 16_777_215)]
        pub tbe: u32 = 16_777_215,
        /// Fixed round-trip time (FRTT); if not given, the round-trip time of one cell on an idle
        /// path.
        #[range("0 s", "16.7 s")]
        pub frtt: Option<Duration>,
        /// Number of unanswered forward RM cells (CRM) from which the rate is lowered; if not
        /// given, `tbe` over `nrm`, rounded up.
        #[range(1, 16_777_215)]
        pub crm: Option<u32>,
        /// Cutoff decrease factor (CDF): decrease of the rate for missing answers, as a share of
        /// the rate; `0 %` for none.
        pub cdf: Fraction = "6.25 %",
        /// Time without a forward RM cell after which the rate is at most the initial rate (ADTF).
        /// The last RM cell may follow the last data cell by up to `trm`.
        #[range("10 ms", "10.23 s")]
        pub adtf: Duration = "500 ms",
        /// True if rates in RM cells are rounded down to the 16-bit format of Traffic Management
        /// 4.0.
        pub rm_rate_quantise: bool = true,
        /// Rate control of the direction in which acknowledgments travel.
        pub reverse: Reverse = "controlled",
    }
}

presets! {
    /// ABR sources as in a publication.
    pub enum AbrPreset {
        /// As in Jain et al., "TCP/IP over ABR", 1996: a source adopts the explicit rate at once.
        /// The initial rate is not capped, which is our choice: the paper's initial rate exceeds
        /// the cap of its own TBE.
        tcp_over_abr_1996 => TcpOverAbr1996 {
            encapsulation = "8 B",
            icr = "10 Mbit/s",
            icr_cap = "off",
            rif = "100 %",
            rdf = "0.1953125 %",
            tbe = 512,
            cdf = "50 %",
        },
    }
}

choices! {
    /// Cap of the initial cell rate.
    pub enum IcrCap {
        /// At most `tbe` cells in each `frtt`, as a network grants at connection set-up.
        tbe_frtt => TbeFrtt,
        /// No cap: the rate is `icr`.
        off => Off,
    }
}

choices! {
    /// Rate control of the direction from the end of a flow to its beginning.
    pub enum Reverse {
        /// As for data: at an allowed rate, with RM cells of its own.
        controlled => Controlled,
        /// Packets and turned-around RM cells leave at once, as over UBR.
        ideal => Ideal,
    }
}

impl Abr {
    /// The minimum cell rate (MCR); none if it is zero.
    pub fn minimum(&self) -> Option<Rate> {
        let bits = self.mcr.0;
        (bits > 0).then(|| Rate::from_bits_per_second(bits))
    }

    /// True if the opposite direction is rate-controlled too.
    pub fn controls_reverse(&self) -> bool {
        self.reverse == Reverse::Controlled
    }

    /// The contract of a source of cells of this format on a link of rate `line`, if one cell on an
    /// idle path returns after the round-trip time `round_trip`.
    pub fn contract(&self, line: Rate, round_trip: Duration, cells: CellFormat) -> Contract {
        let cells_per_second = |rate: Rate| rate.bits_per_second() as f64 / cells.bits() as f64;
        let most = cells_per_second(line);
        let rate = |rate: Option<Rate>, otherwise| rate.map_or(otherwise, cells_per_second);
        let pcr = rate(self.pcr, most).min(most);
        let mcr = rate(self.minimum(), 0.0).min(pcr);
        let frtt = self.frtt.unwrap_or(round_trip).seconds();
        let cap = match self.icr_cap {
            IcrCap::TbeFrtt => f64::from(self.tbe) / frtt,
            IcrCap::Off => f64::INFINITY,
        };
        Contract {
            pcr,
            mcr,
            icr: rate(self.icr, pcr).min(cap).clamp(mcr, pcr),
            tcr: cells_per_second(self.tcr),
            nrm: self.nrm,
            mrm: self.mrm,
            trm: self.trm,
            rif: self.rif.0,
            rdf: self.rdf.0,
            crm: self.crm.unwrap_or(self.tbe.div_ceil(self.nrm)),
            cdf: self.cdf.0,
            adtf: self.adtf,
            quantised: self.rm_rate_quantise,
        }
    }

    /// The conflict of a `tcr` above `most`, the rate of `whose`: such a source could never send
    /// data.
    pub fn excess_tcr(&self, most: Rate, whose: &str) -> Option<Conflict> {
        (self.tcr > most).then(|| {
            // The message says that `tcr` is the default, unless the user wrote it.
            let is_default = self.tcr == Abr::defaults().tcr;
            let default = if is_default { ", the default," } else { "" };
            Conflict {
                name: "tcr",
                problem: format!(
                    "`{}`{default} is more than the `{most}` of {whose}",
                    self.tcr
                ),
                hint: format!(
                    "write for example `tcr = \"{most}\"`, or less: a source sends no data while its \
                     allowed rate is below it"
                ),
            }
        })
    }

    fn check(&self) -> Option<Conflict> {
        let conflict = |name, problem: String, hint: &str| {
            Some(Conflict {
                name,
                problem,
                hint: hint.to_string(),
            })
        };
        if !self.nrm.is_power_of_two() {
            let problem = format!("`{}` is not a power of two", self.nrm);
            return conflict(
                "nrm",
                problem,
                "write `2`, `4`, `8`, `16`, `32`, `64`, `128` or `256`",
            );
        }
        if let Some(pcr) = self.pcr
            && let Some(excess) = self.excess_tcr(pcr, "`pcr`")
        {
            return Some(excess);
        }
        let order = [
            ("mcr", self.minimum(), "pcr", self.pcr),
            ("icr", self.icr, "pcr", self.pcr),
            ("mcr", self.minimum(), "icr", self.icr),
        ];
        order.into_iter().find_map(|(low, less, high, more)| {
            let (less, more) = (less?, more?);
            let problem = format!("`{less}` is more than the `{high}` of `{more}`");
            (less > more)
                .then(|| conflict(low, problem, "let `mcr` <= `icr` <= `pcr`"))
                .flatten()
        })
    }
}

impl Bearer for Abr {
    fn wrapping(&self) -> Wrapping {
        Wrapping::new(self.encapsulation.octets(), Form::Cells)
    }

    fn named_headers(&self) -> Option<(&'static str, &'static Stack)> {
        Some(("encapsulation", self.encapsulation.stack()?))
    }

    fn reassembly_timeout(&self) -> Option<Duration> {
        self.reassembly_timeout
    }

    fn class(&self) -> Class {
        Class::Abr
    }

    fn descriptor(&self) -> Option<Descriptor> {
        None
    }

    fn rate_control(&self) -> Option<&Abr> {
        Some(self)
    }

    /// Only MCR is guaranteed on the whole path; behind the first link the network may lower PCR
    /// and ICR.
    fn rates(&self) -> Vec<StatedRate> {
        [
            ("pcr", self.pcr, Links::First),
            ("mcr", self.minimum(), Links::All),
            ("icr", self.icr, Links::First),
        ]
        .map(|(parameter, rate, over)| StatedRate {
            parameter,
            rate,
            over,
        })
        .into()
    }
}

#[cfg(test)]
mod tests {
    use parameters::{understand, value};

    use super::*;

    #[test]
    fn the_defaults_are_those_of_tm_4_0() {
        let line = Rate::from_bits_per_second(155_520_000);
        let contract = Abr::defaults().contract(line, Duration::from_ms(30), CellFormat::ATM);
        let pcr = 155.52e6 / 424.0;
        assert_eq!(
            contract,
            Contract {
                pcr,
                mcr: 0.0,
                // A TBE of 2^24 - 1 cells is more than a round trip holds.
                icr: pcr,
                tcr: 10.0,
                nrm: 32,
                mrm: 2,
                trm: Duration::from_ms(100),
                rif: 1.0 / 16.0,
                rdf: 1.0 / 16.0,
                crm: (1 << 24) / 32,
                cdf: 1.0 / 16.0,
                adtf: Duration::from_ms(500),
                quantised: true,
            }
        );
    }

    #[test]
    fn a_minimum_of_zero_is_the_default() {
        for written in [value!({ mcr = "0 Mbit/s" }), value!({ mcr = "0 cells/s" })] {
            assert_eq!(understand(&written), Ok(Abr::defaults()));
        }
        let refused = understand::<Abr>(&value!({ mcr = "2 Mbit/s", pcr = "1 Mbit/s" }));
        let told = refused.expect_err("more than the peak").to_string();
        assert!(
            told.contains("`2 Mbit/s` is more than the `pcr` of `1 Mbit/s`"),
            "{told}"
        );
    }

    #[test]
    fn the_network_caps_the_initial_rate_by_the_transient_buffer_exposure() {
        let abr = Abr {
            tbe: 512,
            ..Abr::defaults()
        };
        let line = Rate::from_bits_per_second(155_520_000);
        let contract = |abr: &Abr| abr.contract(line, Duration::from_ms(30), CellFormat::ATM);
        // 512 cells in each 30 ms.
        assert!((contract(&abr).icr - 512.0 / 0.03).abs() < 1e-6);
        assert_eq!(contract(&abr).crm, 16);
        let promised = Abr {
            mcr: RateOrZero(42_400_000),
            ..abr
        };
        assert!(
            (contract(&promised).icr - 1e5).abs() < 1e-6,
            "no less than MCR"
        );
    }
}
