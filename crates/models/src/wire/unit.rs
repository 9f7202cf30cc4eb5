//! The units on links: trains of cells, packets, amendments, and what the two ends of a link say to
//! each other (`between`).
//!
//! Our own unit: by amendments a host changes cells that it has announced ahead of their time,
//! which saves events (decision 14 in `docs/decisions`).

use kernel::Duration;

use super::between::ordered_set::OrderedSet;
use super::between::update_frame::UpdateFrame;
use super::between::{ControlFrame, RetryFrame};
use super::cell::Train;
use super::contents::ContentsId;
pub use super::packet::PacketUnit;
use super::priority::Priority;

/// A unit on a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Cells of one VC.
    Cells(Train),
    /// A whole packet.
    Packet(PacketUnit),
    /// A change of the cells of trains under way that have not arrived.
    Amendment(Amendment),
    /// A whole packet on a link with credits for packets, which counts its credits.
    Credited(PacketUnit),
    /// A frame by which one end of a link controls the other.
    Control(ControlFrame),
    /// A packet on a link with retry.
    Frame(RetryFrame),
    /// A `CC_Update` on a link with retry.
    UpdateFrame(UpdateFrame),
    /// A frame on a link with retry that arrives with a wrong check sequence: the receiver learns
    /// only that a frame came.
    DamagedFrame,
    /// A control ordered set, on a link with retry.
    OrderedSet(OrderedSet),
}

/// A change of the cells that were announced and have not arrived.
///
/// An amendment arrives before the earliest possible arrival of the first changed cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Amendment {
    /// The cells that have not arrived are recalled: the host does not send them.
    Recall(u32),
    /// The cells are respaced: they arrive at other times.
    Respace {
        /// Time from the arrival of the amendment to the arrival of the first cell.
        after: Duration,
        /// Time from one cell to the next.
        spacing: Duration,
    },
}

impl Unit {
    /// Number of cells in the unit.
    pub fn cells(&self) -> u64 {
        match self {
            Unit::Cells(train) => u64::from(train.cells),
            _ => 0,
        }
    }

    /// The whole packet that the unit is, except for a frame of a link with retry, which is a copy.
    pub fn packet(&self) -> Option<&PacketUnit> {
        match self {
            Unit::Packet(packet) | Unit::Credited(packet) => Some(packet),
            _ => None,
        }
    }

    /// True if the unit is a frame by which one end of a link controls the other.
    pub fn is_control(&self) -> bool {
        matches!(self, Unit::Control(_))
    }

    /// True if the unit is one of link-level retry.
    pub fn is_of_retry(&self) -> bool {
        match self {
            Unit::Frame(_) | Unit::UpdateFrame(_) | Unit::DamagedFrame | Unit::OrderedSet(_) => {
                true
            }
            Unit::Cells(_)
            | Unit::Packet(_)
            | Unit::Amendment(_)
            | Unit::Credited(_)
            | Unit::Control(_) => false,
        }
    }

    /// The whole packet, a copy or not, as an observer of the link sees it.
    pub fn seen(&self) -> Option<&PacketUnit> {
        match self {
            Unit::Frame(RetryFrame { packet, .. }) => Some(packet),
            other => other.packet(),
        }
    }

    /// The contents of the packet that the unit is, a copy or not.
    pub fn packet_contents_mut(&mut self) -> Option<&mut ContentsId> {
        match self {
            Unit::Packet(packet)
            | Unit::Credited(packet)
            | Unit::Frame(RetryFrame { packet, .. }) => Some(&mut packet.contents),
            _ => None,
        }
    }

    /// True if the unit resumes a priority of the far end that was paused.
    pub fn resumes(&self, priority: Priority) -> bool {
        match self {
            Unit::Control(ControlFrame::Pause(frame)) => frame.resumes(priority),
            _ => false,
        }
    }

    /// Number of announced cells that the unit recalls.
    pub fn recalled(&self) -> u64 {
        match self {
            Unit::Amendment(Amendment::Recall(cells)) => u64::from(*cells),
            _ => 0,
        }
    }
}

/// The outputs of a node whose units are [`Unit`]s.
pub type Outlet<'a> = kernel::LinkOutlet<'a, Unit, crate::wire::contents::Cargo>;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_packet_stays_small() {
        assert!(size_of::<PacketUnit>() <= 16 && size_of::<Unit>() <= 32);
    }
}
