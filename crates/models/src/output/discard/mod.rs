//! Discard policies: the cells or packets that a buffer drops.

use kernel::{Rate, Seed, Stream, Time};
use parameters::{Amount, Conflict};

use crate::cell::Cell;
use crate::vc::Vc;

parameters::registry! {
    /// Discard policy of an output buffer: the cells or packets that it drops.
    pub enum DiscardSpec builds Box<dyn Discard>, for Buffer, answers dyn DiscardKind {
        tail_drop => TailDrop,
        partial_packet => PartialPacket,
        early_packet => EarlyPacket,
        partial_buffer_sharing => PartialBufferSharing,
        push_out => PushOut,
        selective_drop => SelectiveDrop,
        fair_buffer_allocation => FairBufferAllocation,
        random_early => RandomEarly,
    } default tail_drop
}

/// The properties of a discard policy before the run, which each member states in its own file.
pub trait DiscardKind {
    /// True if the policy compares the VCs of one queue, or follows that queue over time. Lowering
    /// refuses such a policy where each VC has a queue of its own.
    fn needs_shared_queue(&self) -> bool;

    /// Queue lengths from which the policy drops cells or packets, in units of the buffer, each
    /// with the parameter that states it.
    fn drop_levels(&self, buffer: &Buffer) -> Vec<(&'static str, u64)>;

    /// True if a cell of high priority (CLP = 0) that finds the buffer full takes the place of the
    /// last waiting cell of low priority. The output then removes that cell before it asks the
    /// policy.
    fn pushes_out(&self) -> bool {
        false
    }

    /// A parameter whose value is valid but probably not intended for one of these buffers.
    fn doubt(&self, _buffers: &[Buffer]) -> Option<Conflict> {
        None
    }
}

/// The buffer that a policy guards, as known before the run.
#[derive(Clone, Debug)]
pub struct Buffer {
    /// Capacity, in cells for a switch and in octets for a router.
    pub capacity: u64,
    /// Octets in one unit of `capacity`.
    pub octets_per_unit: u64,
    /// Octets that a cell takes in the buffer.
    pub octets_per_cell: u64,
    /// Number of virtual channels.
    pub vcs: usize,
    /// Rate of the link behind the buffer.
    pub link: Rate,
    /// Stream for random choices.
    pub random: Stream,
}

impl Buffer {
    /// A buffer of `capacity` cells of `octets_per_cell` each, which has no link until
    /// [`Buffer::before`] is called.
    pub fn of_cells(capacity: u64, octets_per_cell: u64, vcs: usize) -> Buffer {
        let unused = Seed {
            seed: 0,
            replication: 0,
        };
        Buffer {
            capacity,
            octets_per_unit: octets_per_cell,
            octets_per_cell,
            vcs,
            link: Rate::from_bits_per_second(155_520_000),
            random: unused.stream("", "discard"),
        }
    }

    /// A buffer of `capacity` octets, in which a cell takes `octets_per_cell`; it has no link until
    /// [`Buffer::before`] is called.
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

    /// A level in units of this buffer; it may exceed the capacity.
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

/// The occupancy of a buffer when a cell is offered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Occupancy {
    /// Time of the offer.
    pub at: Time,
    /// Units that wait at all outputs that share the memory, without the unit in transmission.
    pub queued: u64,
    /// Units that fit.
    pub capacity: u64,
    /// Units that the offered cell or packet would add.
    pub size: u64,
}

impl Occupancy {
    /// True if the offered cell fits.
    pub fn fits(&self) -> bool {
        self.queued + self.size <= self.capacity
    }
}

/// The decision of a discard policy about a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// The cell joins the queue.
    Accept,
    /// The cell is dropped.
    Drop,
}

