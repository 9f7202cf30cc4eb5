//! The sending ends of the connections of a flow: arrivals, slots and completions.

use kernel::Time;

use super::{Factory, IdlePath};
use crate::agenda::Agenda;
use crate::metrics::{
    Completion, ConnectionMeter, ConnectionOutcome, Halves, Limit, ListedConnection, MessageEnd,
    SenderMeter, Underway,
};
use crate::traffic::connections::Calls;
use crate::traffic::length::Messages;
use crate::transport::{Segment, Sender, Transmit};
use crate::wire::connection::{ConnectionId, LONGEST_CONNECTION};

/// The sending ends of all live connections.
pub struct SendingConnections {
    factory: Factory,
    calls: Calls,
    idle: IdlePath,
    /// Octets of the packet that acknowledges the FIN of the other end.
    last: u64,
    slots: Vec<Slot>,
    /// Slots without a connection; the last is used first.
    free: Vec<u16>,
    /// Next timer of each slot.
    agenda: Agenda,
    meter: SenderMeter,
    counts: ConnectionMeter,
    /// Number of connections that have been opened.
    opened: u64,
    /// User octets of completed connections.
    completed: u64,
    /// All connections in the order of their arrivals, if they are listed.
    list: Option<Vec<ListedConnection>>,
}

/// A slot, with the generation of its present or next connection.
struct Slot {
    generation: u16,
    live: Option<Live>,
}

/// A connection that is open.
struct Live {
    sender: Box<dyn Sender>,
    /// User octets to send.
    size: u64,
    opened: Time,
    /// Its place in the list of connections.
    place: usize,
}

impl SendingConnections {
    /// A flow before its first connection.
    pub fn new(factory: Factory, calls: Calls, idle: IdlePath) -> SendingConnections {
        let last = factory.transport.facts().last_acknowledgment;
        SendingConnections {
            last: last.expect("lowering refuses transports without a close"),
            factory,
            calls,
            idle,
            slots: Vec::new(),
            free: Vec::new(),
            agenda: Agenda::new(std::iter::empty()),
            meter: SenderMeter::default(),
            counts: ConnectionMeter::default(),
            opened: 0,
            completed: 0,
            list: None,
        }
    }

    /// Opens a connection for each arrival until `now`.
    fn open_arrived(&mut self, now: Time, out: &mut dyn Transmit) {
        while self.calls.arrivals.next() <= now {
            let stated = self.calls.arrivals.take();
            let drawn = self.calls.sizes.as_mut().map(Messages::draw);
            let size = stated.or(drawn).unwrap_or(1).min(LONGEST_CONNECTION);
            self.arrive(now, size, out);
        }
    }

    /// A connection arrives, and is opened or refused.
    fn arrive(&mut self, now: Time, size: u64, out: &mut dyn Transmit) {
        let slot = self.take_slot();
        self.counts.arrived(now, slot.is_none());
        self.enlist(now, size, slot.is_none());
        match slot {
            Some(slot) => self.open(now, slot, size, out),
            None => self.calls.arrivals.on_completed(now),
        }
    }

    /// Adds an arrival to the list of connections, if there is one.
    fn enlist(&mut self, now: Time, size: u64, is_refused: bool) {
        let Some(list) = &mut self.list else {
            return;
        };
        list.push(ListedConnection {
            arrived: now,
            size,
            class: self.calls.class(size),
            idle: self.idle.time(size),
            packets: 0,
            retransmitted: 0,
            timeouts: 0,
            outcome: if is_refused {
                ConnectionOutcome::Refused
            } else {
                ConnectionOutcome::Open
            },
        });
    }

    /// A slot without a connection; none if as many as allowed are open.
    fn take_slot(&mut self) -> Option<u16> {
        if let Some(slot) = self.free.pop() {
            return Some(slot);
        }
        let slot = self.slots.len();
        if slot >= self.calls.most {
            return None;
        }
        self.slots.push(Slot {
            generation: 0,
            live: None,
        });
        self.agenda.add_owner(slot);
        u16::try_from(slot).ok()
    }

    fn open(&mut self, now: Time, slot: u16, size: u64, out: &mut dyn Transmit) {
        let mut sender = self.factory.sender(self.opened);
        self.opened += 1;
        // The counts of a new connection begin with those of the flow.
        self.meter.take_from(sender.meter());
        self.slots[usize::from(slot)].live = Some(Live {
            sender,
            size,
            opened: now,
            place: self.list.as_ref().map_or(0, |list| list.len() - 1),
        });
        self.act(now, now, slot, out, |sender, out| {
            sender.write(now, size, out);
        });
    }

