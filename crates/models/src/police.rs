//! Policers (usage parameter control, UPC): cells that do not conform to a traffic contract are
//! dropped or tagged.
//!
//! Each cell that enters a network is checked against the peak cell rate of its connection, and
//! then against the sustainable cell rate. A cell that comes too early is dropped, or tagged: its
//! cell loss priority (CLP) is set, so that a full buffer drops it first. A cell that does not
//! conform to a rate does not count towards this rate.
//!
//! ITU-T Recommendation I.371, 1996, section 6.2; ATM Forum, "Traffic Management Specification
//! 4.0", af-tm-0056.000, 1996, section 4.5. Our own addition: cells beyond the peak rate may be
//! tagged, for studies of the policer, although no conformance definition of CBR or VBR in TM 4.0
//! does so.

use kernel::{Duration, Rate, Time};
use parameters::{CellCount, Conflict, choices, parameters};

use crate::gcra::{Buckets, Descriptor, Sustained};
use crate::metrics::{Cause, DroppedUnit, Drops, PolicerMeter};
use crate::wire::cell::Cell;
use crate::wire::format::CellFormat;
use crate::wire::vc::Vc;

parameters! {
    /// A policer (UPC) at a switch on the path of a flow, for cells from the beginning of the flow
    /// to its end.
    #[check(conflict)]
    pub struct PolicerSpec {
        /// Switch at whose input the policer stands; if not given, the first on the path.
        pub at: Option<String>,
        /// Peak cell rate (PCR), in bits of cells, headers included; if not given, as in `over`.
        pub peak: Option<Rate>,
        /// Cell delay variation tolerance (CDVT): how early a cell may come with respect to the
        /// peak rate; if not given, as in `over`.
        #[range("0 s", "1 s")]
        pub cdvt: Option<Duration>,
        /// Sustainable cell rate (SCR), in bits of cells; if not given, as in `over`.
        pub sustained: Option<Rate>,
        /// Maximum burst size (MBS): cells that may come at the peak rate; if not given, as in
        /// `over`.
        #[range("1 cell", "1000000 cells")]
        pub burst: Option<CellCount>,
        /// Treatment of a cell that exceeds the peak rate.
        pub beyond_peak: ExcessAction = "drop",
        /// Treatment of a cell that conforms to the peak rate and exceeds the sustainable rate.
        pub beyond_sustained: ExcessAction = "tag",
    }
}

choices! {
    /// Treatment of a cell that does not conform.
    pub enum ExcessAction {
        /// The cell is dropped.
        drop => Drop,
        /// The cell is tagged: it is forwarded with CLP = 1. A cell that already has CLP = 1 is not
        /// changed, and does not count towards the sustainable rate.
        tag => Tag,
    }
}