/// What a policy promises about the next cells of a virtual channel, as long as each of them finds
/// free buffer space and none begins or ends a PDU.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Promise {
    /// Nothing: [`Discard::admit`] must be called for each of them.
    Ask,
    /// Each joins the queue, and [`Discard::admit`] need not be called.
    Accept,
    /// Each is dropped, and [`Discard::admit`] need not be called.
    Drop,
}

/// Decides about one cell after another. A whole packet is a PDU of one cell.
pub trait Discard {
    /// The decision on `cell`, which finds this occupancy. A policy never accepts a cell that does
    /// not fit.
    fn admit(&mut self, cell: &Cell, buffer: Occupancy) -> Decision;

    /// True if [`Discard::promise`] ever promises anything. A policy that does lets the simulator
    /// compute many cells in one step, with the same results.
    fn promises(&self) -> bool {
        false
    }

    /// The promise about a virtual channel; it holds until [`Discard::admit`] is called for that
    /// channel.
    fn promise(&self, _vc: Vc) -> Promise {
        Promise::Ask
    }

    /// True if [`Discard::on_join`] and [`Discard::on_leave`] must be called.
    fn follows_queue(&self) -> bool {
        false
    }

    /// `units` of a virtual channel join the queue: 1 for a cell, octets for a packet.
    fn on_join(&mut self, _vc: Vc, _units: u64) {}

    /// `units` that have joined the queue leave it at `at`: now, or at a later instant that is
    /// known already. From one call to the next, `at` never falls.
    fn on_leave(&mut self, _vc: Vc, _units: u64, _at: Time) {}
}

/// Scripts for the tests of the policies.
#[cfg(test)]
pub(crate) mod script {
    use kernel::Time;

    use super::{Decision, Discard, Occupancy};
    use crate::cell::{Cell, Data};
    use crate::contents::ContentsId;
    use crate::vc::Vc;

    /// A cell of virtual channel `vc`; `eom` is true if it ends a PDU.
    pub fn cell(vc: u32, eom: bool) -> Cell {
        Cell::data(Vc(vc), Data::new(0, ContentsId(0), eom))
    }

    /// `+` for an accepted cell, `-` for a dropped one.
    pub fn sign(decision: Decision) -> char {
        match decision {
            Decision::Accept => '+',
            Decision::Drop => '-',
        }
    }

    /// Offers cells of one virtual channel to a buffer of ten, and returns the sign of each. A cell
    /// is written as the queue length that it finds, followed by `.` if it ends a PDU or `~` if it
    /// has low priority.
    pub fn decisions(policy: &mut dyn Discard, offers: &str) -> String {
        offers
            .split(' ')
            .map(|offer| {
                let queued = offer
                    .trim_end_matches(['.', '~'])
                    .parse()
                    .expect("a queue length");
                let mut cell = cell(0, offer.ends_with('.'));
                if offer.ends_with('~') {
                    cell.tag();
                }
                sign(policy.admit(
                    &cell,
                    Occupancy {
                        at: Time::ZERO,
                        queued,
                        capacity: 10,
                        size: 1,
                    },
                ))
            })
            .collect()
    }

    /// Offers cells to a buffer of ten, and returns the sign of each. A cell is written as the
    /// letter of its virtual channel, in upper case if it ends a PDU. The cells `waiting` are in
    /// the buffer; accepted cells do not join them.
    pub fn decisions_beside(policy: &mut dyn Discard, waiting: &str, offers: &str) -> String {
        let channel = |letter: char| letter.to_ascii_lowercase() as u32 - 'a' as u32;
        assert!(policy.follows_queue(), "the policy compares VCs");
        for vc in waiting.chars().map(channel) {
            policy.on_join(Vc(vc), 1);
        }
        let buffer = Occupancy {
            at: Time::ZERO,
            queued: waiting.len() as u64,
            capacity: 10,
            size: 1,
        };
        offers
            .chars()
            .map(|offer| cell(channel(offer), offer.is_ascii_uppercase()))
            .map(|cell| sign(policy.admit(&cell, buffer)))
            .collect()
    }
}
