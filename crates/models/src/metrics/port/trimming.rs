//! The counts of packets that an output trims, or sends back to their senders.

use kernel::Time;

use super::PortMeter;
use crate::metrics::cause::Cause;
use crate::metrics::drops::DroppedUnit;
use crate::metrics::rare::{ReturnedPackets, TrimmedPackets};

impl PortMeter {
    /// Declares that the output trims packets, which are counted from the start on.
    pub fn count_trimmed(&mut self) {
        self.rare.get_or_insert_default().counts.trimmed = Some(TrimmedPackets::default());
    }

    /// A packet that does not fit loses `cut` octets, which count as dropped; the rest of it is offered
    /// next, and is the rest of a damaged packet.
    pub fn trim(&mut self, now: Time, packet: DroppedUnit, cut: u64) {
        let vc = packet.vc;
        self.turn(vc, Cause::Trimmed);
        let count = &mut self.vcs[vc];
        (count.damaged, count.first) = (true, Cause::Trimmed);
        self.offered += cut;
        self.count_drop(
            now,
            DroppedUnit {
                eom: false,
                ..packet
            },
            cut,
        );
        if let Some(trimmed) = self.trimmed_mut() {
            trimmed.all += 1;
        }
    }

    /// The packet that was trimmed last is dropped.
    pub fn drop_trimmed(&mut self) {
        if let Some(trimmed) = self.trimmed_mut() {
            trimmed.dropped += 1;
        }
    }

    /// Declares that the output returns packets to their senders, which are counted from the start on.
    pub fn count_returned(&mut self) {
        self.rare.get_or_insert_default().counts.returned = Some(ReturnedPackets::default());
    }

    /// A packet that does not fit even when it is trimmed, of `size` octets, goes back to its sender:
    /// for this output it is dropped. `trimmed_here` is true if this output has trimmed it.
    pub fn give_back(&mut self, now: Time, packet: DroppedUnit, size: u64, trimmed_here: bool) {
        self.vcs[packet.vc].damaged = false;
        self.refuse(now, packet, size, Cause::Returned);
        let rare = self.rare.get_or_insert_default();
        if let Some(returned) = &mut rare.counts.returned {
            returned.counted += 1;
            returned.ever += 1;
        }
        if let Some(trimmed) = &mut rare.counts.trimmed {
            trimmed.returned += u64::from(trimmed_here);
        }
    }

    /// Packets that went back to their senders since the start of the run.
    pub fn returned_ever(&self) -> u64 {
        let returned = self.rare.as_ref().and_then(|rare| rare.counts.returned);
        returned.map_or(0, |returned| returned.ever)
    }

    fn trimmed_mut(&mut self) -> Option<&mut TrimmedPackets> {
        self.rare.as_mut()?.counts.trimmed.as_mut()
    }
}
