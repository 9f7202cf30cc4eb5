//! The output port of a router: a buffer counted in octets, a scheduler and a link.
//!
//! Where packets leave in the order in which they came, the departure of each is known when it is
//! accepted, and it is committed to its link at once. In any other order they wait in queues, and the
//! next is chosen when the link becomes free.

use kernel::{Duration, Rate, Time};

use super::queue::{Chosen, InOrder};
use crate::cell::{Cell, Kind};
use crate::metrics::{Backlog, Capacity, Dropped, Elapsed, PortMeter, QueueSeries};
use crate::output::admission::{Admission, Waiting};
use crate::output::scheduler::Service;
use crate::output::transmitter::Transmitter;
use crate::port::Port;
use crate::tap::Tap;
use crate::unit::{Outlet, Packet};
use crate::vc::Vc;

/// An output port.
pub struct PacketPort {
    /// The way onto the link.
    pub transmitter: Transmitter,
    rate: Rate,
    admission: Admission,
    /// When the last packet has been sent that was committed to the link.
    free_at: Time,
    queue: Queue,
    /// The queue over time in octets, if it is recorded.
    series: Option<Box<QueueSeries>>,
}

enum Queue {
    /// Committed to the link when accepted.
    InOrder(InOrder),
    /// Committed when the link becomes free for them.
    Chosen(Box<Chosen>),
}

impl PacketPort {
    /// An empty port of `vcs` channels.
    pub fn new(
        transmitter: Transmitter,
        rate: Rate,
        admission: Admission,
        service: Service,
        vcs: usize,
    ) -> PacketPort {
        PacketPort {
            transmitter,
            rate,
            admission,
            free_at: Time::ZERO,
            queue: match service {
                Service::InOrder => Queue::InOrder(InOrder::default()),
                Service::Chosen { scheduler, .. } => {
                    Queue::Chosen(Box::new(Chosen::new(scheduler, vcs)))
                }
            },
            series: None,
        }
    }

    #[inline]
    fn catch_up(&mut self, now: Time) {
        if self.series.is_some() {
            self.sample(now);
        }
    }

    /// Records what waited until `now`, since when nothing has changed.
    #[cold]
    fn sample(&mut self, now: Time) {
        let Some(mut series) = self.series.take() else {
            return;
        };
        series
            .all
            .catch_up(now, |sampled| self.queued(sampled) as f64);
        if let Queue::Chosen(queue) = &self.queue {
            for (vc, of_vc) in (0u32..).map(Vc).zip(&mut series.by_vc) {
                let first = queue.first().filter(|first| first.vc == vc);
                let starting = first.map_or(0, |first| u64::from(first.octets));
                of_vc.catch_up(now, |sampled| {
                    let gone = if self.free_at <= sampled { starting } else { 0 };
                    (queue.octets_on(vc) - gone) as f64
                });
            }
        }
        self.series = Some(series);
    }

    /// Offers a packet to the buffer, from which it leaves under label `vc`. It finds there what waited
    /// at the instant `seen`, which is `now` or just before, and so many octets `elsewhere` in the same
    /// memory.
    // A call for each packet would cost as much as half of what happens here.
    #[allow(clippy::inline_always)]
    #[inline(always)]
    pub fn offer(
        &mut self,
        now: Time,
        seen: Time,
        packet: Packet,
        vc: Vc,
        elsewhere: u64,
        out: &mut Outlet<'_>,
    ) {
        let size = u64::from(packet.octets);
        let here = self.waiting_for(seen, vc);
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
        self.accept(now, leaving, out);
    }

    #[allow(clippy::inline_always)]
    #[inline(always)]
    fn accept(&mut self, now: Time, packet: Packet, out: &mut Outlet<'_>) {
        let Queue::InOrder(queue) = &mut self.queue else {
            return self.accept_to_be_chosen(now, packet, out);
        };
        let start = self.free_at.max(now);
        queue.accept(now, start, packet.octets);
        let (vc, size) = (packet.vc.index(), u64::from(packet.octets));
        let wait = start.since(now);
        let meter = &mut self.admission.meter;
        meter.accept(vc, size, true, wait, queue.octets());
        if let Some(shares) = self.admission.shares() {
            shares.join_until(start, packet.vc, packet.octets);
        }
        self.start(start, packet, out);
    }

