//! The two units that an output queues: cells and whole packets. The code of an output is written
//! once, and this file holds what differs between the two.

use kernel::{Duration, Rate, Time};

use super::{FixedFifo, PacketFifo, Queued, UnitLength};
use crate::metrics::{DroppedUnit, PortUnit};
use crate::output::transmitter::Transmitter;
use crate::wire::cell::{CELL_OCTETS, Cell, Payload};
use crate::wire::contents::Cargo;
use crate::wire::unit::{Outlet, PacketUnit};
use crate::wire::vc::Vc;

/// The length of a cell.
const CELL: UnitLength = UnitLength {
    size: 1,
    octets: CELL_OCTETS as u32,
};

impl Queued for Cell {
    type Pace = Duration;
    type Fifo = FixedFifo;
    const FIXED: Option<UnitLength> = Some(CELL);
    const HAS_PRIORITY: bool = true;
    const IS_CELL: bool = true;

    #[inline]
    fn vc(&self) -> Vc {
        self.vc
    }

    #[inline]
    fn length(&self) -> UnitLength {
        CELL
    }

    #[inline]
    fn ends_packet(&self) -> bool {
        self.ends_pdu()
    }

    #[inline]
    fn passes(&self) -> bool {
        matches!(self.payload, Payload::Data(_) | Payload::Rm { .. })
    }

    #[inline]
    fn as_cell<R>(&self, look: impl FnOnce(&Cell) -> R) -> R {
        look(self)
    }

    #[inline]
    fn mark(&mut self) {
        Cell::mark(self);
    }

    #[inline]
    fn drop_from(&self, cargo: &mut Cargo) -> DroppedUnit {
        self.release(cargo);
        DroppedUnit {
            vc: self.vc.index(),
            pdu: self.part().map(|data| data.pdu),
            eom: self.ends_pdu(),
        }
    }

    #[inline]
    fn time(&self, cell_time: Duration) -> Duration {
        cell_time
    }

    fn unit_time(cell_time: Duration) -> Duration {
        cell_time
    }

    fn unit(cell_time: Duration) -> PortUnit {
        PortUnit {
            octets: CELL_OCTETS,
            unit_time: cell_time.seconds(),
        }
    }

    #[inline]
    fn sampled_until(now: Time, _seen: Time) -> Time {
        now
    }

    #[allow(clippy::inline_always)]
    #[inline(always)]
    fn transmit(&self, start: Time, end: Time, by: &mut Transmitter, out: &mut Outlet<'_>) {
        by.cell(start, end, self, out);
    }
}

impl Queued for PacketUnit {
    type Pace = Rate;
    type Fifo = PacketFifo;
    const FIXED: Option<UnitLength> = None;
    const HAS_PRIORITY: bool = false;
    const IS_CELL: bool = false;

    #[inline]
    fn vc(&self) -> Vc {
        self.vc
    }

    #[inline]
    fn length(&self) -> UnitLength {
        UnitLength {
            size: u64::from(self.octets),
            octets: self.octets,
        }
    }

    #[inline]
    fn ends_packet(&self) -> bool {
        true
    }

    #[inline]
    fn passes(&self) -> bool {
        true
    }

    #[inline]
    fn as_cell<R>(&self, look: impl FnOnce(&Cell) -> R) -> R {
        look(&Cell::from(self))
    }

    #[inline]
    fn mark(&mut self) {
        self.marked = true;
    }

    fn drop_from(&self, cargo: &mut Cargo) -> DroppedUnit {
        DroppedUnit {
            vc: self.vc.index(),
            pdu: Some(cargo.take(self.contents).pdu),
            eom: true,
        }
    }

    #[inline]
    fn time(&self, rate: Rate) -> Duration {
        rate.transmission(u64::from(self.octets) * 8)
    }

    fn unit_time(rate: Rate) -> Duration {
        rate.transmission(8)
    }

    fn unit(rate: Rate) -> PortUnit {
        PortUnit {
            octets: 1,
            unit_time: 8.0 / rate.bits_per_second() as f64,
        }
    }

    #[inline]
    fn sampled_until(_now: Time, queue_at: Time) -> Time {
        queue_at
    }

    #[allow(clippy::inline_always)]
    #[inline(always)]
    fn transmit(&self, start: Time, end: Time, by: &mut Transmitter, out: &mut Outlet<'_>) {
        by.packet(start, end, self, out);
    }
}
