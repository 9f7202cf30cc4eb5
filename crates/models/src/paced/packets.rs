//! The waiting packets of a paced VC, and the trains of their cells. Cells are made when they
//! leave, so a waiting packet takes one entry, however many cells it has.

use std::collections::VecDeque;

use kernel::{Duration, Time};

use super::commitment::Commitment;
use crate::abr::RmCell;
use crate::wire::cell::{Data, Train, TrainOrder};
use crate::wire::contents::ContentsId;
use crate::wire::vc::Vc;

/// Cells that leave a paced VC together.
#[derive(Clone, Copy, Debug)]
pub enum Leaving {
    /// Data cells of a packet.
    Data {
        /// The cells.
        train: Train,
        /// Start of the first cell.
        start: Time,
        /// True if the first cell begins the packet.
        is_first: bool,
    },
    /// An RM cell on a virtual channel.
    Rm(Vc, RmCell),
}

/// Packets with waiting cells, in order.
#[derive(Clone, Debug, Default)]
pub struct PacketQueue {
    packets: VecDeque<WaitingPacket>,
    /// Number of waiting cells.
    cells: u64,
}

/// A packet that waits, in whole or in part.
#[derive(Clone, Copy, Debug)]
pub struct WaitingPacket {
    /// Contents of the packet.
    pub contents: ContentsId,
    /// Number of the PDU on the VC.
    pub pdu: u32,
    /// Number of cells of the packet.
    pub total: u32,
    /// Number of cells of the packet that have not started, at least one.
    pub cells: u32,
}

impl WaitingPacket {
    /// A packet whose first cell has not left.
    pub fn new(contents: ContentsId, pdu: u32, cells: u32) -> WaitingPacket {
        WaitingPacket {
            contents,
            pdu,
            total: cells,
            cells,
        }
    }

    /// The train of the next `cells` cells of the packet; `eom` is true if they are the last cells
    /// of the packet.
    fn train(&self, vc: Vc, cells: u32, eom: bool, spacing: Duration) -> Train {
        // Rule 12 of ABR sources: EFCI is 0.
        let data = Data::new(self.pdu, self.contents, eom);
        Train::data(vc, data, cells, spacing)
    }
}

impl PacketQueue {
    /// Cells that wait.
    #[inline]
    pub fn cells(&self) -> u64 {
        self.cells
    }

    /// Queues a packet behind the others.
    pub fn push(&mut self, packet: WaitingPacket) {
        self.cells += u64::from(packet.cells);
        self.packets.push_back(packet);
    }

    /// Removes the first `cells` cells, which have started.
    pub fn forget(&mut self, cells: u32) {
        self.cells -= u64::from(cells);
        let mut left = cells;
        while left > 0 {
            let packet = self.packets.front_mut().expect("a cell waits");
            let of_packet = left.min(packet.cells);
            packet.cells -= of_packet;
            left -= of_packet;
            if packet.cells == 0 {
                self.packets.pop_front();
            }
        }
    }

    /// Adds to `leaving` the first `data` cells, which start at `start`, and the `committed` cells
    /// behind them, packet by packet.
    pub fn pieces(
        &self,
        vc: Vc,
        start: Time,
        data: u32,
        committed: Option<Commitment>,
        leaving: &mut Vec<Leaving>,
    ) {
        let behind = committed.map_or(0, |committed| committed.cells);
        let (next, spacing) = committed.map_or((start, Duration::ZERO), |committed| {
            (committed.next, committed.spacing)
        });
        let cells = data + behind;
        let mut left = cells;
        for packet in &self.packets {
            if left == 0 {
                return;
            }
            let before = cells - left;
            let follows = before >= data;
            let of_packet = left.min(packet.cells);
            leaving.push(Leaving::Data {
                train: Train {
                    order: if follows {
                        TrainOrder::Announced
                    } else {
                        TrainOrder::Contiguous
                    },
                    ..packet.train(vc, of_packet, of_packet == packet.cells, spacing)
                },
                start: if follows {
                    next + spacing * u64::from(before - data)
                } else {
                    start
                },
                is_first: packet.cells == packet.total,
            });
            left -= of_packet;
        }
    }
}
