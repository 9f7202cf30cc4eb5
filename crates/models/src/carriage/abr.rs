//! ABR: packets as AAL5 PDUs in cells that leave at the rate that the network allows.
//!
//! Both directions of a flow are one connection, so that acknowledgments are controlled as data are.
//! What the end systems do is in [`crate::abr`]; the names and defaults of the parameters are those
//! of TM 4.0, section 5.10.2.

use kernel::{Duration, Rate};
use parameters::record::Conflict;
use parameters::{Bytes, Fraction, Load, Record, choices, parameters, presets};

use super::{Bearer, Form, Links, StatedRate, Wrapping};
use crate::abr::Contract;
use crate::cell::CELL_BITS;
use crate::class::Class;
use crate::gcra::Descriptor;

parameters! {
    /// AAL5 over an available-bit-rate ATM virtual channel. Rates are in bits of cells, headers
    /// included, or in `cells/s`.
    #[check(check)]
    #[presets(AbrPreset)]
    pub struct Abr {
        /// Parameters of a publication; what is written beside it takes the place of its own.
        pub preset: Option<AbrPreset>,
        /// Octets added to each packet before AAL5; LLC/SNAP takes 8.
        #[range("0 B", "1 KiB")]
        pub encapsulation: Bytes = "0 B",
        /// Peak cell rate: what a source is never allowed to exceed; the rate of the link of its host,
        /// if not given.
        pub pcr: Option<Rate>,
        /// Minimum cell rate: what a source is always allowed.
        pub mcr: Load = "0 Mbit/s",
        /// Initial cell rate: what a source is allowed at first, and after a silence; the peak, if not
        /// given.
        pub icr: Option<Rate>,
        /// Whether the initial rate is lowered so that the network is not flooded.
        pub icr_cap: IcrCap = "tbe_frtt",
        /// Tagged cell rate: how many forward RM cells a source sends out of rate, which does so where
        /// it is allowed less than this.
        pub tcr: Rate = "10 cells/s",
        /// One in so many cells is a forward RM cell: a power of two.
        #[range(2, 256)]
        pub nrm: u32 = 32,
        /// After so many cells the next may be a forward RM cell, if `trm` has passed.
        #[range(1, 256)]
        pub mrm: u32 = 2,
        /// Time after which a forward RM cell is sent although few cells were.
        #[range("0.78125 ms", "100 ms")]
        pub trm: Duration = "100 ms",
        /// Rate increase factor: how much an RM cell may raise the rate, as a share of the peak.
        pub rif: Fraction = "6.25 %",
        /// Rate decrease factor: how much an RM cell that tells of congestion lowers it, as a share of
        /// what it was.
        pub rdf: Fraction = "6.25 %",
        /// Transient buffer exposure: cells that may be sent before the first answer comes back.
        #[range(1, 16_777_215)]
        pub tbe: u32 = 16_777_215,
        /// Fixed round-trip time; that of one cell on an idle path, if not given.
        #[range("0 s", "16.7 s")]
        pub frtt: Option<Duration>,
        /// Forward RM cells without an answer from which on the rate is lowered; `tbe` over `nrm`,
        /// rounded up, if not given.
        #[range(1, 16_777_215)]
        pub crm: Option<u32>,
        /// Cutoff decrease factor: by which share of what it was; `0 %` to leave it alone.
        pub cdf: Fraction = "6.25 %",
        /// Time without a forward RM cell after which the initial rate is the most. The last RM cell may
        /// follow the last data cell by up to `trm`.
        #[range("10 ms", "10.23 s")]
        pub adtf: Duration = "500 ms",
        /// Whether rates in RM cells are rounded down to the 16-bit format of Traffic Management 4.0.
        pub rm_rate_quantise: bool = true,
        /// What becomes of the direction in which acknowledgments travel.
        pub reverse: Reverse = "controlled",
    }
}

presets! {
    /// Sources as in a publication.
    pub enum AbrPreset {
        /// As in Jain et al., "TCP/IP over ABR", 1996: a source goes where it is told at once. That the
        /// initial rate is not capped is ours; as stated, it is more than the exposed cells allow.
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
    /// Whether the initial cell rate is lowered.
    pub enum IcrCap {
        /// To `tbe` cells in each `frtt`, as a network does when it sets up a connection.
        tbe_frtt => TbeFrtt,
        /// It is what was asked for.
        off => Off,
    }
}

choices! {
    /// How the way from the end of a flow to its beginning is used.
    pub enum Reverse {
        /// As the way there is: at an allowed rate, with RM cells of its own.
        controlled => Controlled,
        /// Packets and the RM cells that are turned around leave at once, as over UBR.
        ideal => Ideal,
    }
}

impl Abr {
    /// The minimum cell rate, if it is more than zero.
    pub fn minimum(&self) -> Option<Rate> {
        let bits = self.mcr.0;
        (bits > 0).then(|| Rate::from_bits_per_second(bits))
    }

    /// Whether the way back is controlled as the way there is.
    pub fn controls_reverse(&self) -> bool {
        self.reverse == Reverse::Controlled
    }

    /// What is agreed for a source on a link of rate `line`, where a cell on an idle path comes back
    /// after `round_trip`.
    pub fn contract(&self, line: Rate, round_trip: Duration) -> Contract {
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

    /// Reports a `tcr` that is more than the `most` of `whose`: data would never be allowed.
    pub fn excess_tcr(&self, most: Rate, whose: &str) -> Option<Conflict> {
        (self.tcr > most).then(|| {
            // Who never wrote one shall not look for it.
            let is_default = self.tcr == Abr::defaults().tcr;
            let default = if is_default { ", the default," } else { "" };
            Conflict {
                name: "tcr",
                problem: format!(
                    "`{}`{default} is more than the `{most}` of {whose}",
                    self.tcr
                ),
                hint: "write a lower `tcr`: a source that is allowed less than that sends no data"
                    .to_string(),
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
            return conflict("nrm", problem, "write 2, 4, 8, 16, 32, 64, 128 or 256");
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

fn cells_per_second(rate: Rate) -> f64 {
    rate.bits_per_second() as f64 / CELL_BITS as f64
}

impl Bearer for Abr {
    fn wrapping(&self) -> Wrapping {
        Wrapping::new(self.encapsulation, Form::Cells)
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

    /// What is more than the minimum arrives only as far as the network allows.
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
        let contract = Abr::defaults().contract(line, Duration::from_ms(30));
        let pcr = 155.52e6 / 424.0;
        assert_eq!(
            contract,
            Contract {
                pcr,
                mcr: 0.0,
                // As many cells as may be exposed, 2^24 - 1, are more than fit into a round trip.
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
    fn a_minimum_of_nothing_is_the_default() {
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
    fn the_network_lowers_the_initial_rate_to_what_may_be_exposed() {
        let abr = Abr {
            tbe: 512,
            ..Abr::defaults()
        };
        let line = Rate::from_bits_per_second(155_520_000);
        let contract = |abr: &Abr| abr.contract(line, Duration::from_ms(30));
        // 512 cells in each 30 ms.
        assert!((contract(&abr).icr - 512.0 / 0.03).abs() < 1e-6);
        assert_eq!(contract(&abr).crm, 16);
        let promised = Abr {
            mcr: Load(42_400_000),
            ..abr
        };
        assert!(
            (contract(&promised).icr - 1e5).abs() < 1e-6,
            "no less than MCR"
        );
    }
}
