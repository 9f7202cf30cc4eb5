//! The FIFO queue of packets, which differ in length. As with cells, the start of a packet is known
//! when the packet is accepted, but the queue length needs a list of all starts.

use std::collections::VecDeque;

use kernel::{Rate, RememberingRate, Time};

use super::{Departure, FifoQueue};
use crate::link::line::Line;
use crate::metrics::Backlog;
use crate::wire::unit::PacketUnit;

/// The FIFO queue of the packets of one output.
pub struct PacketFifo {
    /// The start and the octets of each packet that has not started.
    packets: VecDeque<(Time, u32)>,
    octets: u64,
    rate: RememberingRate,
    line: Line,
}

impl FifoQueue<PacketUnit> for PacketFifo {
    fn new(rate: Rate) -> PacketFifo {
        PacketFifo {
            packets: VecDeque::new(),
            octets: 0,
            rate: rate.into(),
            line: Line::default(),
        }
    }

    #[inline]
    fn waiting(&mut self, now: Time) -> u64 {
        while let Some((start, octets)) = self.packets.front()
            && *start <= now
        {
            self.octets -= u64::from(*octets);
            self.packets.pop_front();
        }
        self.octets
    }

    // Inlined: a call for each packet would cost half as much as this function does.
    #[allow(clippy::inline_always)]
    #[inline(always)]
    fn accept(&mut self, now: Time, _waiting: u64, packet: &PacketUnit, _rate: Rate) -> Departure {
        let time = self.rate.transmission(u64::from(packet.octets) * 8);
        let [start, end] = self.line.commit(now, time);
        if start > now {
            self.packets.push_back((start, packet.octets));
            self.octets += u64::from(packet.octets);
        }
        Departure {
            start,
            end,
            waiting: self.octets,
        }
    }

    fn backlog(&mut self, now: Time) -> Backlog {
        let waiting = self.waiting(now);
        let packets = self.packets.iter();
        let rest = packets
            .map(|(start, octets)| u128::from(start.since(now).ps()) * u128::from(*octets))
            .sum();
        let next = self.packets.front().map(|(start, _)| *start);
        Backlog {
            waiting,
            queue: waiting,
            rest,
            serving: next.unwrap_or(self.line.free_at()).since(now),
        }
    }
}
