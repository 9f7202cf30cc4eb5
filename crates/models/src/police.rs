//! Policers: what becomes of cells that do not keep to what was agreed (usage parameter control, UPC).
//!
//! Where cells of a connection enter a network, each is held against the peak that was agreed on, and
//! then against what may be sustained. One that comes too early is dropped, or tagged: its cell loss
//! priority (CLP) is set, so that it is the first to go where there is not room for all. A cell that
//! does not conform uses up nothing of what it does not conform to.
//!
//! ITU-T Recommendation I.371, 1996, section 6.2; ATM Forum, "Traffic Management Specification 4.0",
//! af-tm-0056.000, 1996, section 4.5.

use kernel::{Duration, Rate, Time};
use parameters::{Cells, Conflict, choices, parameters};

use crate::cell::Cell;
use crate::gcra::{Buckets, Descriptor, Sustained};
use crate::metrics::PolicerMeter;
use crate::vc::Vc;

parameters! {
    /// A policer at a switch on the path of a flow, for what goes from its beginning to its end.
    #[check(conflict)]
    pub struct PolicerSpec {
        /// Switch at whose input it stands; the first on the path, if not given.
        pub at: Option<String>,
        /// Peak cell rate (PCR), in bits of cells, headers included; that of the carriage, if not
        /// given.
        pub peak: Option<Rate>,
        /// How much too early a cell may come at the peak (CDVT); that of the carriage, if not given.
        #[range("0 s", "1 s")]
        pub cdvt: Option<Duration>,
        /// Sustainable cell rate (SCR), in bits of cells; that of the carriage, if not given.
        pub sustained: Option<Rate>,
        /// Cells that may come at the peak (MBS); that of the carriage, if not given.
        #[range("1 cell", "1000000 cells")]
        pub burst: Option<Cells>,
        /// What becomes of a cell that comes too early for the peak.
        pub beyond_peak: Excess = "drop",
        /// What becomes of one that keeps to the peak and exceeds what is sustained.
        pub beyond_sustained: Excess = "tag",
    }
}

choices! {
    /// What becomes of a cell that does not conform.
    pub enum Excess {
        /// It goes no further.
        drop => Drop,
        /// It goes on with CLP = 1. One that has that already is left as it is, and counts for nothing
        /// in what is sustained.
        tag => Tag,
    }
}

impl PolicerSpec {
    /// What it holds cells against, where the carriage agrees on `agreed`; nothing without a peak.
    pub fn descriptor(&self, agreed: Option<Descriptor>) -> Option<Descriptor> {
        let own = self.sustained.zip(self.burst);
        let own = own.map(|(rate, Cells(burst))| Sustained { rate, burst });
        Some(Descriptor {
            peak: self.peak.or(agreed.map(|agreed| agreed.peak))?,
            cdvt: self
                .cdvt
                .or(agreed.map(|agreed| agreed.cdvt))
                .unwrap_or_default(),
            sustained: own.or(agreed.and_then(|agreed| agreed.sustained)),
        })
    }

    fn conflict(&self) -> Option<Conflict> {
        crate::gcra::conflict(self.peak, self.sustained, self.burst)
    }
}

/// A policer of one channel.
#[derive(Clone, Debug)]
pub struct Policer {
    buckets: Buckets,
    beyond_peak: Excess,
    beyond_sustained: Excess,
    /// What is counted here.
    pub meter: PolicerMeter,
}

/// The policers of a switch: by output, and by virtual channel there.
pub type Policers = Box<[Box<[Option<Box<Policer>>]>]>;

impl Policer {
    /// A policer that has seen no cell.
    pub fn new(spec: &PolicerSpec, descriptor: &Descriptor) -> Policer {
        Policer {
            buckets: Buckets::new(descriptor),
            beyond_peak: spec.beyond_peak,
            beyond_sustained: spec.beyond_sustained,
            meter: PolicerMeter::default(),
        }
    }

    /// Whether a cell that arrives at `now` goes on; it may be tagged.
    pub fn passes(&mut self, now: Time, cell: &mut Cell) -> bool {
        self.meter.cells += 1;
        let excess = self.judge(now, cell.clp);
        match excess {
            None => {}
            Some(Excess::Drop) => {
                self.meter.drop_cell(cell.eom);
                return false;
            }
            Some(Excess::Tag) => {
                self.meter.tagged += u64::from(!cell.clp);
                cell.clp = true;
            }
        }
        true
    }

