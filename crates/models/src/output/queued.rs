//! The units that an output queues: cells, or whole packets.

use kernel::{Duration, Rate, Time};

use super::queue::{FifoQueue, FixedFifo, PacketFifo};
use super::transmitter::Transmitter;
use crate::cell::{CELL_OCTETS, Cell, Payload};
use crate::contents::Cargo;
use crate::metrics::{Capacity, DroppedUnit};
use crate::unit::{Outlet, Packet};
use crate::vc::Vc;

/// The length of a unit, in two measures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnitLength {
    /// Length for buffers: 1 for a cell, octets for a packet.
    pub size: u64,
    /// Length for schedulers: octets on the wire.
    pub octets: u32,
}

/// A unit that an output queues and sends.
pub trait Queued: Copy {
    /// The speed of the link: a cell time for cells, a rate for packets.
    type Pace: Copy;
    /// The FIFO queue of such units.
    type Fifo: FifoQueue<Self>;
    /// The length of every unit, if all have the same.
    const FIXED: Option<UnitLength>;
    /// True if a unit of high priority may push out one of low priority.
    const HAS_PRIORITY: bool;

    /// VC, or flow label, of the unit on the outgoing link.
    fn vc(&self) -> Vc;

    /// Length of the unit.
    fn length(&self) -> UnitLength;

    /// True if a packet ends with this unit.
    fn ends_packet(&self) -> bool;

    /// True if the unit is forwarded; false for a credit or a check cell, which the node itself
    /// sends.
    fn passes(&self) -> bool;

    /// Calls `look` with the unit as a cell, and returns the result. To a discard policy a packet
    /// is a PDU of one cell.
    fn as_cell<R>(&self, look: impl FnOnce(&Cell) -> R) -> R;

    /// Sets the congestion mark of the unit.
    fn mark(&mut self);

    /// Removes the contents of the unit from the network, and returns the drop for the meters.
    fn drop_from(&self, cargo: &mut Cargo) -> DroppedUnit;

    /// Transmission time of the unit.
    fn time(&self, pace: Self::Pace) -> Duration;

    /// Time to send one unit of [`UnitLength::size`].
    fn unit_time(pace: Self::Pace) -> Duration;

    /// The unit in which buffers are counted, and the transmission time of this unit.
    fn capacity(pace: Self::Pace) -> Capacity;

    /// Time until which a recorded queue is sampled before a unit is offered. The unit arrives at
    /// `now` and finds the queue of the instant `seen`.
    fn sampled_until(now: Time, seen: Time) -> Time;

    /// Sends the unit from `start` to `end`.
    fn transmit(&self, start: Time, end: Time, by: &mut Transmitter, out: &mut Outlet<'_>);
}

impl Queued for Cell {
    type Pace = Duration;
    type Fifo = FixedFifo;
    const FIXED: Option<UnitLength> = Some(UnitLength {
        size: 1,
        octets: CELL_OCTETS as u32,
    });
    const HAS_PRIORITY: bool = true;

    #[inline]
    fn vc(&self) -> Vc {
        self.vc
    }

    #[inline]
    fn length(&self) -> UnitLength {
        UnitLength {
            size: 1,
            octets: CELL_OCTETS as u32,
        }
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

    fn capacity(cell_time: Duration) -> Capacity {
        Capacity {
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

impl Queued for Packet {
    type Pace = Rate;
    type Fifo = PacketFifo;
    const FIXED: Option<UnitLength> = None;
    const HAS_PRIORITY: bool = false;

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

    fn capacity(rate: Rate) -> Capacity {
        Capacity {
            octets: 1,
            unit_time: 8.0 / rate.bits_per_second() as f64,
        }
    }

    #[inline]
    fn sampled_until(_now: Time, seen: Time) -> Time {
        seen
    }

    #[allow(clippy::inline_always)]
    #[inline(always)]
    fn transmit(&self, start: Time, end: Time, by: &mut Transmitter, out: &mut Outlet<'_>) {
        by.packet(start, end, self, out);
    }
}
