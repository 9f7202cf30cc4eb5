//! Packets that do not fit: the output trims them, and what does not fit even then goes back to its
//! sender, or is dropped. `discard/trim.rs` has the rule and its sources.

use kernel::Time;

use super::admitted::Admission;
use super::queue::Queued;
use super::scheduled::{OfferInstant, Scheduled};
use crate::metrics::PortMeter;
use crate::wire::unit::Outlet;

/// What becomes of a packet that was not admitted whole.
pub enum Trimmed {
    /// The decision about what is left of it.
    Decided(Admission),
    /// It goes back to its sender.
    Returned,
}

impl<U: Queued> Scheduled<U> {
    /// Trims a packet that was not admitted, and decides about what is left of it.
    #[cold]
    #[inline(never)]
    pub fn trim(
        &mut self,
        at: OfferInstant,
        packet: &mut U,
        elsewhere: u64,
        pushed_out: Option<&mut Vec<U>>,
        meter: &mut PortMeter,
        out: &mut Outlet<'_>,
    ) -> Trimmed {
        let cut = self.trims_to.and_then(|octets| packet.trim(octets));
        let mut admission = Admission::Dropped;
        if let Some(cut) = cut {
            meter.trim(at.now, packet.dropped(out.cargo), cut);
            admission = self.admit(at, packet, elsewhere, pushed_out, meter, out);
        }
        if admission == Admission::Dropped {
            let trimmed_here = cut.is_some();
            if self.returns && self.turn_back(at.now, packet, trimmed_here, meter, out) {
                return Trimmed::Returned;
            }
            if trimmed_here {
                meter.drop_trimmed();
            }
        }
        Trimmed::Decided(admission)
    }

    /// Sends a packet back that does not fit even when it is trimmed; returns false if it is to be
    /// dropped. `trimmed_here` is true if this output has trimmed it.
    fn turn_back(
        &mut self,
        now: Time,
        packet: &mut U,
        trimmed_here: bool,
        meter: &mut PortMeter,
        out: &mut Outlet<'_>,
    ) -> bool {
        let unit = packet.dropped(out.cargo);
        if !packet.turn_back(out.cargo) {
            return false;
        }
        meter.give_back(now, unit, packet.size(), trimmed_here);
        self.on_drop(packet.vc());
        true
    }
}
