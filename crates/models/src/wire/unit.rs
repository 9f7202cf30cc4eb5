//! The units on links: trains of cells, packets, amendments, and control frames.
//!
//! Our own unit: by amendments a host changes cells that it has announced ahead of their time,
//! which saves events (decision 14 in `docs/decisions`).

use kernel::Duration;

use super::cell::{Cell, Data, Train};
use super::contents::ContentsId;
use super::cyclic_count::CyclicCount;
use super::ecn::CongestionField;
use super::ordered_set::OrderedSet;
use super::priority::{ByPriority, Priority, PrioritySet};
use super::update_frame::UpdateFrame;
use super::vc::Vc;

/// A unit on a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Cells of one VC.
    Cells(Train),
    /// A whole packet.
    Packet(PacketUnit),
    /// A whole packet on a link with credits for packets: the node that receives it counts its credits.
    Credited(PacketUnit),
    /// A change of the cells of trains under way that have not arrived.
    Amendment(Amendment),
    /// A frame between the two ends of a link.
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

/// A frame by which one end of a link controls the other end. It goes ahead of every packet that
/// waits, and the node that receives it handles it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ControlFrame {
    /// A pause frame of priority-based flow control.
    Pause(PauseFrame),
    /// A `CF_Update` of credit-based flow control.
    CfUpdate(CfUpdate),
    /// A `CC_Update` of credit-based flow control: the credits that the sending end has consumed, by
    /// virtual channel.
    CcUpdate(ByPriority<CyclicCount>),
}

impl ControlFrame {
    /// Octets of a `CF_Update` on the link, which is a control ordered set.
    pub const CF_UPDATE: u32 = OrderedSet::OCTETS as u32;

    /// Octets of a `CC_Update` on the link: a packet of 64 octets, and 20 of preamble and gap.
    pub const CC_UPDATE: u32 = 84;
}

/// A `CF_Update`: the credits that the receiving end has freed. Each has the count of one virtual
/// channel, which is our own choice: the proposal for SAI 1.18 does not say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CfUpdate {
    /// The virtual channel, which has the number of a priority.
    pub vc: Priority,
    /// The credits freed since the start.
    pub freed: CyclicCount,
}

/// A pause frame: IEEE 802.3, Annex 31D.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PauseFrame {
    /// The priorities about which the frame says something: the class-enable vector.
    pub enabled: PrioritySet,
    /// The enabled priorities that are paused; the others have zero quanta, and are resumed.
    pub paused: PrioritySet,
    /// Time for which they are paused, in quanta of 512 bit times.
    pub quanta: u16,
}

impl PauseFrame {
    /// True if the frame resumes a priority.
    pub fn resumes(&self, priority: Priority) -> bool {
        self.enabled.has(priority) && !self.paused.has(priority)
    }
}

/// A whole packet with the number that a link with retry gives it. It is a copy, with contents of its
/// own: the sender keeps the packet until it is acknowledged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RetryFrame {
    /// The packet.
    pub packet: PacketUnit,
    /// Number of the frame in its direction of the link, counted from one.
    pub number: u64,
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

    /// Number of announced cells that the unit recalls.
    pub fn recalled(&self) -> u64 {
        match self {
            Unit::Amendment(Amendment::Recall(cells)) => u64::from(*cells),
            _ => 0,
        }
    }
}

/// A packet that is not cut into cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PacketUnit {
    /// Flow label on this link: like cells, packets are forwarded by a label.
    pub vc: Vc,
    /// Contents of the packet.
    pub contents: ContentsId,
    /// Octets on the wire.
    pub octets: u32,
    /// The congestion field of the header.
    pub congestion: CongestionField,
    /// True if an output has cut the packet to its first octets.
    pub trimmed: bool,
    /// Number of the input by which the packet came to the router that holds it, if the router
    /// counts what each input holds; zero elsewhere.
    pub input: u16,
}

impl From<&PacketUnit> for Cell {
    /// A packet as a PDU of one cell, for discard policies.
    #[inline]
    fn from(packet: &PacketUnit) -> Cell {
        let data = Data {
            marked: packet.congestion == CongestionField::Marked,
            not_ect: packet.congestion == CongestionField::NotEct,
            ..Data::new(0, packet.contents, true)
        };
        Cell::data(packet.vc, data)
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
