//! The packets of one input for one output in a scheduled fabric: the virtual output queue at the
//! ingress, and the packets that cross or are being reassembled. They never overtake each other.

use std::collections::VecDeque;
use std::collections::vec_deque::Drain;

use kernel::Time;

use crate::switch::fabric::Inputs;
use crate::wire::cell::Cell;

/// The packets of an input for an output, in order.
pub struct Lane {
    pub input: usize,
    pub output: usize,
    /// The cells of all packets, with their arrivals.
    cells: VecDeque<(Cell, Time)>,
    /// The packets; those that have been sent come first.
    packets: VecDeque<Packet>,
    /// Number of the first packet since the start.
    first: u64,
    /// Number of packets that have been sent.
    sent: usize,
    /// Cells of them.
    sent_cells: u64,
    /// Credit at the ingress, in octets; negative if the last packet took more than was left.
    credit: i64,
    /// Octets asked for and not granted, as the egress knows them; negative if more was granted.
    asked: i64,
    /// Octets of grants on their way.
    coming: u64,
}

/// A packet that waits, crosses, or is being reassembled.
#[derive(Clone, Copy)]
pub struct Packet {
    /// Cells of the network.
    pub cells: u32,
    /// Cells of the fabric into which it has been cut.
    parts: u32,
    /// Cells of the fabric that are on their way.
    missing: u32,
    /// Cells of the fabric that a link has lost.
    lost: u32,
    /// Time at which it was sent.
    sent: Time,
    /// True if the egress waits for it no longer.
    is_over: bool,
}

impl Packet {
    /// Cells of the fabric that have arrived.
    pub fn arrived(&self) -> u32 {
        self.parts - self.missing - self.lost
    }

    /// True if it has lost no cell.
    pub fn is_whole(&self) -> bool {
        self.lost == 0
    }

    /// True if it is complete, or over.
    fn is_due(&self) -> bool {
        self.is_over || self.missing == 0 && self.lost == 0
    }
}

/// A packet that has just been sent.
pub struct Sent {
    /// Its number in the lane.
    pub number: u64,
    /// Cells of the fabric into which it has been cut.
    pub parts: u32,
    /// The places of its cells among those of the lane.
    cells: std::ops::Range<usize>,
}

impl Lane {
    /// The lane from an input to an output, without packets.
    pub fn new((input, output): (usize, usize)) -> Lane {
        Lane {
            input,
            output,
            cells: VecDeque::new(),
            packets: VecDeque::new(),
            first: 0,
            sent: 0,
            sent_cells: 0,
            credit: 0,
            asked: 0,
            coming: 0,
        }
    }

    /// The request for a packet of so many octets arrives at the egress.
    pub fn on_request(&mut self, octets: u64) {
        self.asked += octets as i64;
    }

    /// True if the egress knows of a packet for which it has not granted all credit.
    pub fn asks(&self) -> bool {
        self.asked > 0
    }

    /// The egress grants so many octets.
    pub fn expect_grant(&mut self, octets: u64) {
        self.asked -= octets as i64;
        self.coming += octets;
    }

    /// A grant of so many octets arrives at the ingress.
    pub fn on_grant(&mut self, octets: u64) {
        self.coming -= octets;
        self.credit += octets as i64;
    }

    /// Sends the next packet, if one waits and the credit is positive; a cell of the network has
    /// `cell` octets, and `cut` gives the number of cells of the fabric for so many of the network.
    pub fn send(&mut self, now: Time, cell: u64, cut: impl Fn(u32) -> u32) -> Option<Sent> {
        let packet = self.packets.get_mut(self.sent)?;
        if self.credit <= 0 {
            return None;
        }
        self.credit -= (u64::from(packet.cells) * cell) as i64;
        packet.parts = cut(packet.cells);
        packet.missing = packet.parts;
        packet.sent = now;
        let from = self.sent_cells;
        self.sent_cells += u64::from(packet.cells);
        self.sent += 1;
        Some(Sent {
            number: self.first + self.sent as u64 - 1,
            parts: packet.parts,
            cells: from as usize..self.sent_cells as usize,
        })
    }

