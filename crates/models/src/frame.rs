//! Contents of packets and PDUs, and of RM cells.
//!
//! Cells are small and frequent, the contents of a PDU large and rare. So contents are kept in one
//! place, and what travels refers to them: a packet, or the last cell of a PDU, owns its frame and
//! whoever takes that from the network, delivering or discarding it, takes the frame too. The
//! contents of RM cells are kept beside them, in the same way.

use kernel::Time;

use crate::abr::RmCell;
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
    /// It was marked as a packet, before it was cut into cells.
    pub marked: bool,
    /// Which of its virtual channel it is, counted from one by the host that sends it.
    pub pdu: u32,
}

/// What is on its way: the contents of packets and PDUs, and those of RM cells.
#[derive(Clone, Debug, Default)]
pub struct Frames {
    frames: Slab<Frame>,
    rm_cells: Slab<RmCell>,
}

impl Frames {
    /// Keeps a frame until it is taken.
    pub fn insert(&mut self, frame: Frame) -> FrameId {
        self.frames.insert(frame)
    }

    /// A frame on its way.
    pub fn get(&self, id: FrameId) -> &Frame {
        &self.frames.slots[id.index()]
    }

    /// Takes a frame from the network.
    pub fn take(&mut self, id: FrameId) -> Frame {
        self.frames.take(id)
    }

    /// Number of frames on their way.
    pub fn live(&self) -> u64 {
        self.frames.live()
    }

    /// Keeps the contents of an RM cell until they are taken; their numbers are apart from those of
    /// frames.
    pub fn insert_rm(&mut self, rm: RmCell) -> FrameId {
        self.rm_cells.insert(rm)
    }

    /// The contents of an RM cell on its way.
    pub fn rm(&self, id: FrameId) -> &RmCell {
        &self.rm_cells.slots[id.index()]
    }

    /// The same, to be changed by a switch.
    pub fn rm_mut(&mut self, id: FrameId) -> &mut RmCell {
        &mut self.rm_cells.slots[id.index()]
    }

    /// Takes the contents of an RM cell from the network.
    pub fn take_rm(&mut self, id: FrameId) -> RmCell {
        self.rm_cells.take(id)
    }

    /// Number of RM cells on their way.
    pub fn live_rm(&self) -> u64 {
        self.rm_cells.live()
    }
}

/// Things by number, whose numbers are used again.
#[derive(Clone, Debug)]
struct Slab<T> {
    slots: Vec<T>,
    free: Vec<FrameId>,
}

impl<T> Default for Slab<T> {
    fn default() -> Slab<T> {
        Slab {
            slots: Vec::new(),
            free: Vec::new(),
        }
    }
}

impl<T: Copy> Slab<T> {
    fn insert(&mut self, item: T) -> FrameId {
        if let Some(id) = self.free.pop() {
            self.slots[id.index()] = item;
            return id;
        }
        let id =
            FrameId(u32::try_from(self.slots.len()).expect("fewer than 2^32 frames in flight"));
        self.slots.push(item);
        id
    }

    fn take(&mut self, id: FrameId) -> T {
        self.free.push(id);
        self.slots[id.index()]
    }

    fn live(&self) -> u64 {
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
