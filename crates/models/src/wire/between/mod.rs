//! What the two ends of a link say to each other: pauses, credits for packets, and link-level retry.
//! Nodes hand these frames to the transmitter of the link, and only the link knows what they say.

pub mod ordered_set;
pub mod update_frame;

use super::cyclic_count::CyclicCount;
use super::packet::PacketUnit;
use super::priority::{ByPriority, Priority, PrioritySet};
use ordered_set::OrderedSet;

/// A frame by which one end of a link controls the other end. It goes ahead of every packet that waits.
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
