//! The traits of the units that an output queues, cells or packets, and of a FIFO queue of them.

use std::borrow::Borrow;

use kernel::{Duration, Rate, Time};

use crate::link::transmitter::Transmitter;
use crate::metrics::{Backlog, DroppedUnit, PortUnit};
use crate::wire::cell::Cell;
use crate::wire::contents::Cargo;
use crate::wire::unit::Outlet;
use crate::wire::vc::Vc;

/// The length of a unit, in two measures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnitLength {
    /// Length for buffers: 1 for a cell, octets of the memory for a packet.
    pub space: u64,
    /// Length for schedulers: octets on the wire.
    pub octets: u32,
}

/// A unit that an output queues and sends.
pub trait Queued: Copy {
    /// The speed of the link: a cell time for cells, a rate for packets.
    type Pace: Copy;
    /// The FIFO queue of units of this type.
    type Fifo: FifoQueue<Self>;
    /// The format of cells, or the memory that holds packets: with the unit it determines its length.
    type Measure: Copy;
    /// True if a unit of high priority may push out one of low priority.
    const HAS_PRIORITY: bool;
    /// True if the unit is a cell, which may be a part of a PDU; false if it is a whole packet.
    const IS_CELL: bool;

    /// VC, or flow label, of the unit on the outgoing link.
    fn vc(&self) -> Vc;

    /// Number of units that it counts for: 1 for a cell, octets on the wire for a packet.
    fn size(&self) -> u64;

    /// The length of all units; none if lengths differ.
    fn fixed(measure: Self::Measure) -> Option<UnitLength>;

    /// Length of the unit.
    fn length(&self, measure: Self::Measure) -> UnitLength;

    /// True if units take as much of a buffer as of the link. The FIFO queue commits only such units.
    fn is_sent_as_stored(measure: Self::Measure) -> bool;

    /// Space that the unit takes in a buffer.
    #[inline]
    fn space(&self, measure: Self::Measure) -> u64 {
        self.length(measure).space
    }

    /// True if the unit is the last of its packet.
    fn ends_packet(&self) -> bool;

    /// True if the node forwards the unit; false for a credit or a check cell of its own.
    fn passes(&self) -> bool;

    /// The unit as a cell. A discard policy sees a packet as a PDU of one cell.
    fn as_cell(&self) -> impl Borrow<Cell>;

    /// Sets the congestion mark of the unit.
    fn mark(&mut self);

    /// True if the unit is a packet that an output has trimmed.
    fn is_trimmed(&self) -> bool;

    /// Cuts the unit to its first `octets`; returns the number of octets that it loses. None, and the
    /// unit stays, if it is a cell, is no longer than that, or was trimmed before.
    fn trim(&mut self, octets: u32) -> Option<u64>;

    /// Turns a packet of data back to its sender, as a trimmed one; returns true if it goes back. False,
    /// and the unit stays, if it is a cell or an answer, or was turned back before.
    fn turn_back(&mut self, cargo: &mut Cargo) -> bool;

    /// The drop of the unit for the meters; its contents stay in the network.
    fn dropped(&self, cargo: &Cargo) -> DroppedUnit;

    /// Removes the contents of the dropped unit from the network, and returns the drop for the
    /// meters.
    fn drop_from(&self, cargo: &mut Cargo) -> DroppedUnit;

    /// Transmission time of the unit.
    fn time(&self, pace: Self::Pace) -> Duration;

    /// The speed of a link of this rate.
    fn pace(rate: Rate, measure: Self::Measure) -> Self::Pace;

    /// Time to send one unit of [`Queued::size`].
    fn unit_time(pace: Self::Pace) -> Duration;

    /// The unit in which buffers are counted, and the transmission time of this unit.
    fn unit(pace: Self::Pace, measure: Self::Measure) -> PortUnit;

    /// Time until which the queue is sampled before a unit that arrives at `now` is offered, where
    /// the discard policy sees the queue as it was at `queue_at`.
    fn sampled_until(now: Time, queue_at: Time) -> Time;

    /// Sends the unit from `start` to `end`.
    fn transmit(&self, start: Time, end: Time, by: &mut Transmitter, out: &mut Outlet<'_>);
}

/// A FIFO queue: a unit is committed to the link when it is accepted.
pub trait FifoQueue<U: Queued> {
    /// An empty queue in front of a link.
    fn new(pace: U::Pace) -> Self;

    /// Units that wait at `now`, without a unit that starts at `now`.
    fn waiting(&mut self, now: Time) -> u64;

    /// Accepts a unit at `now`, when `waiting` units wait; `pace` is the speed of the link.
    fn accept(&mut self, now: Time, waiting: u64, unit: &U, pace: U::Pace) -> Departure;

    /// The waiting units and the transmission in progress at `now`.
    fn backlog(&mut self, now: Time) -> Backlog;
}

/// The transmission of an accepted unit.
#[derive(Clone, Copy, Debug)]
pub struct Departure {
    /// Start of the transmission.
    pub start: Time,
    /// End of the transmission.
    pub end: Time,
    /// Queue length just after the unit was accepted.
    pub waiting: u64,
}