    /// The cells of a packet that has just been sent, with their arrivals.
    pub fn cells_of(&self, sent: &Sent) -> impl Iterator<Item = &(Cell, Time)> {
        self.cells.range(sent.cells.clone())
    }

    /// A packet that is not over; none if it was dropped.
    fn packet(&mut self, number: u64) -> Option<&mut Packet> {
        let place = number.checked_sub(self.first)?;
        self.packets.get_mut(place as usize)
    }

    /// A cell of the fabric arrives at the egress; it belongs to the packet with this number. Returns
    /// false if the packet was dropped.
    pub fn arrive(&mut self, number: u64) -> bool {
        let packet = self.packet(number);
        packet.map(|packet| packet.missing -= 1).is_some()
    }

    /// A link loses a cell of the packet with this number. Returns the time at which the packet was
    /// sent, if it is the first cell that it loses.
    pub fn lose(&mut self, number: u64) -> Option<Time> {
        let packet = self.packet(number)?;
        packet.missing -= 1;
        packet.lost += 1;
        (packet.lost == 1).then_some(packet.sent)
    }

    /// The egress waits no longer for the packet with this number.
    pub fn expire(&mut self, number: u64) {
        if let Some(packet) = self.packet(number) {
            packet.is_over = true;
        }
    }

    /// Removes the first packet, if it is complete or over; its cells must then be taken.
    pub fn release(&mut self) -> Option<Packet> {
        let first = *self.packets.front()?;
        if self.sent == 0 || !first.is_due() {
            return None;
        }
        self.packets.pop_front();
        self.first += 1;
        self.sent -= 1;
        self.sent_cells -= u64::from(first.cells);
        Some(first)
    }

    /// Takes the first cells, with their arrivals.
    pub fn take(&mut self, cells: u32) -> Drain<'_, (Cell, Time)> {
        self.cells.drain(..cells as usize)
    }

    /// Cells of all packets.
    pub fn cells(&self) -> u64 {
        self.cells.len() as u64
    }

    /// Cells of the packets that have been sent.
    pub fn crossing(&self) -> u64 {
        self.sent_cells
    }

    /// Credit that no packet has used, with the grants on their way.
    pub fn unspent(&self) -> i64 {
        self.credit + self.coming as i64
    }
}

/// The cells of a packet, with their arrivals.
type CellsOfPacket = Vec<(Cell, Time)>;

/// The packets whose last cell has not come, by output and VC.
pub struct ComingPackets {
    packets: Box<[Box<[CellsOfPacket]>]>,
    cells: u64,
}

impl ComingPackets {
    /// No packet.
    pub fn new(inputs: &Inputs) -> ComingPackets {
        let packets = |vcs: usize| vec![Vec::new(); vcs].into();
        ComingPackets {
            packets: inputs.vcs().map(packets).collect(),
            cells: 0,
        }
    }

    /// Number of cells of these packets.
    pub fn cells(&self) -> u64 {
        self.cells
    }

    /// A cell arrives at the input of a lane to this output. If it completes a packet, the packet
    /// joins the lane; returns the number of its cells. An RM cell that comes between packets is a
    /// packet of its own.
    pub fn collect(
        &mut self,
        output: usize,
        cell: Cell,
        arrival: Time,
        lane: &mut Lane,
    ) -> Option<u32> {
        let packet = &mut self.packets[output][cell.vc.index()];
        let is_alone = cell.is_rm() && packet.is_empty();
        packet.push((cell, arrival));
        self.cells += 1;
        if !is_alone && !cell.ends_pdu() {
            return None;
        }
        let cells = packet.len() as u32;
        self.cells -= u64::from(cells);
        lane.cells.extend(packet.drain(..));
        lane.packets.push_back(Packet {
            cells,
            parts: 0,
            missing: 0,
            lost: 0,
            sent: Time::NEVER,
            is_over: false,
        });
        Some(cells)
    }
}
