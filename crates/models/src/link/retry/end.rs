//! One end of a link with retry: the sender of one direction, the receiver of the other, and the
//! order in which they use the link. Our own order: ordered sets go first, then control frames without
//! a number, then replays, then new frames, and none interrupts a transmission.

use kernel::{Duration, Rate, RememberingRate, Time};

use super::{BufferedFrameFate, FrameBody, NumberedFrame, RetryLimits, RetryReceiver, RetrySender};
use crate::link::line::Line;
use crate::link::loss::LossyEnd;
use crate::metrics::RetryMeter;
use crate::wire::between::ordered_set::OrderedSet;
use crate::wire::contents::Cargo;

/// One end of a link with retry.
#[derive(Clone, Debug)]
pub struct RetryEnd {
    /// The sender of the direction that begins here.
    pub sender: RetrySender,
    /// The receiver of the direction that ends here.
    pub receiver: RetryReceiver,
    /// Counts of this end.
    pub meter: RetryMeter,
    rate: RememberingRate,
    spacing: Duration,
    /// End of the last transmission of a new packet or a control frame.
    packet_until: Time,
    /// Earliest start of the next acknowledgment.
    ack_at: Time,
    /// Number of the last frame that has arrived in order, or will.
    arriving: u64,
}

/// The next act of the end of a link, before any new packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RetryTurn {
    /// The replay timer expires.
    Timeout,
    /// An ordered set is sent.
    Set(OrderedSet),
    /// A frame is replayed.
    Replay(NumberedFrame),
}

impl RetryEnd {
    /// An end of a link of this rate, before its first frame.
    pub fn new(limits: RetryLimits, rate: Rate) -> RetryEnd {
        RetryEnd {
            sender: RetrySender::new(limits),
            receiver: RetryReceiver::default(),
            meter: RetryMeter::default(),
            rate: rate.into(),
            spacing: limits.spacing,
            packet_until: Time::ZERO,
            ack_at: Time::ZERO,
            arriving: 0,
        }
    }

    /// End of the last transmission of a new packet or a control frame.
    pub fn packet_until(&self) -> Time {
        self.packet_until
    }

    /// The next ordered set, and the earliest time at which it may be sent.
    fn next_set(&self, line: Line) -> Option<(Time, OrderedSet)> {
        if let Some(set) = self.receiver.urgent() {
            return Some((line.free_at(), set));
        }
        let ack = self.receiver.ack().map(|ack| (self.ack_at, ack));
        let sets = ack.into_iter().chain(self.sender.init());
        let (at, set) = sets.min_by_key(|(at, _)| *at)?;
        Some((at.max(line.free_at()), set))
    }

    /// Time of the next turn; [`Time::NEVER`] if none is to come.
    pub fn next_turn(&self, line: Line) -> Time {
        let set = self.next_set(line).map_or(Time::NEVER, |(at, _)| at);
        let replay = self.sender.replay().map_or(Time::NEVER, |_| line.free_at());
        self.sender.deadline().min(set).min(replay)
    }

    /// The turn that is due at `now`; no replay if a control frame `waits`, which goes first.
    pub fn turn(&self, now: Time, waits: bool, line: Line) -> Option<RetryTurn> {
        if self.sender.deadline() <= now {
            return Some(RetryTurn::Timeout);
        }
        if let Some((at, set)) = self.next_set(line)
            && at <= now
        {
            return Some(RetryTurn::Set(set));
        }
        let is_free = line.free_at() <= now && !waits;
        let replay = self.sender.replay().filter(|_| is_free);
        replay.map(RetryTurn::Replay)
    }

    /// True if no new frame may start: the replay buffer is full, or is replayed.
    pub fn is_blocked(&self) -> bool {
        self.sender.is_blocked()
    }

    /// True if no new packet may be sent at `now`, or as soon as the link is free: the sender is
    /// blocked, or an ordered set goes first.
    pub fn holds_packets(&self, now: Time, line: Line) -> bool {
        let next = line.free_at().max(now);
        self.is_blocked() || self.next_set(line).is_some_and(|(at, _)| at <= next)
    }

