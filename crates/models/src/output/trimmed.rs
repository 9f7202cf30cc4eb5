//! Packets that do not fit: the output trims them, and what does not fit even then goes back to its
//! sender, or is dropped. `discard/trim.rs` has the rule and its sources.

use kernel::Time;

use super::admitted::Admission;
use super::queue::Queued;
use super::scheduled::{OfferInstant, Returns, Scheduled};
use crate::metrics::PortMeter;
use crate::wire::unit::Outlet;

impl<U: Queued> Scheduled<U> {
    /// Trims a packet that was not admitted, and decides about what is left of it.
    #[cold]
    #[inline(never)]
    pub fn trim(
        &mut self,
        at: OfferInstant,
        packet: &mut U,
        elsewhere: u64,
        meter: &mut PortMeter,
        out: &mut Outlet<'_>,
    ) -> Admission {
        let cut = self.trims_to.and_then(|octets| packet.trim(octets));
        let mut admission = Admission::Dropped;
        if let Some(cut) = cut {
            meter.trim(at.now, packet.dropped(out.cargo), cut);
            admission = self.admit(at, packet, elsewhere, meter, out);
        }
        if admission == Admission::Dropped {
            let trimmed_here = cut.is_some();
            let turned =
                self.returns.is_some() && self.turn_back(at.now, packet, trimmed_here, meter, out);
            if trimmed_here && !turned {
                meter.drop_trimmed();
            }
        }
        admission
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
        self.returns = Some(Returns {
            packet: Some(*packet),
        });
        self.on_drop(packet.vc());
        true
    }

    /// True if the last packet goes back to its sender, and the node has not taken it.
    pub fn has_returned(&self) -> bool {
        matches!(self.returns, Some(Returns { packet: Some(_) }))
    }
}