    #[inline(never)]
    fn accept_to_be_chosen(&mut self, now: Time, packet: Packet, out: &mut Outlet<'_>) {
        self.elapsed(now);
        let Queue::Chosen(queue) = &mut self.queue else {
            unreachable!("what leaves in order starts when it is accepted")
        };
        let starts = queue.accept(&packet, self.free_at <= now);
        let (vc, size) = (packet.vc.index(), u64::from(packet.octets));
        let meter = &mut self.admission.meter;
        meter.accept(vc, size, true, Duration::ZERO, queue.octets());
        if starts {
            self.start(now, packet, out);
        } else if let Some(shares) = self.admission.shares() {
            shares.join(packet.vc, packet.octets);
        }
    }

    /// Commits a packet that starts at `start` to the link.
    // A call for each packet would cost more than all that happens here.
    #[allow(clippy::inline_always)]
    #[inline(always)]
    fn start(&mut self, start: Time, packet: Packet, out: &mut Outlet<'_>) {
        self.free_at = start + self.time(&packet);
        self.transmitter.packet(start, self.free_at, &packet, out);
    }

    /// Time to send a packet.
    fn time(&self, packet: &Packet) -> Duration {
        self.rate.transmission(u64::from(packet.octets) * 8)
    }

    /// Whether the port starts packets by itself, rather than commit them when they are accepted.
    pub fn acts(&self) -> bool {
        matches!(self.queue, Queue::Chosen(_))
    }

    /// When the port next starts a packet by itself, [`Time::NEVER`] if those it has are committed.
    pub fn next_service(&self) -> Time {
        match &self.queue {
            Queue::Chosen(queue) if queue.octets() > 0 => self.free_at,
            _ => Time::NEVER,
        }
    }

    /// Starts a packet at `now`, which is [`PacketPort::next_service`].
    pub fn serve(&mut self, now: Time, out: &mut Outlet<'_>) {
        self.catch_up(now);
        self.elapsed(now);
        let Queue::Chosen(queue) = &mut self.queue else {
            unreachable!("what leaves in order has started when it was accepted")
        };
        let packet = queue.pop();
        if let Some(shares) = self.admission.shares() {
            shares.leave(packet.vc, packet.octets);
        }
        self.start(now, packet, out);
    }

    /// Counts how long octets have waited until `now`, before what waits changes, where that was not
    /// known when they were accepted.
    fn elapsed(&mut self, now: Time) {
        if let Queue::Chosen(queue) = &mut self.queue {
            let waited = queue.waited(now);
            self.admission.meter.elapsed(Elapsed {
                waited,
                ..Elapsed::default()
            });
        }
    }

    /// Octets that wait at `now`: the packet that starts at `now` has left the buffer.
    #[inline]
    pub fn waiting(&mut self, now: Time) -> u64 {
        self.catch_up(now);
        self.queued(now)
    }

    /// The same, of what a packet of a channel finds in its buffer.
    #[inline]
    fn waiting_for(&mut self, now: Time, vc: Vc) -> u64 {
        let all = self.waiting(now);
        match &self.queue {
            // What is due has started before anything arrives.
            Queue::Chosen(queue) if self.admission.is_by_channel() => queue.octets_on(vc),
            Queue::InOrder(_) | Queue::Chosen(_) => all,
        }
    }

    /// Octets that wait at `now`, when the samples due until then have been taken.
    #[inline]
    fn queued(&mut self, now: Time) -> u64 {
        match &mut self.queue {
            Queue::InOrder(queue) => queue.waiting(now),
            Queue::Chosen(queue) => {
                let first = queue.first().filter(|_| self.free_at <= now);
                queue.octets() - first.map_or(0, |packet| u64::from(packet.octets))
            }
        }
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
        self.elapsed(now);
        let (rest, until) = match &self.queue {
            Queue::InOrder(queue) => (queue.rest(now), queue.next_start().unwrap_or(self.free_at)),
            // How long packets will wait is not known.
            Queue::Chosen(queue) => match queue.first() {
                Some(first) if self.free_at <= now => (0, now + self.time(first)),
                _ => (0, self.free_at),
            },
        };
        Backlog {
            waiting,
            rest,
            serving: until.since(now),
        }
    }

    fn install(&mut self, tap: Tap) {
        self.transmitter.install(tap);
    }

    fn tap(&mut self) -> Option<&mut Tap> {
        self.transmitter.tap_mut()
    }

    fn record(&mut self, every: Duration) {
        let vcs = match &self.queue {
            Queue::InOrder(_) => 0,
            Queue::Chosen(queue) => queue.channels(),
        };
        self.series = Some(Box::new(QueueSeries::new(every, vcs, &[])));
        self.admission.meter.drops = Some(Box::default());
    }

    fn take_queue(&mut self, now: Time) -> Option<Box<QueueSeries>> {
        self.catch_up(now);
        self.series.take()
    }
}
