//! Packet mode: the cells of a packet cross without interruption.
//!
//! An input collects the cells of each VC, and a packet joins its virtual output queue when its last
//! cell has come, so that its cells follow each other there. A pair of an input and an output stays
//! matched until the last cell of the packet has crossed. Marsan, Bianco, Giaccone, Leonardi and
//! Neri, "Packet-Mode Scheduling in Input-Queued Cell-Based Switches", IEEE/ACM Transactions on
//! Networking 10(5), 2002, of which we have read the abstract; that an input waits for the last cell
//! is our own choice.

use kernel::Time;

use super::{State, Way};
use crate::switch::crossing::Crossing;
use crate::switch::fabric::Inputs;
use crate::switch::matching::Matched;
use crate::wire::cell::Cell;
use crate::wire::vc::Vc;

/// The packets that inputs collect, and the pairs that stay matched.
pub struct PacketMode {
    /// The packet that is coming on each VC, by output.
    coming: Box<[Box<[ComingPacket]>]>,
    /// Number of cells in all of them.
    cells: u64,
    /// The packet that each input is sending.
    held: Box<[Option<CrossingPacket>]>,
}

/// A packet of which cells are still to cross.
#[derive(Clone, Copy)]
struct CrossingPacket {
    /// Index of the output among those that VCs use.
    output: usize,
    vc: Vc,
}

/// The first cells of a packet whose last cell has not come.
#[derive(Clone, Default)]
struct ComingPacket {
    /// The cells, each with its arrival.
    cells: Vec<(Cell, Time)>,
    /// True if a cell of the packet was dropped, so that the others are dropped too.
    is_damaged: bool,
}

impl PacketMode {
    /// No packet yet; `used` is the number of inputs that VCs use.
    pub fn new(inputs: &Inputs, used: usize) -> PacketMode {
        let coming = |vcs: usize| vec![ComingPacket::default(); vcs].into();
        PacketMode {
            coming: inputs.vcs().map(coming).collect(),
            cells: 0,
            held: vec![None; used].into(),
        }
    }

    /// Number of cells of packets whose last cell has not come.
    pub fn cells(&self) -> u64 {
        self.cells
    }

    /// Matches the pairs whose packets have not crossed completely.
    pub fn hold(&self, matched: &mut Matched) {
        for (input, packet) in self.held.iter().enumerate() {
            if let Some(packet) = packet {
                matched.join(input, packet.output);
            }
        }
    }

    /// The VC of the packet that an input is sending; none if a packet may begin.
    pub fn crossing(&self, input: usize) -> Option<Vc> {
        self.held[input].map(|packet| packet.vc)
    }

    /// A cell crosses from an input to an output.
    pub fn cross(&mut self, input: usize, output: usize, cell: &Cell) {
        // An RM cell that comes between packets is alone.
        let is_alone = cell.is_rm() && self.held[input].is_none();
        let is_last = is_alone || cell.ends_pdu();
        self.held[input] = (!is_last).then_some(CrossingPacket {
            output,
            vc: cell.vc,
        });
    }
}

impl State {
    /// Takes a cell that came to an input at `arrival`; `joins` is false if it was dropped. If any cell
    /// of a packet is dropped, all are: an input never waits for a packet that it cannot hold.
    pub(super) fn collect(
        &mut self,
        now: Time,
        way: Way,
        (cell, arrival): (Cell, Time),
        joins: bool,
        crossing: &mut Crossing<'_, '_>,
    ) {
        let packets = self.packets.as_mut().expect("packets are collected");
        let (input, output) = (
            self.sending.numbers[way.input],
            self.receiving.numbers[way.output],
        );
        let packet = &mut packets.coming[output][cell.vc.index()];
        let meter = &mut self.meters[way.output];
        // An RM cell that joins between packets is a packet of its own; one that is dropped leaves the
        // cells before it waiting for the rest of theirs.
        let is_alone = joins && cell.is_rm() && packet.cells.is_empty();
        if joins {
            meter.join(now);
            packets.cells += 1;
            packet.cells.push((cell, arrival));
        }
        packet.is_damaged |= !joins && !cell.is_rm();
        if packet.is_damaged && !cell.is_rm() {
            packets.cells -= packet.cells.len() as u64;
            packet.is_damaged = !cell.ends_pdu();
            for (cell, arrival) in packet.cells.drain(..) {
                if cell.is_rm() {
                    self.queues.push(way.input, way.output, &cell, arrival);
                    continue;
                }
                let limits = self.limits.as_mut().expect("a limited input drops cells");
                limits.evict(now, input, output, &cell, crossing);
                meter.drop_waiting(now);
            }
        } else if cell.ends_pdu() || is_alone {
            packets.cells -= packet.cells.len() as u64;
            for (cell, arrival) in packet.cells.drain(..) {
                self.queues.push(way.input, way.output, &cell, arrival);
            }
        }
    }
}
