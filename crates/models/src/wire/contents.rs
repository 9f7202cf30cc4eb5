//! Contents of packets and PDUs, and of RM cells.
//!
//! Cells are small and frequent, the contents of a PDU large and rare. Contents are therefore kept
//! in one table, and packets and cells refer to them by number. A packet, or the last cell of a
//! PDU, owns its contents: the code that delivers or drops this packet or cell also removes the
//! contents. The contents of RM cells are kept in the same way. Our own design, which keeps cells
//! small: decision 5 in `docs/decisions`.

use kernel::{Time, define_index};

use super::segment::Segment;
use crate::abr::RmCell;

define_index! {
    /// The number of the contents of a packet or PDU in flight; freed numbers are used again.
    pub struct ContentsId;
}

define_index! {
    /// The number of the contents of an RM cell in flight; freed numbers are used again.
    pub struct RmId;
}

/// The contents of one packet or PDU.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Contents {
    /// Header of the transport, from one end of the flow to the other.
    pub segment: Segment,
    /// Octets of the packet, headers included, as it was handed to the layer below.
    pub octets: u32,
    /// Number of cells of the PDU; zero for a packet that stays whole.
    pub cells: u32,
    /// Time at which the transport sent the packet.
    pub sent: Time,
    /// Number that the sending host gives the packet: the identification of an IP datagram, which
    /// wraps.
    pub number: u16,
    /// True if the packet was marked (CE) before it was cut into cells.
    pub marked: bool,
    /// Number of the packet on its VC, counted from one by the host that sends it; zero for a packet
    /// that goes back to its sender, which no host has sent that way.
    pub pdu: u32,
}

impl Contents {
    /// True if the packet goes back to its sender, because an output had no room for it.
    pub fn is_returned(&self) -> bool {
        self.pdu == 0
    }
}

/// The contents of all packets, PDUs and RM cells in flight.
#[derive(Clone, Debug, Default)]
pub struct Cargo {
    packets: Slab<Contents>,
    rm_cells: Slab<RmCell>,
}

impl Cargo {
    /// Keeps the contents of a packet until they are taken.
    pub fn insert(&mut self, contents: Contents) -> ContentsId {
        ContentsId(self.packets.insert(contents))
    }

    /// The contents of a packet in flight.
    pub fn get(&self, id: ContentsId) -> &Contents {
        self.packets.get(id.index())
    }

    /// Takes the contents of a packet from the network.
    pub fn take(&mut self, id: ContentsId) -> Contents {
        self.packets.take(id.0)
    }

    /// Turns a packet of data back to its sender; returns false if it carries no data, or was turned
    /// back before.
    pub fn turn_back(&mut self, id: ContentsId) -> bool {
        let contents = &mut self.packets.slots[id.index()];
        let turns = contents.segment.len > 0 && !contents.is_returned();
        if turns {
            contents.pdu = 0;
        }
        turns
    }

    /// Number of packets in flight.
    pub fn live(&self) -> u64 {
        self.packets.live()
    }

    /// Keeps the contents of an RM cell until they are taken.
    pub fn insert_rm(&mut self, rm: RmCell) -> RmId {
        RmId(self.rm_cells.insert(rm))
    }

    /// The contents of an RM cell in flight.
    pub fn rm(&self, id: RmId) -> &RmCell {
        self.rm_cells.get(id.index())
    }

    /// The contents of an RM cell in flight, mutable.
    pub fn rm_mut(&mut self, id: RmId) -> &mut RmCell {
        &mut self.rm_cells.slots[id.index()]
    }

    /// Takes the contents of an RM cell from the network.
    pub fn take_rm(&mut self, id: RmId) -> RmCell {
        self.rm_cells.take(id.0)
    }

    /// Number of RM cells in flight.
    pub fn live_rm(&self) -> u64 {
        self.rm_cells.live()
    }
}

/// Items by number; the numbers of removed items are used again.
#[derive(Clone, Debug)]
struct Slab<T> {
    slots: Vec<T>,
    free: Vec<u32>,
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
    fn insert(&mut self, item: T) -> u32 {
        if let Some(number) = self.free.pop() {
            self.slots[number as usize] = item;
            return number;
        }
        let number = u32::try_from(self.slots.len()).expect("fewer than 2^32 in flight");
        self.slots.push(item);
        number
    }

    fn get(&self, index: usize) -> &T {
        &self.slots[index]
    }

    fn take(&mut self, number: u32) -> T {
        self.free.push(number);
        self.slots[number as usize]
    }

    fn live(&self) -> u64 {
        (self.slots.len() - self.free.len()) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_contents_of_a_packet_stay_small() {
        assert!(size_of::<Contents>() <= 80, "a window is made of them");
    }
}