    /// A new packet, a message about credits or another control frame is sent until `end`; returns true
    /// if it is numbered, and so goes into the replay buffer if it is a packet or a `CC_Update`.
    pub fn takes(&mut self, end: Time) -> bool {
        self.packet_until = end;
        !self.sender.is_flushing()
    }

    /// A frame goes onto the link and arrives whole; returns true if the other end will accept it.
    ///
    /// The other end accepts frames in order, and nothing overtakes on a link, so this is known now;
    /// the protocol makes no use of it.
    pub fn launch(&mut self, number: u64) -> bool {
        let is_next = number == self.arriving + 1;
        self.arriving += u64::from(is_next);
        is_next
    }

    /// An INIT goes onto the link and arrives: the other end will accept the frame `next`.
    pub fn launch_init(&mut self, next: u64) {
        self.arriving = next - 1;
    }

    /// The replay timer expires at `now`.
    pub fn time_out(&mut self, now: Time) {
        self.meter.time_out();
        if self.sender.on_timeout(now) {
            self.meter.flush();
        }
    }

    /// Sends an ordered set at `now`; returns the end of its transmission.
    pub fn send_set(&mut self, now: Time, set: OrderedSet, line: &mut Line) -> Time {
        let end = self.occupy(now, OrderedSet::OCTETS, line);
        self.receiver.sent(set);
        match set {
            OrderedSet::Init { .. } => self.sender.init_sent(end),
            OrderedSet::Ack { .. } => {
                self.ack_at = now + self.spacing;
                self.meter.send_ack();
            }
            OrderedSet::Nack { .. } => self.meter.send_nack(),
            OrderedSet::InitEcho { .. } => {}
        }
        end
    }

    /// Replays the frame that is next, at `now`; returns the end of its transmission.
    pub fn send_replay(&mut self, now: Time, frame: &NumberedFrame, line: &mut Line) -> Time {
        let end = self.occupy(now, u64::from(frame.body.octets()), line);
        self.sender.replayed(end);
        self.meter.replay(end, end.since(now));
        end
    }

    /// Takes an ordered set of the other end. What it says has arrived, or is given up, leaves the
    /// replay buffer and the network, and is settled with the losses of the link.
    pub fn take_set(&mut self, now: Time, set: OrderedSet, loss: &mut LossyEnd, cargo: &mut Cargo) {
        let RetryEnd {
            sender,
            receiver,
            meter,
            ..
        } = self;
        match set {
            OrderedSet::Ack { last } => {
                sender.on_ack(now, last, |body| settle(body, meter, loss, cargo));
            }
            OrderedSet::Nack { last } => {
                if sender.on_nack(now, last, |body| settle(body, meter, loss, cargo)) {
                    meter.flush();
                }
            }
            OrderedSet::Init { next } => receiver.on_init(next),
            OrderedSet::InitEcho { next, last } => {
                sender.on_echo(now, next, last, |body, fate| match (fate, body) {
                    (BufferedFrameFate::Arrived, body) => settle(body, meter, loss, cargo),
                    (BufferedFrameFate::GivenUp, FrameBody::Packet(packet)) => {
                        meter.give_up();
                        loss.give_up(now, &packet, cargo);
                    }
                    (BufferedFrameFate::GivenUp, FrameBody::CcUpdate(_)) => meter.give_up_update(),
                });
            }
        }
    }

    /// Occupies the line from `now` on for `octets`, which belong to no new packet.
    fn occupy(&mut self, now: Time, octets: u64, line: &mut Line) -> Time {
        let time = self.rate.transmission(8 * octets);
        let end = line.occupy(now, time);
        self.meter.occupy(end, time);
        end
    }
}

/// A frame of the replay buffer has arrived: a packet of it leaves the network, and counts as carried.
fn settle(body: FrameBody, meter: &mut RetryMeter, loss: &mut LossyEnd, cargo: &mut Cargo) {
    if let FrameBody::Packet(packet) = body {
        loss.settle();
        cargo.take(packet.contents);
        meter.remove();
    }
}
