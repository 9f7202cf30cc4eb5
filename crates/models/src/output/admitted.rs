//! The decision about a unit that is offered, and how it is carried out.
//!
//! This file may be written for speed.

use kernel::Time;

use crate::metrics::{DroppedUnit, PortMeter};
use crate::wire::vc::Vc;

/// The decision about a unit that is offered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Admission {
    /// The unit is dropped.
    Dropped,
    /// The unit joins the buffer.
    Accepted,
    /// The unit joins the buffer with a mark.
    Marked,
}

impl Admission {
    /// True if a unit of a virtual channel, and all units of its PDU before it, have been accepted.
    pub fn keeps_whole(self, vc: Vc, meter: &PortMeter) -> bool {
        self != Admission::Dropped && !meter.is_damaged(vc.index())
    }

    /// Carries out this decision about a unit of `size` at `now`: removes a dropped unit by
    /// `remove`, and counts the drop or the mark. `is_marked` is true if the rate control marks the
    /// unit; two marks on one unit count once. Returns the decision with both marks considered; the
    /// caller then sets the mark.
    // Inlined up to the drop, so that the path of accepted units stays short.
    #[allow(clippy::inline_always)]
    #[inline(always)]
    pub fn carry_out(
        self,
        now: Time,
        size: u64,
        is_marked: bool,
        meter: &mut PortMeter,
        remove: impl FnOnce() -> DroppedUnit,
    ) -> Admission {
        match self {
            Admission::Dropped => {
                drop_removed(now, size, meter, remove);
                Admission::Dropped
            }
            Admission::Accepted if !is_marked => Admission::Accepted,
            Admission::Accepted | Admission::Marked => {
                meter.mark(size);
                Admission::Marked
            }
        }
    }
}

/// Removes a dropped unit of `size`, and counts it.
// Made for each kind of unit, so that each knows whether it is a packet.
#[inline(never)]
fn drop_removed(now: Time, size: u64, meter: &mut PortMeter, remove: impl FnOnce() -> DroppedUnit) {
    meter.drop_unit(now, remove(), size);
}
