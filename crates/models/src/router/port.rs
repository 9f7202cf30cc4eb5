//! The output port of a router: a buffer counted in octets, first in, first out.
//!
//! As on a switch, the departure of a packet is known when it is accepted, and it is committed to
//! its link at once.

use std::collections::VecDeque;

use kernel::{Duration, Rate, Time};

use crate::cell::Cell;
use crate::metrics::{PortMeter, Series};
use crate::switch::discard::{Discard, Occupancy, Verdict};
use crate::unit::{Outlet, Packet, Unit};
use crate::vc::Vc;

/// An output port.
pub struct PacketPort {
    output: usize,
    rate: Rate,
    capacity: u64,
    discard: Box<dyn Discard>,
    /// When the last accepted packet has been sent.
    free_at: Time,
    /// When each waiting packet starts, and its octets.
    waiting: VecDeque<(Time, u32)>,
    waiting_octets: u64,
    /// What is counted here.
    pub meter: PortMeter,
    /// The queue over time in octets, if it is recorded.
    queue: Option<Series>,
}

impl PacketPort {
    /// An empty port that may hold `capacity` octets.
    pub fn new(
        output: usize,
        rate: Rate,
        capacity: u64,
        discard: Box<dyn Discard>,
        vcs: usize,
    ) -> PacketPort {
        PacketPort {
            output,
            rate,
            capacity,
            discard,
            free_at: Time::ZERO,
            waiting: VecDeque::new(),
            waiting_octets: 0,
            meter: PortMeter::new(vcs),
            queue: None,
        }
    }

    /// Records the queue every `every` from the start on, and each refused packet.
    pub fn record(&mut self, every: Duration) {
        self.queue = Some(Series::new(every));
        self.meter.drops = Some(Series::default());
    }

    /// The recorded queue, in octets, up to and including `now`.
    pub fn recorded_queue(&mut self, now: Time) -> Option<&Series> {
        self.catch_up(now);
        self.queue.as_ref()
    }

    fn catch_up(&mut self, now: Time) {
        if let Some(mut queue) = self.queue.take() {
            queue.catch_up(now, |sampled| self.waiting(sampled) as f64);
            self.queue = Some(queue);
        }
    }

    /// Offers a packet to the buffer, from which it leaves under label `vc`.
    pub fn offer(&mut self, now: Time, packet: Packet, vc: Vc, out: &mut Outlet<'_>) {
        self.catch_up(now);
        let size = u64::from(packet.octets);
        let buffer = Occupancy {
            queued: self.waiting(now),
            capacity: self.capacity,
            size,
        };
        // To a discard policy, a packet is a PDU of one cell.
        let whole = Cell {
            vc,
            pdu: 0,
            frame: packet.frame,
            eom: true,
        };
        if self.discard.admit(&whole, buffer) == Verdict::Refuse {
            self.meter.refuse(now, vc.index(), size, true);
            out.cargo.take(packet.frame);
            return;
        }
        let start = self.free_at.max(now);
        if start > now {
            self.waiting.push_back((start, packet.octets));
            self.waiting_octets += size;
        }
        self.free_at = start + self.rate.transmission(size * 8);
        self.meter.accept(
            vc.index(),
            size,
            true,
            start.since(now),
            self.waiting_octets,
        );
        out.send(
            self.output,
            self.free_at,
            Unit::Packet(Packet { vc, ..packet }),
        );
    }

    /// Octets that wait at `now`: the packet that starts at `now` has left the buffer.
    pub fn waiting(&mut self, now: Time) -> u64 {
        while let Some((start, octets)) = self.waiting.front()
            && *start <= now
        {
            self.waiting_octets -= u64::from(*octets);
            self.waiting.pop_front();
        }
        self.waiting_octets
    }

    /// Octets that still wait at `now`, and how long all of them will go on waiting, octet by octet.
    pub fn backlog(&mut self, now: Time) -> (u64, Duration) {
        let octets = self.waiting(now);
        let rest = self
            .waiting
            .iter()
            .map(|(start, octets)| start.since(now) * u64::from(*octets));
        (octets, rest.fold(Duration::ZERO, |sum, wait| sum + wait))
    }

    /// Packets that wait.
    pub fn packets(&self) -> u64 {
        self.waiting.len() as u64
    }

    /// Rate of the link.
    pub fn rate(&self) -> Rate {
        self.rate
    }
}
