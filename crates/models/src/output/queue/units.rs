//! The two units that an output queues: cells and whole packets. The code of an output is written
//! once, and this file holds what differs between the two.

use std::borrow::Borrow;

use kernel::{Duration, Rate, Time};

use super::{FixedFifo, PacketFifo, Queued, UnitLength};
use crate::link::transmitter::Transmitter;
use crate::metrics::{DroppedUnit, PortUnit};
use crate::output::memory::PacketMemory;
use crate::wire::cell::{Cell, Payload};
use crate::wire::contents::Cargo;
use crate::wire::ecn::CongestionField;
use crate::wire::format::CellFormat;
use crate::wire::unit::{Outlet, PacketUnit};
use crate::wire::vc::Vc;

impl Queued for Cell {
    type Pace = Duration;
    type Measure = CellFormat;
    type Fifo = FixedFifo;
    const HAS_PRIORITY: bool = true;
    const IS_CELL: bool = true;

    #[inline]
    fn vc(&self) -> Vc {
        self.vc
    }

    #[inline]
    fn size(&self) -> u64 {
        1
    }

    #[inline]
    fn fixed(cells: CellFormat) -> Option<UnitLength> {
        Some(UnitLength {
            space: 1,
            octets: cells.octets() as u32,
        })
    }

    #[inline]
    fn length(&self, cells: CellFormat) -> UnitLength {
        UnitLength {
            space: 1,
            octets: cells.octets() as u32,
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
    fn as_cell(&self) -> impl Borrow<Cell> {
        self
    }

    #[inline]
    fn mark(&mut self) {
        Cell::mark(self);
    }

    #[inline]
    fn is_trimmed(&self) -> bool {
        false
    }

    #[inline]
    fn trim(&mut self, _octets: u32) -> Option<u64> {
        None
    }

    fn turn_back(&mut self, _cargo: &mut Cargo) -> bool {
        false
    }

    #[inline]
    fn dropped(&self, _cargo: &Cargo) -> DroppedUnit {
        DroppedUnit {
            vc: self.vc.index(),
            pdu: self.part().map(|data| data.pdu),
            eom: self.ends_pdu(),
            is_packet: false,
        }
    }

    #[inline]
    fn drop_from(&self, cargo: &mut Cargo) -> DroppedUnit {
        self.release(cargo);
        self.dropped(cargo)
    }

    #[inline]
    fn time(&self, cell_time: Duration) -> Duration {
        cell_time
    }

    fn pace(rate: Rate, cells: CellFormat) -> Duration {
        cells.time(rate)
    }

    fn unit_time(cell_time: Duration) -> Duration {
        cell_time
    }

    fn is_sent_as_stored(_cells: CellFormat) -> bool {
        true
    }

    fn unit(cell_time: Duration, cells: CellFormat) -> PortUnit {
        PortUnit::of_cells(cells.octets(), cell_time)
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
    type Measure = PacketMemory;
    type Fifo = PacketFifo;
    const HAS_PRIORITY: bool = false;
    const IS_CELL: bool = false;

    #[inline]
    fn vc(&self) -> Vc {
        self.vc
    }

    #[inline]
    fn size(&self) -> u64 {
        u64::from(self.octets)
    }

    #[inline]
    fn fixed(_memory: PacketMemory) -> Option<UnitLength> {
        None
    }

    #[inline]
    fn length(&self, memory: PacketMemory) -> UnitLength {
        UnitLength {
            space: memory.space(self.octets),
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
    fn as_cell(&self) -> impl Borrow<Cell> {
        Cell::from(self)
    }

    #[inline]
    fn mark(&mut self) {
        self.congestion = CongestionField::Marked;
    }

    #[inline]
    fn is_trimmed(&self) -> bool {
        self.trimmed
    }

    fn trim(&mut self, octets: u32) -> Option<u64> {
        let lost = self.octets.checked_sub(octets)?;
        if lost == 0 || self.trimmed {
            return None;
        }
        self.octets = octets;
        self.trimmed = true;
        Some(u64::from(lost))
    }

    fn turn_back(&mut self, cargo: &mut Cargo) -> bool {
        let turned = cargo.turn_back(self.contents);
        self.trimmed |= turned;
        turned
    }

    fn dropped(&self, cargo: &Cargo) -> DroppedUnit {
        DroppedUnit {
            vc: self.vc.index(),
            pdu: Some(cargo.get(self.contents).pdu),
            eom: true,
            is_packet: true,
        }
    }

    fn drop_from(&self, cargo: &mut Cargo) -> DroppedUnit {
        let dropped = self.dropped(cargo);
        cargo.take(self.contents);
        dropped
    }

    #[inline]
    fn time(&self, rate: Rate) -> Duration {
        rate.transmission(u64::from(self.octets) * 8)
    }

    fn pace(rate: Rate, _memory: PacketMemory) -> Rate {
        rate
    }

    fn unit_time(rate: Rate) -> Duration {
        rate.transmission(8)
    }

    fn is_sent_as_stored(memory: PacketMemory) -> bool {
        !memory.is_in_cells()
    }

    fn unit(rate: Rate, _memory: PacketMemory) -> PortUnit {
        PortUnit::of_octets(rate)
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
