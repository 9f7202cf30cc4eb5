//! The interface of a discard policy: the buffer that the policy guards, the occupancy that a unit
//! finds, and the decision.
//!
//! RFC 7567 calls it queue management to decide at the arrival of a unit from the occupancy of the
//! buffer, or at its departure from the time that it waited. Our own addition: a policy may promise
//! its next decisions, so that many cells take one step (`docs/decisions/0016-stretches.md`).

pub mod average;
pub mod controlled_delay;
pub mod fit;
pub mod pdus;
pub mod proportional_integral;
pub mod shares;

use kernel::{Duration, Rate, Seed, Stream, Time};
use parameters::{Amount, BufferSize};

pub use crate::rates::RateChange;
use crate::wire::cell::Cell;
use crate::wire::ecn::Codepoint;
use crate::wire::format::CellFormat;
use crate::wire::vc::Vc;

/// Largest size of a packet: the total length of an IP datagram has 16 bits (RFC 791, section 3.1).
pub const LARGEST_PACKET: &str = "65535 B";

/// The buffer that a policy guards, as known before the run.
#[derive(Clone, Debug)]
pub struct Buffer {
    /// Capacity, in cells for a switch and in octets for a router.
    pub capacity: u64,
    /// The most packets that may wait, beside `capacity`; none if they are not counted.
    pub packets: Option<u64>,
    /// Octets in one unit of `capacity`: those of a cell on a switch, 1 on a router.
    pub octets_per_unit: u64,
    /// Octets that a cell takes in the buffer.
    pub octets_per_cell: u64,
    /// Format of the cells of the network.
    pub cells: CellFormat,
    /// Number of virtual channels.
    pub vcs: usize,
    /// Rate of the link behind the buffer.
    pub link: Rate,
    /// Stream for random choices.
    pub random: Stream,
    /// ECN codepoint of the data of each virtual channel; empty if none is ECN-capable.
    pub ecn: Box<[Codepoint]>,
}

impl Buffer {
    /// A buffer of `capacity` cells of `octets_per_cell` each; [`Buffer::before`] adds the link.
    pub fn of_cells(capacity: u64, octets_per_cell: u64, vcs: usize) -> Buffer {
        let unused = Seed {
            seed: 0,
            replication: 0,
        };
        Buffer {
            capacity,
            packets: None,
            octets_per_unit: octets_per_cell,
            octets_per_cell,
            cells: CellFormat::ATM,
            vcs,
            link: Rate::from_bits_per_second(155_520_000),
            random: unused.stream("", "discard"),
            ecn: Box::default(),
        }
    }

    /// A buffer of `capacity` octets, in which a cell takes `octets_per_cell`; [`Buffer::before`]
    /// adds the link.
    pub fn of_octets(capacity: u64, octets_per_cell: u64, vcs: usize) -> Buffer {
        Buffer {
            octets_per_unit: 1,
            ..Buffer::of_cells(capacity, octets_per_cell, vcs)
        }
    }

    /// This buffer in front of a link with the rate `link`; `random` supplies the random choices of
    /// the policy.
    pub fn before(self, link: Rate, random: Stream) -> Buffer {
        Buffer {
            link,
            random,
            ..self
        }
    }

    /// This buffer in a network with cells of this format.
    pub fn among(self, cells: CellFormat) -> Buffer {
        Buffer { cells, ..self }
    }

    /// This buffer for virtual channels with these ECN codepoints.
    pub fn of_flows(self, ecn: Box<[Codepoint]>) -> Buffer {
        Buffer { ecn, ..self }
    }

    /// The ECN codepoint of the data of each virtual channel.
    pub fn codepoints(&self) -> Box<[Codepoint]> {
        let of_vc = |vc| self.ecn.get(vc).copied().unwrap_or_default();
        (0..self.vcs).map(of_vc).collect()
    }

    /// The virtual channels whose units may be marked instead of dropped, if `ecn` is true; empty if
    /// there are none.
    pub fn markable(&self, ecn: bool) -> Box<[bool]> {
        let is_capable = |codepoint: &Codepoint| *codepoint != Codepoint::NotCapable;
        if ecn && self.ecn.iter().any(is_capable) {
            self.ecn.iter().map(is_capable).collect()
        } else {
            Box::default()
        }
    }

    /// `level` in units of this buffer; the result may exceed the capacity.
    pub fn units(&self, level: Amount) -> u64 {
        match level {
            Amount::Share(share) => (share * self.capacity as f64).floor() as u64,
            Amount::Cells(cells) => {
                cells.saturating_mul(self.octets_per_cell) / self.octets_per_unit
            }
            Amount::Bytes(octets) => octets / self.octets_per_unit,
        }
    }
}

/// The occupancy of a buffer when a unit is offered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Occupancy {
    /// Time of the offer.
    pub at: Time,
    /// Units that wait at all outputs that share the memory, without the unit in transmission.
    pub queued: u64,
    /// Units that the buffer can hold.
    pub capacity: u64,
    /// Units that the offered cell or packet would add.
    pub size: u64,
}

impl Occupancy {
    /// True if the offered unit fits.
    pub fn fits(&self) -> bool {
        self.queued + self.size <= self.capacity
    }
}