    /// What becomes of a cell, unless it conforms; what it conforms to takes note of it if it goes on.
    fn judge(&mut self, now: Time, clp: bool) -> Option<Excess> {
        let Buckets { peak, sustained } = &mut self.buckets;
        if !peak.conforms(now) {
            return Some(self.beyond_peak);
        }
        // Where cells are tagged, what may be sustained is of those that are not: VBR.3 of TM 4.0.
        let is_exempt = clp && self.beyond_sustained == Excess::Tag;
        let excess = match sustained {
            Some(sustained) if !is_exempt => {
                let conforms = sustained.conforms(now);
                if conforms {
                    sustained.take(now);
                }
                (!conforms).then_some(self.beyond_sustained)
            }
            _ => None,
        };
        if excess != Some(Excess::Drop) {
            peak.take(now);
        }
        excess
    }
}

/// The policer of a channel, if it has one.
#[inline]
pub fn of_channel(policers: &mut Policers, output: usize, vc: Vc) -> Option<&mut Policer> {
    policers[output][vc.index()].as_deref_mut()
}

#[cfg(test)]
mod tests {
    use parameters::Record;

    use super::*;
    use crate::cell::Kind;
    use crate::frame::FrameId;

    fn policer(sustained: Option<u64>, beyond_peak: Excess, beyond_sustained: Excess) -> Policer {
        // A cell of 424 bits in ten microseconds, and in forty where that is sustained.
        let rate = |us: u64| Rate::from_bits_per_second(424_000_000 / us);
        let descriptor = Descriptor {
            peak: rate(10),
            cdvt: Duration::ZERO,
            sustained: sustained.map(|burst| Sustained {
                rate: rate(40),
                burst,
            }),
        };
        let spec = PolicerSpec {
            beyond_peak,
            beyond_sustained,
            ..PolicerSpec::defaults()
        };
        Policer::new(&spec, &descriptor)
    }

    fn cell(clp: bool) -> Cell {
        Cell {
            vc: Vc(0),
            pdu: 0,
            frame: FrameId(0),
            kind: Kind::Data,
            eom: true,
            marked: false,
            clp,
        }
    }

    /// What becomes of cells at these instants, in microseconds, of which those below zero come with
    /// low priority: a `+` for each that goes on as it came, `~` for each tagged, `-` for each dropped.
    fn fates(mut policer: Policer, arrivals: &[i64]) -> String {
        let cells = arrivals.iter().map(|us| {
            let came = cell(*us < 0);
            let mut cell = came;
            let now = Time::ZERO + Duration::from_us(us.unsigned_abs());
            match policer.passes(now, &mut cell) {
                false => '-',
                true if cell == came => '+',
                true => '~',
            }
        });
        cells.collect()
    }

    #[test]
    fn cells_beyond_the_peak_are_dropped_or_tagged_and_take_nothing_from_the_others() {
        let arrivals = [0, 5, 10, 15, 20];
        let dropping = policer(None, Excess::Drop, Excess::Tag);
        assert_eq!(fates(dropping, &arrivals), "+-+-+");
        let tagging = policer(None, Excess::Tag, Excess::Tag);
        assert_eq!(fates(tagging, &arrivals), "+~+~+");
    }

    #[test]
    fn cells_beyond_the_burst_are_tagged_until_the_sustained_rate_catches_up() {
        // Three at the peak, which fill the bucket until 120 - 60 = 60 us.
        let policer = policer(Some(3), Excess::Drop, Excess::Tag);
        let arrivals = [0, 10, 20, 30, 40, 45, 60, 70];
        assert_eq!(fates(policer, &arrivals), "+++~~-+~");
    }

    #[test]
    fn where_both_drop_a_cell_that_fails_one_uses_up_neither() {
        // The one at 35 us fails what is sustained, so that at 40 us the peak is free.
        let policer = policer(Some(1), Excess::Drop, Excess::Drop);
        assert_eq!(fates(policer, &[0, 35, 40]), "+-+");
    }

    #[test]
    fn what_comes_with_low_priority_is_held_against_the_peak_only_where_others_are_tagged() {
        let arrivals = [0, -10, 40];
        let tagging = policer(Some(1), Excess::Drop, Excess::Tag);
        assert_eq!(fates(tagging, &arrivals), "+++");
        let dropping = policer(Some(1), Excess::Drop, Excess::Drop);
        assert_eq!(fates(dropping, &arrivals), "+-+");
        // And tagging leaves it as it is.
        let early = policer(None, Excess::Tag, Excess::Tag);
        assert_eq!(fates(early, &[0, -5]), "++");
    }

    #[test]
    fn counts_what_it_does() {
        let mut policer = policer(Some(2), Excess::Drop, Excess::Tag);
        for us in [0, 5, 10, 20] {
            policer.passes(Time::ZERO + Duration::from_us(us), &mut cell(false));
        }
        let PolicerMeter {
            cells,
            tagged,
            dropped,
            ..
        } = policer.meter;
        assert_eq!((cells, tagged, dropped), (4, 1, 1));
        policer.meter.begin();
        assert_eq!(policer.meter.cells, 0);
        let ever = policer.meter.dropped_ever();
        assert_eq!((ever.units, ever.frames), (1, 1));
    }
}