    /// Lets the sender of a slot act, and counts what it does; the latest of the octets that it then
    /// knows to have arrived did so at `arrived`.
    fn act(
        &mut self,
        now: Time,
        arrived: Time,
        slot: u16,
        out: &mut dyn Transmit,
        act: impl FnOnce(&mut dyn Sender, &mut dyn Transmit),
    ) {
        let owner = usize::from(slot);
        let generation = self.slots[owner].generation;
        let Some(live) = &mut self.slots[owner].live else {
            return;
        };
        let mut numbered = Numbered {
            id: ConnectionId { slot, generation },
            size: live.size,
            out,
        };
        act(&mut *live.sender, &mut numbered);
        let latest = live.sender.meter();
        if let Some(list) = &mut self.list {
            list[live.place].count(latest);
        }
        self.meter.take_from(latest);
        if live.sender.acknowledged() >= live.size {
            self.complete(now, arrived, owner);
        } else {
            self.agenda.arm(owner, live.sender.next_wake());
        }
    }

    /// Frees the slot of a connection whose data had arrived at `arrived`.
    fn complete(&mut self, now: Time, arrived: Time, owner: usize) {
        let slot = &mut self.slots[owner];
        let live = slot.live.take().expect("a live connection is completed");
        slot.generation = slot.generation.wrapping_add(1);
        self.free.push(owner as u16);
        self.completed += live.size;
        if let Some(list) = &mut self.list {
            list[live.place].outcome = ConnectionOutcome::Completed(arrived.since(live.opened));
        }
        let completion = Completion {
            began: live.opened,
            arrived,
            idle: self.idle.time(live.size),
            class: self.calls.class(live.size),
        };
        self.counts.completed(now, completion);
        self.calls.arrivals.on_completed(now);
    }

    /// Acknowledges the FIN of the other end in `answer`, as in TIME-WAIT: RFC 9293, section
    /// 3.10.7.4.
    fn acknowledge_fin(&mut self, now: Time, answer: &Segment, out: &mut dyn Transmit) {
        self.meter.sent(now, 0, true);
        let mut last = Segment::acknowledgment(answer.number());
        last.seq = answer.ack;
        out.transmit(now, last, self.last);
    }
}

impl Sender for SendingConnections {
    /// Opens a connection for the octets.
    fn write(&mut self, now: Time, octets: u64, out: &mut dyn Transmit) {
        self.arrive(now, octets.min(LONGEST_CONNECTION), out);
    }

    fn receive(&mut self, now: Time, segment: &Segment, out: &mut dyn Transmit) {
        let id = ConnectionId::of(segment.ack);
        let slot = self.slots.get(usize::from(id.slot));
        if slot.is_some_and(|slot| slot.generation == id.generation) {
            let within = segment.within(id);
            let arrived = segment.arrival().unwrap_or(now);
            self.act(now, arrived, id.slot, out, |sender, out| {
                sender.receive(now, &within, out);
            });
        }
        // The last octet is acknowledged together with the FIN of the other end, so the connection
        // is completed by now, or was before.
        if segment.fin() {
            self.acknowledge_fin(now, segment, out);
        }
    }

    fn next_wake(&self) -> Time {
        self.calls.arrivals.next().min(self.agenda.next())
    }

    /// The next arrival is no timer, and without an open connection none runs.
    fn awaits_timer(&self) -> bool {
        self.counts.has_open() && self.agenda.next() < Time::NEVER
    }

    /// At one instant timers act before arrivals.
    fn wake(&mut self, now: Time, out: &mut dyn Transmit) {
        while let Some(owner) = self.agenda.pop(now) {
            self.act(now, now, owner as u16, out, |sender, out| {
                sender.wake(now, out);
            });
        }
        self.open_arrived(now, out);
    }

    fn meter(&mut self) -> &mut SenderMeter {
        &mut self.meter
    }

    fn acknowledged(&self) -> u64 {
        self.completed
    }

    fn limit(&self) -> Limit {
        Limit::Application
    }

    /// None: each connection has limits of its own.
    fn limits(&self) -> &'static [Limit] {
        &[]
    }

    fn begin_counting(&mut self, measured: Halves) {
        self.meter.begin(measured.from);
        self.counts.begin(measured);
    }

    fn connections(&self) -> Option<&ConnectionMeter> {
        Some(&self.counts)
    }

    fn underway(&self) -> Vec<Underway> {
        let slots = (0..=u16::MAX).zip(&self.slots);
        let live = slots.filter_map(|(slot, one)| {
            let generation = one.generation;
            let id = ConnectionId { slot, generation };
            one.live.as_ref().map(|live| (id, live))
        });
        live.map(|(id, live)| Underway {
            began: live.opened,
            end: MessageEnd::Connection(id.base()),
            idle: Some(self.idle.time(live.size)),
            class: self.calls.class(live.size),
            place: live.place,
        })
        .collect()
    }

    fn list_connections(&mut self) {
        self.list = Some(Vec::new());
    }

    fn listed_connections(&self) -> &[ListedConnection] {
        self.list.as_deref().unwrap_or_default()
    }
}

/// Sends the segments of a connection with its numbers, and the last octet with FIN.
struct Numbered<'a> {
    id: ConnectionId,
    size: u64,
    out: &'a mut dyn Transmit,
}

impl Transmit for Numbered<'_> {
    fn transmit(&mut self, now: Time, mut segment: Segment, octets: u64) {
        if segment.end() == self.size {
            segment = segment.with_fin();
        }
        self.out
            .transmit(now, segment.of_connection(self.id), octets);
    }
}
