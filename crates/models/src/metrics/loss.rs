//! Counts at the transmitting end of a lossy link. Losses (RFC 7680) are kept apart from the drops
//! at outputs, since no policy of an output changes them.

use kernel::Time;

use super::cause::Cause;
use super::drops::{DroppedUnit, Drops};
use super::metric::Measurement;
use super::table::link;
use super::total::Total;

/// Losses on a link in one direction, apart from drops at buffers.
#[derive(Clone, Debug, Default)]
pub struct LossMeter {
    /// Cells offered.
    pub cells: u64,
    /// Cells lost.
    pub cells_lost: u64,
    /// PDUs and packets offered in whole or in part.
    pub packets: u64,
    /// PDUs and packets lost in whole or in part.
    pub packets_lost: u64,
    /// Parts of whole packets in frames of the link.
    pub fragments: u64,
    /// Those of them that were lost.
    pub fragments_lost: u64,
    /// Octets on the wire lost, by virtual channel.
    pub octets_lost: Vec<u64>,
    /// RM cells lost, by virtual channel.
    pub rm_lost: Vec<u64>,
    /// Packets whose last cell was lost.
    ends_lost: u64,
    /// Losses before counting began.
    before: Total,
    rm_before: u64,
    /// Control frames of the link that were lost since the start of the run.
    pub control_lost_ever: u64,
    /// Losses with their times, if recorded.
    pub drops: Option<Drops>,
}

impl LossMeter {
    /// A meter before the first loss.
    pub fn new(vcs: usize) -> LossMeter {
        LossMeter {
            octets_lost: vec![0; vcs],
            rm_lost: vec![0; vcs],
            ..LossMeter::default()
        }
    }

    /// Restarts the counts of losses.
    pub fn begin(&mut self) {
        *self = LossMeter {
            before: self.lost_ever(),
            rm_before: self.rm_lost_ever(),
            control_lost_ever: self.control_lost_ever,
            drops: self.drops.take(),
            ..LossMeter::new(self.octets_lost.len())
        };
    }

    /// A unit of `octets` is lost; its packet counts as lost if the unit is the last of the packet.
    pub fn lost(&mut self, now: Time, unit: DroppedUnit, octets: u64) {
        self.octets_lost[unit.vc] += octets;
        self.rm_lost[unit.vc] += u64::from(unit.pdu.is_none());
        self.ends_lost += u64::from(unit.eom);
        if let Some(drops) = &mut self.drops {
            drops.push(now, unit, Cause::Lost);
        }
    }

    /// Cells and packets lost since the start of the run, for the conservation laws.
    pub fn lost_ever(&self) -> Total {
        Total {
            units: self.before.units + self.cells_lost,
            packets: self.before.packets + self.ends_lost,
        }
    }

    /// RM cells lost since the start of the run.
    pub fn rm_lost_ever(&self) -> u64 {
        self.rm_before + self.rm_lost.iter().sum::<u64>()
    }

    /// Metrics with their values. A link without cells reports no cell losses,
    /// and one whose loss is not of frames no losses of fragments.
    pub fn metrics(&self) -> Vec<Measurement> {
        let mut metrics = vec![(link::packets_lost, self.packets_lost as f64)];
        if self.packets > 0 {
            let ratio = self.packets_lost as f64 / self.packets as f64;
            metrics.push((link::packet_loss_ratio, ratio));
            metrics.push((link::packets_offered, self.packets as f64));
        }
        if self.fragments > 0 {
            let ratio = self.fragments_lost as f64 / self.fragments as f64;
            metrics.push((link::fragments_lost, self.fragments_lost as f64));
            metrics.push((link::fragment_loss_ratio, ratio));
            metrics.push((link::fragments_offered, self.fragments as f64));
        }
        if self.cells > 0 {
            metrics.push((link::cells_lost, self.cells_lost as f64));
            let ratio = self.cells_lost as f64 / self.cells as f64;
            metrics.push((link::cell_loss_ratio, ratio));
            metrics.push((link::cells_offered, self.cells as f64));
        }
        metrics
    }
}
