//! The receiving ends of the connections of a flow.

use kernel::{Duration, Time};

use super::Factory;
use crate::agenda::Agenda;
use crate::transport::{Receiver, Segment, Transmit};
use crate::wire::connection::ConnectionId;

/// First timeout of a FIN: RFC 6298, section 2.1, without a round-trip time.
const FIRST_TIMEOUT: Duration = Duration::from_ms(1_000);

/// Largest timeout of a FIN: RFC 6298, section 2.4.
const LONGEST_TIMEOUT: Duration = Duration::from_ms(60_000);

/// The receiving ends of all live connections.
pub struct ReceivingConnections {
    factory: Factory,
    /// Slots that the sending end has used.
    slots: Vec<Slot>,
    /// Next timer of each slot.
    agenda: Agenda,
    /// Number of connections that have been opened.
    opened: u64,
}

/// A slot, with the latest connection in it; none before the first.
#[derive(Default)]
struct Slot {
    latest: Option<ConnectionId>,
    live: Option<Live>,
}

/// A connection that is open, or waits for the acknowledgment of its FIN.
struct Live {
    receiver: Box<dyn Receiver>,
    /// User octets that have arrived.
    arrived: u64,
    /// User octets of the connection, once a segment with FIN has arrived.
    size: Option<u64>,
    closing: Option<Closing>,
}

/// The state LAST-ACK: all data has arrived, and FIN is sent until it is acknowledged.
struct Closing {
    /// Time at which the last octet arrived.
    since: Time,
    timeout: Duration,
    deadline: Time,
}

impl Live {
    /// Time at which all data had arrived, in an answer at `now` that acknowledges all data.
    fn arrived(&self, now: Time) -> Time {
        self.closing.as_ref().map_or(now, |closing| closing.since)
    }

    fn next_wake(&self) -> Time {
        let closing = self.closing.as_ref();
        // A receiver that has all data has nothing more to tell.
        closing.map_or(self.receiver.next_wake(), |closing| closing.deadline)
    }
}

impl ReceivingConnections {
    /// A flow before its first connection.
    pub fn new(factory: Factory) -> ReceivingConnections {
        ReceivingConnections {
            factory,
            slots: Vec::new(),
            agenda: Agenda::new(std::iter::empty()),
            opened: 0,
        }
    }

    /// Opens the connection to which a segment belongs, if it is later than the last one in the
    /// slot; that one is then closed, since the other end has closed it.
    fn open_if_later(&mut self, id: ConnectionId) {
        let owner = usize::from(id.slot);
        if owner >= self.slots.len() {
            self.slots.resize_with(owner + 1, Slot::default);
            self.agenda.add_owner(owner);
        }
        let slot = &mut self.slots[owner];
        if slot.latest.is_none_or(|latest| id.is_after(latest)) {
            let receiver = self.factory.receiver(self.opened);
            self.opened += 1;
            *slot = Slot {
                latest: Some(id),
                live: Some(Live {
                    receiver,
                    arrived: 0,
                    size: None,
                    closing: None,
                }),
            };
        }
    }
}

impl Receiver for ReceivingConnections {
    fn receive(
        &mut self,
        now: Time,
        segment: &Segment,
        marked: bool,
        out: &mut dyn Transmit,
    ) -> u64 {
        let id = ConnectionId::of(segment.seq);
        let is_last = segment.len == 0 && !segment.flags.syn && !segment.is_probe();
        if segment.len > 0 || segment.flags.syn {
            self.open_if_later(id);
        }
        let owner = usize::from(id.slot);
        let Some(slot) = self.slots.get_mut(owner) else {
            return 0;
        };
        if slot.latest != Some(id) {
            return 0;
        }
        if is_last {
            // It acknowledges FIN; otherwise only probes of a closed window come without data.
            slot.live = None;
            return 0;
        }
        let Some(live) = &mut slot.live else {
            return 0;
        };
        let segment = segment.within(id);
        if segment.fin() {
            live.size = Some(segment.end());
        }
        let mut answers = Answers {
            id,
            size: live.size,
            arrived: live.arrived(now),
            is_closed: false,
            out,
        };
        let new = live.receiver.receive(now, &segment, marked, &mut answers);
        live.arrived += new;
        if live.size == Some(live.arrived) && live.closing.is_none() {
            if !answers.is_closed {
                live.receiver.acknowledge_now(now, &mut answers);
            }
            live.closing = Some(Closing {
                since: now,
                timeout: FIRST_TIMEOUT,
                deadline: now + FIRST_TIMEOUT,
            });
        }
        self.agenda.arm(owner, live.next_wake());
        new
    }

    fn completed(&self, first: u64) -> Option<Time> {
        let id = ConnectionId::of(first);
        let slot = self.slots.get(usize::from(id.slot))?;
        let live = slot.live.as_ref().filter(|_| slot.latest == Some(id))?;
        Some(live.closing.as_ref()?.since)
    }

    fn next_wake(&self) -> Time {
        self.agenda.next()
    }

    fn wake(&mut self, now: Time, out: &mut dyn Transmit) {
        while let Some(owner) = self.agenda.pop(now) {
            let Slot {
                latest: Some(id),
                live: Some(live),
            } = &mut self.slots[owner]
            else {
                continue;
            };
            let mut answers = Answers {
                id: *id,
                size: live.size,
                arrived: live.arrived(now),
                is_closed: false,
                out,
            };
            if live.closing.is_none() && live.receiver.next_wake() <= now {
                live.receiver.wake(now, &mut answers);
            }
            if let Some(closing) = &mut live.closing
                && closing.deadline <= now
            {
                live.receiver.acknowledge_now(now, &mut answers);
                // RFC 6298, section 5.5.
                closing.timeout = (closing.timeout * 2).min(LONGEST_TIMEOUT);
                closing.deadline = now + closing.timeout;
            }
            self.agenda.arm(owner, live.next_wake());
        }
    }
}

/// Sends the answers of a connection with its numbers, and with FIN if they acknowledge all data.
struct Answers<'a> {
    id: ConnectionId,
    size: Option<u64>,
    /// Time at which all data had arrived, in an answer that acknowledges all data.
    arrived: Time,
    /// True if FIN was sent.
    is_closed: bool,
    out: &'a mut dyn Transmit,
}

impl Transmit for Answers<'_> {
    fn transmit(&mut self, now: Time, mut segment: Segment, octets: u64) {
        if Some(segment.ack) == self.size {
            segment = segment.with_fin().with_arrival(self.arrived);
            self.is_closed = true;
        }
        self.out
            .transmit(now, segment.of_connection(self.id), octets);
    }
}