impl PolicerSpec {
    /// The traffic descriptor of the policer, which takes missing values from `agreed`, the
    /// contract of the bearer; none without a peak rate.
    pub fn descriptor(&self, agreed: Option<Descriptor>) -> Option<Descriptor> {
        let own = self.sustained.zip(self.burst);
        let own = own.map(|(rate, CellCount(burst))| Sustained { rate, burst });
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

/// A policer of one VC.
#[derive(Clone, Debug)]
pub struct Policer {
    buckets: Buckets,
    beyond_peak: ExcessAction,
    beyond_sustained: ExcessAction,
    /// Counts of checked, tagged and dropped cells.
    pub meter: PolicerMeter,
    /// Drops with their times, if recorded.
    pub drops: Option<Box<Drops>>,
}

/// The policers of a switch: by output, and by virtual channel there.
pub type Policers = Box<[Box<[Option<Box<Policer>>]>]>;

impl Policer {
    /// A policer that has seen no cell of this format.
    pub fn new(spec: &PolicerSpec, descriptor: &Descriptor, cells: CellFormat) -> Policer {
        Policer {
            buckets: Buckets::new(descriptor, cells),
            beyond_peak: spec.beyond_peak,
            beyond_sustained: spec.beyond_sustained,
            meter: PolicerMeter::default(),
            drops: None,
        }
    }

    /// True if a cell that arrives at `now` is forwarded; it may be tagged.
    pub fn passes(&mut self, now: Time, cell: &mut Cell) -> bool {
        self.meter.cells += 1;
        let excess = self.judge(now, cell.clp());
        match excess {
            None => {}
            Some(ExcessAction::Drop) => {
                self.meter.drop_cell(cell.ends_pdu());
                if let Some(drops) = &mut self.drops {
                    let dropped = DroppedUnit {
                        vc: cell.vc.index(),
                        pdu: cell.part().map(|data| data.pdu),
                        eom: cell.ends_pdu(),
                        is_packet: false,
                    };
                    drops.push(now, dropped, Cause::Policed);
                }
                return false;
            }
            Some(ExcessAction::Tag) => {
                self.meter.tagged += u64::from(!cell.clp());
                cell.tag();
            }
        }
        true
    }

    /// The treatment of a cell that does not conform; none if it conforms. A forwarded cell counts
    /// towards the rates to which it conforms.
    fn judge(&mut self, now: Time, clp: bool) -> Option<ExcessAction> {
        let Buckets { peak, sustained } = &mut self.buckets;
        if !peak.conforms(now) {
            return Some(self.beyond_peak);
        }
        // VBR.3 of TM 4.0: where cells are tagged, the sustainable rate applies to cells with CLP =
        // 0.
        let is_exempt = clp && self.beyond_sustained == ExcessAction::Tag;
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
        if excess != Some(ExcessAction::Drop) {
            peak.take(now);
        }
        excess
    }
}

/// The policer of a VC; none if the VC is not policed.
#[inline]
pub fn of_vc(policers: &mut Policers, output: usize, vc: Vc) -> Option<&mut Policer> {
    policers[output][vc.index()].as_deref_mut()
}

#[cfg(test)]
mod tests {
    use parameters::ParameterTable;

    use super::*;
    use crate::wire::cell::Data;
    use crate::wire::contents::ContentsId;

    fn policer(
        sustained: Option<u64>,
        beyond_peak: ExcessAction,
        beyond_sustained: ExcessAction,
    ) -> Policer {
        // The peak rate is a cell of 424 bits in ten microseconds, and the sustainable rate one in
        // forty.
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
        Policer::new(&spec, &descriptor, CellFormat::ATM)
    }

    fn cell(clp: bool) -> Cell {
        let data = Data::new(0, ContentsId(0), true);
        Cell::data(Vc(0), Data { clp, ..data })
    }

    /// Treatment of cells at these instants, in microseconds; those below zero come with low
    /// priority: `+` for each that passes unchanged, `~` for each tagged, `-` for each dropped.
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
        let dropping = policer(None, ExcessAction::Drop, ExcessAction::Tag);
        assert_eq!(fates(dropping, &arrivals), "+-+-+");
        let tagging = policer(None, ExcessAction::Tag, ExcessAction::Tag);
        assert_eq!(fates(tagging, &arrivals), "+~+~+");
    }

    #[test]
    fn cells_beyond_the_burst_are_tagged_until_the_sustained_rate_catches_up() {
        // After three cells at the peak rate, cells conform to the sustainable rate from 120 - 60 =
        // 60 us on.
        let policer = policer(Some(3), ExcessAction::Drop, ExcessAction::Tag);
        let arrivals = [0, 10, 20, 30, 40, 45, 60, 70];
        assert_eq!(fates(policer, &arrivals), "+++~~-+~");
    }

    #[test]
    fn a_cell_dropped_by_one_bucket_is_counted_by_neither() {
        // The cell at 35 us exceeds the sustainable rate and does not count, so the cell at 40 us
        // conforms to the peak.
        let policer = policer(Some(1), ExcessAction::Drop, ExcessAction::Drop);
        assert_eq!(fates(policer, &[0, 35, 40]), "+-+");
    }

    #[test]
    fn low_priority_cells_are_checked_against_the_peak_only_where_others_are_tagged() {
        let arrivals = [0, -10, 40];
        let tagging = policer(Some(1), ExcessAction::Drop, ExcessAction::Tag);
        assert_eq!(fates(tagging, &arrivals), "+++");
        let dropping = policer(Some(1), ExcessAction::Drop, ExcessAction::Drop);
        assert_eq!(fates(dropping, &arrivals), "+-+");
        // A cell that does not conform and has CLP = 1 already stays as it is.
        let early = policer(None, ExcessAction::Tag, ExcessAction::Tag);
        assert_eq!(fates(early, &[0, -5]), "++");
    }

    #[test]
    fn counts_checked_tagged_and_dropped_cells() {
        let mut policer = policer(Some(2), ExcessAction::Drop, ExcessAction::Tag);
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
        assert_eq!((ever.units, ever.packets), (1, 1));
    }
}
