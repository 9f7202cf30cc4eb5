//! Contents of packets and PDUs.
//!
//! Cells are small and frequent, the contents of a PDU large and rare. So contents are kept in one
//! place, and what travels refers to them: a packet, or the last cell of a PDU, owns its frame and
//! whoever takes that from the network, delivering or discarding it, takes the frame too.

use kernel::Time;

use crate::define_index;
use crate::segment::Segment;

define_index! {
    /// A frame on its way. Its number means nothing beyond that: numbers are used again.
    pub struct FrameId;
}

/// What one packet or PDU carries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frame {
    /// What one end of the flow tells the other.
    pub segment: Segment,
    /// Octets of the packet, headers included, as it was handed to the layer below.
    pub octets: u32,
    /// Cells it was cut into; zero for a packet that stays whole.
    pub cells: u32,
    /// When the transport sent it.
    pub sent: Time,
    /// Number that the sending host gave it: the identification of an IP datagram, which wraps.
    pub number: u16,
    /// Which of its virtual channel it is, counted from one by the host that sends it.
    pub pdu: u32,
}

/// All frames on their way.
#[derive(Clone, Debug, Default)]
pub struct Frames {
    slots: Vec<Frame>,
    free: Vec<FrameId>,
}

impl Frames {
    /// Keeps a frame until it is taken.
    pub fn insert(&mut self, frame: Frame) -> FrameId {
        if let Some(id) = self.free.pop() {
            self.slots[id.index()] = frame;
            return id;
        }
        let id =
            FrameId(u32::try_from(self.slots.len()).expect("fewer than 2^32 frames in flight"));
        self.slots.push(frame);
        id
    }

    /// A frame on its way.
    pub fn get(&self, id: FrameId) -> &Frame {
        &self.slots[id.index()]
    }

    /// Takes a frame from the network.
    pub fn take(&mut self, id: FrameId) -> Frame {
        self.free.push(id);
        self.slots[id.index()]
    }

    /// Number of frames on their way.
    pub fn live(&self) -> u64 {
        (self.slots.len() - self.free.len()) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frame_stays_small() {
        assert!(size_of::<Frame>() <= 80, "a window is made of frames");
    }
}
