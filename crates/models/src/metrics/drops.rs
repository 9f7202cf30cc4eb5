//! Cells and packets that are dropped. Their times are listed only on request, because a list of
//! all drops of a long run would not fit into memory.

use kernel::Time;

use super::cause::Cause;

/// Drops with their times.
#[derive(Clone, Debug)]
pub struct Drops {
    /// List of the drops, while `is_listed` is true.
    pub list: Vec<TimedDrop>,
    /// True while drops are listed.
    pub is_listed: bool,
    /// Drops of each virtual channel, if counted.
    pub counts: Box<[u64]>,
    /// Occupancy of the buffer that the next dropped unit found, in units of the port; none if no
    /// policy was asked about the unit.
    pub found: Option<u64>,
}

/// A unit that was dropped.
#[derive(Clone, Copy, Debug)]
pub struct TimedDrop {
    /// Time of the drop.
    pub at: Time,
    /// Virtual channel.
    pub vc: u32,
    /// PDU or packet of the unit; zero for an RM cell.
    pub pdu: u32,
    /// Cause.
    pub cause: Cause,
    /// Occupancy of the buffer that the unit found, in units of the port; none for a unit about
    /// which no policy was asked, such as one that is dropped after it was accepted.
    pub found: Option<u64>,
}

/// A unit that is dropped.
#[derive(Clone, Copy, Debug)]
pub struct DroppedUnit {
    /// Virtual channel.
    pub vc: usize,
    /// PDU or packet of the unit, as its sender counts; none for an RM cell.
    pub pdu: Option<u32>,
    /// True if the unit is the last of its PDU.
    pub eom: bool,
    /// True for a whole packet, false for a cell.
    pub is_packet: bool,
}

/// The effect of a pushed-out cell on the count of damaged PDUs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Harm {
    /// None: the PDU was counted as damaged before, or the cell has no PDU.
    None,
    /// The PDU is still arriving, and counts as damaged when it ends.
    Present,
    /// The PDU has ended and was counted as whole; it now counts as damaged.
    Ended,
}

impl Drops {
    /// An empty record that counts the drops of `vcs` virtual channels.
    pub fn counted(vcs: usize) -> Drops {
        Drops {
            counts: vec![0; vcs].into(),
            ..Drops::default()
        }
    }

    /// Records that a unit is dropped.
    pub fn push(&mut self, now: Time, unit: DroppedUnit, cause: Cause) {
        if let Some(count) = self.counts.get_mut(unit.vc) {
            *count += 1;
        }
        let found = self.found.take();
        if self.is_listed {
            self.list.push(TimedDrop {
                at: now,
                vc: unit.vc as u32,
                pdu: unit.pdu.unwrap_or(0),
                cause,
                found,
            });
        }
    }
}

impl Default for Drops {
    /// An empty record that lists drops, and does not count them.
    fn default() -> Drops {
        Drops {
            list: Vec::new(),
            is_listed: true,
            counts: Box::default(),
            found: None,
        }
    }
}
