//! Discard policies: which cells a buffer refuses.

use kernel::{Rate, Seed, Stream, Time};
use parameters::Amount;

use crate::cell::Cell;
use crate::vc::Vc;

parameters::registry! {
    /// Discard policy of an output buffer: the cells or packets that it drops.
    pub enum DiscardSpec builds Box<dyn Discard>, for Buffer {
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

impl DiscardSpec {
    /// Whether it compares the channels of one queue, or follows that queue over time, so that it has
    /// no meaning where each channel has a queue of its own.
    pub fn is_for_shared_queues(&self) -> bool {
        match self {
            DiscardSpec::TailDrop(_)
            | DiscardSpec::PartialPacket(_)
            | DiscardSpec::EarlyPacket(_)
            | DiscardSpec::PartialBufferSharing(_)
            | DiscardSpec::PushOut(_) => false,
            DiscardSpec::SelectiveDrop(_)
            | DiscardSpec::FairBufferAllocation(_)
            | DiscardSpec::RandomEarly(_) => true,
        }
    }

    /// Whether it takes back what it has accepted: cells that wait, of one queue.
    pub fn pushes_out(&self) -> bool {
        matches!(self, DiscardSpec::PushOut(_))
    }
}

/// The buffer that a policy guards, as known before the run.
#[derive(Clone, Debug)]
pub struct Buffer {
    /// What fits, in cells for a switch and in octets for a router.
    pub capacity: u64,
    /// Octets that one unit of `capacity` counts for.
    pub octets_per_unit: u64,
    /// Octets that a cell counts for.
    pub octets_per_cell: u64,
    /// Number of virtual channels.
    pub vcs: usize,
    /// Rate of the link that empties it.
    pub link: Rate,
    /// Stream for choices left to chance.
    pub random: Stream,
}

impl Buffer {
    /// A buffer of `capacity` cells, which count for so many octets each, of no output yet.
    pub fn of_cells(capacity: u64, octets_per_cell: u64, vcs: usize) -> Buffer {
        let nobody = Seed {
            seed: 0,
            replication: 0,
        };
        Buffer {
            capacity,
            octets_per_unit: octets_per_cell,
            octets_per_cell,
            vcs,
            link: Rate::from_bits_per_second(155_520_000),
            random: nobody.stream("", "discard"),
        }
    }

    /// A buffer of `capacity` octets, of no output yet; a cell counts for so many.
    pub fn of_octets(capacity: u64, octets_per_cell: u64, vcs: usize) -> Buffer {
        Buffer {
            octets_per_unit: 1,
            ..Buffer::of_cells(capacity, octets_per_cell, vcs)
        }
    }

    /// The same at the output to a link of that rate, with a stream for choices left to chance.
    pub fn before(self, link: Rate, random: Stream) -> Buffer {
        Buffer {
            link,
            random,
            ..self
        }
    }

    /// A level in this buffer, in its units; it may lie beyond the end of the buffer.
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

/// How full the buffer is when a cell is offered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Occupancy {
    /// When that is.
    pub at: Time,
    /// What waits, at all outputs that share the memory; the cell in transmission has left the
    /// buffer.
    pub queued: u64,
    /// What fits.
    pub capacity: u64,
    /// What the offered cell would add.
    pub size: u64,
}

impl Occupancy {
    /// Whether the offered cell fits.
    pub fn fits(&self) -> bool {
        self.queued + self.size <= self.capacity
    }
}

/// What becomes of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It joins the queue.
    Accept,
    /// It is lost.
    Refuse,
}

/// Decides, cell by cell. A packet that stays whole is a PDU of one cell.
pub trait Discard {
    /// Whether `cell` joins a buffer that is this full; a policy never accepts what does not fit.
    fn admit(&mut self, cell: &Cell, buffer: Occupancy) -> Verdict;

    /// True if a cell of high priority (CLP = 0) that finds no room takes the place of the last cell
    /// of low priority that waits. The output then makes room before it asks.
    fn pushes_out(&self) -> bool {
        false
    }

    /// True if [`Discard::on_join`] and [`Discard::on_leave`] must be called.
    fn follows_queue(&self) -> bool {
        false
    }

    /// `units` of a channel join the queue: 1 for a cell, octets for a packet.
    fn on_join(&mut self, _vc: Vc, _units: u64) {}

    /// `units` of a channel that joined before leave the queue at `at`: now, or at a later instant
    /// that is already known. In the order of calls, `at` never goes back.
    fn on_leave(&mut self, _vc: Vc, _units: u64, _at: Time) {}
}

/// Scripts for the tests of the policies.
#[cfg(test)]
pub(crate) mod script {
    use kernel::Time;

    use super::{Discard, Occupancy, Verdict};
    use crate::cell::{Cell, Data};
    use crate::frame::FrameId;
    use crate::vc::Vc;

    /// A cell of a channel, which may end a PDU.
    pub fn cell(vc: u32, eom: bool) -> Cell {
        Cell::data(Vc(vc), Data::new(0, FrameId(0), eom))
    }

    /// A `+` for what is accepted and a `-` for what is refused.
    pub fn sign(verdict: Verdict) -> char {
        match verdict {
            Verdict::Accept => '+',
            Verdict::Refuse => '-',
        }
    }

    /// Offers cells of one VC to a buffer of ten, written as `queue length`, with a `.` for the end of
    /// a PDU or a `~` for low priority behind it, and returns the sign of each.
    pub fn verdicts(policy: &mut dyn Discard, offers: &str) -> String {
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

    /// Offers cells to a buffer of ten, which cells of the channels `waiting` have just entered. Each
    /// is written as a letter, and an end of a PDU as a capital; returns the sign of each. What is
    /// accepted goes elsewhere.
    pub fn verdicts_beside(policy: &mut dyn Discard, waiting: &str, offers: &str) -> String {
        let channel = |letter: char| letter.to_ascii_lowercase() as u32 - 'a' as u32;
        assert!(policy.follows_queue(), "a policy that looks at channels");
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