/// The trimming of packets that a policy drops: they lose their payload, and their first octets are
/// offered again.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Trimming {
    /// Octets that are left of a trimmed packet; a packet that is no longer is dropped.
    pub octets: u32,
    /// Memory of the queue of headers, at an output that has such a queue; if none is stated, it is as
    /// large as the buffer.
    pub headers: Option<BufferSize>,
    /// True if a packet that does not fit even when it is trimmed goes back to its sender.
    pub returns: bool,
}

/// The decision of a discard policy about a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// The cell joins the queue.
    Accept,
    /// The cell joins the queue with a congestion mark.
    Mark,
    /// The cell is dropped.
    Drop,
}

/// The first unit of a queue, which is due to start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Head {
    /// The present time.
    pub at: Time,
    /// Virtual channel of the unit.
    pub vc: Vc,
    /// True if the unit is a packet that is not ECN-capable although its flow is.
    pub not_ect: bool,
    /// Time since the unit joined the queue.
    pub sojourn: Duration,
    /// Number of the queue at its output.
    pub queue: usize,
    /// Size of the unit: 1 for a cell, octets for a packet.
    pub size: u64,
    /// Units of the queue behind it, in the same unit.
    pub behind: u64,
}

/// The decision of a discard policy about a unit that is due to start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HeadDecision {
    /// The unit is sent.
    Send,
    /// The unit is sent with a congestion mark.
    Mark,
    /// The unit is dropped, and so is the rest of its PDU.
    Drop,
}

/// The promise of a policy about the next cells of a VC. It holds as long as each of these cells
/// finds free buffer space, and none of them begins or ends a PDU.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Promise {
    /// No promise: [`Discard::admit`] must be called for each of these cells.
    Ask,
    /// Each of these cells joins the queue, and [`Discard::admit`] need not be called.
    Accept,
    /// Each of these cells is dropped, and [`Discard::admit`] need not be called.
    Drop,
}

/// Decides about one cell after another. A whole packet is presented as a PDU of one cell.
pub trait Discard: Send {
    /// The decision on `cell`, which finds the occupancy `buffer`. A policy never accepts a cell
    /// that does not fit.
    fn admit(&mut self, cell: &Cell, buffer: Occupancy) -> Decision;

    /// True if [`Discard::admit`] accepts exactly the units that fit, so that it need not be called.
    fn accepts_what_fits(&self) -> bool {
        false
    }

    /// True if [`Discard::promise`] may return more than [`Promise::Ask`]. The simulator then computes
    /// many cells in one step, with the same results.
    fn promises(&self) -> bool {
        false
    }

    /// The promise about a virtual channel; it holds until [`Discard::admit`] is called for that
    /// VC.
    fn promise(&self, _vc: Vc) -> Promise {
        Promise::Ask
    }

    /// True if the policy may mark units instead of dropping them.
    fn marks(&self) -> bool {
        false
    }

    /// True if [`Discard::on_head`] must be called. The output then commits each unit to the link
    /// when it starts.
    fn decides_at_departure(&self) -> bool {
        false
    }

    /// The decision about a unit that is due to start: a packet, or the first cell of a PDU that is
    /// left in its queue. After a drop the call comes again at the same instant, if another unit
    /// waits.
    fn on_head(&mut self, _head: Head) -> HeadDecision {
        HeadDecision::Send
    }

    /// If a unit that does not fit makes room in the longest queue, the largest number of packets that
    /// are dropped for it at once.
    fn makes_room(&self) -> Option<u64> {
        None
    }

    /// The queue length from which the policy drops units, in units of the buffer, if one parameter
    /// states it. A run may change it.
    fn threshold(&mut self) -> Option<&mut u64> {
        None
    }

    /// True if [`Discard::on_join`] and [`Discard::on_leave`] must be called.
    fn follows_queue(&self) -> bool {
        false
    }

    /// `units` of a virtual channel join the queue: 1 for a cell, octets for a packet.
    fn on_join(&mut self, _vc: Vc, _units: u64) {}

    /// `units` of a virtual channel leave the queue at `at`, the start of their transmission. A
    /// FIFO output knows this instant when the units join, and calls this method at once, so `at`
    /// may lie in the future. Calls come in order of `at`.
    fn on_leave(&mut self, _vc: Vc, _units: u64, _at: Time) {}

    /// The rate of the link behind the buffer changes. Calls come in order of time, each before the
    /// decisions at its time, and may come late.
    fn on_rate(&mut self, _change: RateChange) {}
}

/// Time at which a queue becomes empty if nothing joins: `empty_at` before a change of the rate, in
/// front of a link that takes `before` for a unit, and `after` from the change on.
pub fn empty_after(empty_at: Time, change: &RateChange, [before, after]: [Duration; 2]) -> Time {
    let left = empty_at.max(change.at).since(change.at);
    if left == Duration::ZERO {
        return empty_at;
    }
    let left = u128::from(left.ps()) * u128::from(after.ps()) / u128::from(before.ps().max(1));
    change.starts + Duration::from_ps(u64::try_from(left).unwrap_or(u64::MAX))
}
