//! The output port of a router: a buffer counted in octets, first in, first out.
//!
//! As on a switch, the departure of a packet is known when it is accepted, and it is committed to
//! its link at once.

use std::collections::VecDeque;

use kernel::{Duration, Rate, Time};

use crate::cell::{Cell, Kind};
use crate::metrics::{Backlog, Capacity, Dropped, PortMeter, QueueSeries};
use crate::port::Port;
use crate::switch::admission::{Admission, Waiting};
use crate::tap::{Fate, Passing, Tap};
use crate::unit::{Outlet, Packet, Unit};
use crate::vc::Vc;

/// An output port.
pub struct PacketPort {
    output: usize,
    rate: Rate,
    admission: Admission,
    /// When the last accepted packet has been sent.
    free_at: Time,
    /// When each waiting packet starts, and its octets.
    waiting: VecDeque<(Time, u32)>,
    waiting_octets: u64,
    /// The queue over time in octets, if it is recorded.
    queue: Option<Box<QueueSeries>>,
    tap: Option<Box<Tap>>,
}

impl PacketPort {
    /// An empty port.
    pub fn new(output: usize, rate: Rate, admission: Admission) -> PacketPort {
        PacketPort {
            output,
            rate,
            admission,
            free_at: Time::ZERO,
            waiting: VecDeque::new(),
            waiting_octets: 0,
            queue: None,
            tap: None,
        }
    }

    fn catch_up(&mut self, now: Time) {
        if let Some(mut queue) = self.queue.take() {
            queue
                .all
                .catch_up(now, |sampled| self.queued(sampled) as f64);
            self.queue = Some(queue);
        }
    }

    /// Offers a packet to the buffer, from which it leaves under label `vc`, while so many octets wait
    /// `elsewhere` in the same memory.
    // A call for each packet would cost as much as half of what happens here.
    #[allow(clippy::inline_always)]
    #[inline(always)]
    pub fn offer(
        &mut self,
        now: Time,
        packet: Packet,
        vc: Vc,
        elsewhere: u64,
        out: &mut Outlet<'_>,
    ) {
        let size = u64::from(packet.octets);
        let here = self.waiting(now);
        // To a discard policy, a packet is a PDU of one cell.
        let mut whole = Cell {
            vc,
            pdu: 0,
            frame: packet.frame,
            kind: Kind::Data,
            eom: true,
            marked: packet.marked,
            clp: false,
        };
        let waiting = Waiting {
            at: now,
            here,
            elsewhere,
        };
        if !self.admission.admits(&mut whole, size, waiting) {
            let dropped = Dropped {
                vc: vc.index(),
                pdu: Some(out.cargo.take(packet.frame).pdu),
                eom: true,
            };
            return self.admission.meter.refuse(now, dropped, size);
        }
        let leaving = Packet {
            vc,
            marked: whole.marked,
            ..packet
        };
        let start = self.free_at.max(now);
        if start > now {
            self.waiting.push_back((start, packet.octets));
            self.waiting_octets += size;
            if let Some(shares) = self.admission.shares() {
                shares.join_until(start, vc, packet.octets);
            }
        }
        self.free_at = start + self.rate.transmission(size * 8);
        if let Some(tap) = &mut self.tap {
            tap.note(Passing {
                at: start,
                inward: false,
                vc,
                frame: *out.cargo.get(packet.frame),
                marked: leaving.marked,
                fate: Fate::Whole,
            });
        }
        self.admission.meter.accept(
            vc.index(),
            size,
            true,
            start.since(now),
            self.waiting_octets,
        );
        out.send(self.output, self.free_at, Unit::Packet(leaving));
    }

    /// Octets that wait at `now`: the packet that starts at `now` has left the buffer.
    pub fn waiting(&mut self, now: Time) -> u64 {
        self.catch_up(now);
        self.queued(now)
    }

    /// The same, when the samples due until `now` have been taken.
    fn queued(&mut self, now: Time) -> u64 {
        while let Some((start, octets)) = self.waiting.front()
            && *start <= now
        {
            self.waiting_octets -= u64::from(*octets);
            self.waiting.pop_front();
        }
        self.waiting_octets
    }
}

impl Port for PacketPort {
    fn meter(&self) -> &PortMeter {
        &self.admission.meter
    }

    fn meter_mut(&mut self) -> &mut PortMeter {
        &mut self.admission.meter
    }

    fn capacity(&self) -> Capacity {
        Capacity {
            octets: 1,
            unit_time: 8.0 / self.rate.bits_per_second() as f64,
        }
    }

    fn backlog(&mut self, now: Time) -> Backlog {
        let waiting = self.waiting(now);
        let rest = self
            .waiting
            .iter()
            .map(|(start, octets)| u128::from(start.since(now).ps()) * u128::from(*octets));
        let next = self
            .waiting
            .front()
            .map_or(self.free_at, |(start, _)| *start);
        Backlog {
            waiting,
            rest: rest.sum(),
            serving: next.since(now),
        }
    }

    fn install(&mut self, tap: Tap) {
        self.tap = Some(Box::new(tap));
    }

    fn tap(&mut self) -> Option<&mut Tap> {
        self.tap.as_deref_mut()
    }

    fn record(&mut self, every: Duration) {
        self.queue = Some(Box::new(QueueSeries::new(every, 0, &[])));
        self.admission.meter.drops = Some(Box::default());
    }

    fn take_queue(&mut self, now: Time) -> Option<Box<QueueSeries>> {
        self.catch_up(now);
        self.queue.take()
    }
}
