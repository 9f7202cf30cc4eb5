//! Discard policies: which cells a buffer refuses.

use std::cell::RefCell;

use parameters::Amount;

use crate::cell::Cell;

parameters::registry! {
    /// Which cells or packets an output buffer refuses.
    pub enum DiscardSpec builds Box<dyn Discard>, for Buffer {
        tail_drop => TailDrop,
        partial_packet => PartialPacket,
        early_packet => EarlyPacket,
        partial_buffer_sharing => PartialBufferSharing,
    } default tail_drop
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
    /// Parameters that were asked for more than the buffer holds.
    exceeding: RefCell<Vec<(&'static str, Amount)>>,
}

impl Buffer {
    /// A buffer of `capacity` cells, which count for so many octets each.
    pub fn of_cells(capacity: u64, octets_per_cell: u64, vcs: usize) -> Buffer {
        Buffer {
            capacity,
            octets_per_unit: octets_per_cell,
            octets_per_cell,
            vcs,
            exceeding: RefCell::default(),
        }
    }

    /// A buffer of `capacity` octets; a cell counts for so many.
    pub fn of_octets(capacity: u64, octets_per_cell: u64, vcs: usize) -> Buffer {
        Buffer {
            capacity,
            octets_per_unit: 1,
            octets_per_cell,
            vcs,
            exceeding: RefCell::default(),
        }
    }

    /// The amount given by the parameter `name`, in units of this buffer.
    ///
    /// One that exceeds the buffer is noted under that name, for whoever lowers a scenario to refuse.
    pub fn units(&self, name: &'static str, amount: Amount) -> u64 {
        let units = match amount {
            Amount::Share(share) => (share * self.capacity as f64).floor() as u64,
            Amount::Cells(cells) => {
                cells.saturating_mul(self.octets_per_cell) / self.octets_per_unit
            }
            Amount::Bytes(octets) => octets / self.octets_per_unit,
        };
        if units > self.capacity {
            self.exceeding.borrow_mut().push((name, amount));
        }
        units
    }

    /// The parameters that exceed the buffer, and what they were.
    pub fn exceeding(self) -> Vec<(&'static str, Amount)> {
        self.exceeding.into_inner()
    }
}

/// How full the buffer is when a cell is offered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Occupancy {
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
}

/// Scripts for the tests of the policies.
#[cfg(test)]
pub(crate) mod script {
    use super::{Discard, Occupancy, Verdict};
    use crate::cell::{Cell, Kind};
    use crate::frame::FrameId;
    use crate::vc::Vc;

    /// Offers cells of one VC to a buffer of ten, written as `queue length`, with a `.` for the end of
    /// a PDU or a `~` for low priority behind it, and returns a `+` for each accepted and a `-` for each refused.
    pub fn verdicts(policy: &mut dyn Discard, offers: &str) -> String {
        offers
            .split(' ')
            .map(|offer| {
                let queued = offer
                    .trim_end_matches(['.', '~'])
                    .parse()
                    .expect("a queue length");
                let cell = Cell {
                    vc: Vc(0),
                    pdu: 0,
                    frame: FrameId(0),
                    kind: Kind::Data,
                    eom: offer.ends_with('.'),
                    marked: false,
                    clp: offer.ends_with('~'),
                };
                match policy.admit(
                    &cell,
                    Occupancy {
                        queued,
                        capacity: 10,
                        size: 1,
                    },
                ) {
                    Verdict::Accept => '+',
                    Verdict::Refuse => '-',
                }
            })
            .collect()
    }
}
