//! Counts at a policer (UPC): ITU-T Recommendation I.371, section 6.2.

use super::metric::Measurement;
use super::table::flow;
use super::total::Total;

/// Counts of a policer for the cells of a VC.
#[derive(Clone, Copy, Debug, Default)]
pub struct PolicerMeter {
    /// Cells checked.
    pub cells: u64,
    /// Cells tagged.
    pub tagged: u64,
    /// Cells dropped.
    pub dropped: u64,
    /// PDUs whose last cell was dropped.
    packets_dropped: u64,
    /// Drops before counting began.
    before: Total,
}

impl PolicerMeter {
    /// Restarts the counts.
    pub fn begin(&mut self) {
        *self = PolicerMeter {
            before: self.dropped_ever(),
            ..PolicerMeter::default()
        };
    }

    /// A cell is dropped; `eom` is true if it is the last of its PDU.
    pub fn drop_cell(&mut self, eom: bool) {
        self.dropped += 1;
        self.packets_dropped += u64::from(eom);
    }

    /// Cells and PDUs dropped since the start of the run, for the conservation laws.
    pub fn dropped_ever(&self) -> Total {
        Total {
            units: self.before.units + self.dropped,
            packets: self.before.packets + self.packets_dropped,
        }
    }

    /// The counts as metrics of the policed flow.
    pub fn metrics(&self) -> [Measurement; 3] {
        [
            (flow::cells_policed, self.cells as f64),
            (flow::cells_tagged, self.tagged as f64),
            (flow::cells_dropped, self.dropped as f64),
        ]
    }
}
