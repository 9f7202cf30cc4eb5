//! Frames of a link with retry: packets, and the `CC_Update` frames of credits (`wire/between/update_frame.rs`).

use crate::wire::between::ControlFrame;
use crate::wire::cyclic_count::CyclicCount;
use crate::wire::priority::ByPriority;
use crate::wire::unit::PacketUnit;

/// Contents of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FrameBody {
    /// A whole packet.
    Packet(PacketUnit),
    /// A `CC_Update`: see [`ControlFrame::CcUpdate`].
    CcUpdate(ByPriority<CyclicCount>),
}

impl FrameBody {
    /// Octets on the link.
    pub fn octets(&self) -> u32 {
        match self {
            FrameBody::Packet(packet) => packet.octets,
            FrameBody::CcUpdate(_) => ControlFrame::CC_UPDATE,
        }
    }
}

/// A frame and its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NumberedFrame {
    /// Its contents.
    pub body: FrameBody,
    /// Number of the frame in its direction of the link, counted from one.
    pub number: u64,
}
