//! The transmitter of a link with retry: it puts frames and ordered sets onto the link, and takes
//! those that arrive from its other end.
//!
//! Our own bookkeeping: a frame on the link is a copy with contents of its own, and the replay buffer
//! keeps the packet itself. So the contents in the buffer need not outlive what happens to the copy.
//! A capture shows the one copy that the other end accepts, so that all times of its packet agree.

use kernel::Time;

use super::Transmitter;
use crate::link::line::Line;
use crate::link::loss::FrameFate;
use crate::link::retry::{BufferedFrameFate, FrameBody, NumberedFrame, RetryEnd, RetryTurn};
use crate::link::tap::TappedPacket;
use crate::wire::between::ordered_set::OrderedSet;
use crate::wire::between::update_frame::UpdateFrame;
use crate::wire::between::{ControlFrame, RetryFrame};
use crate::wire::contents::Cargo;
use crate::wire::cyclic_count::CyclicCount;
use crate::wire::priority::ByPriority;
use crate::wire::unit::{Outlet, PacketUnit, Unit};

/// What a unit brings over a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Brought {
    /// A packet for the node.
    Packet(PacketUnit),
    /// A message for this end of the link: see [`control::take`](crate::link::control::take).
    Message(ControlFrame),
}

impl Transmitter {
    /// The same transmitter, of a link with retry.
    ///
    /// # Panics
    /// If the link has no lossy end, which counts what is given up.
    pub fn retrying(mut self, end: RetryEnd) -> Transmitter {
        assert!(self.loss().is_some(), "a link with retry has a lossy end");
        self.watch.get_or_insert_default().retry = Some(Box::new(end));
        self
    }

    /// Link-level retry, if the link has it.
    pub fn retry(&self) -> Option<&RetryEnd> {
        self.watch.as_ref()?.retry.as_deref()
    }

    /// Link-level retry, mutable.
    pub fn retry_mut(&mut self) -> Option<&mut RetryEnd> {
        self.watch.as_mut()?.retry.as_deref_mut()
    }

    /// Records, for a capture, a whole packet that starts at `start`.
    pub(super) fn note_packet(
        &mut self,
        [start, end]: [Time; 2],
        packet: &PacketUnit,
        out: &Outlet<'_>,
    ) {
        if let Some(tap) = self.tap_mut() {
            tap.note(TappedPacket {
                at: start,
                until: end,
                inward: false,
                vc: packet.vc,
                contents: *out.cargo.get(packet.contents),
                marked: packet.congestion.is_marked(),
                fate: packet.fate(),
            });
        }
    }

    /// Sends a packet for the first time, from `start` to `end`.
    pub(super) fn send_numbered(
        &mut self,
        start: Time,
        end: Time,
        packet: &PacketUnit,
        out: &mut Outlet<'_>,
    ) {
        let Some(retry) = self.retry_mut() else {
            return;
        };
        let frame = retry.sender.send(FrameBody::Packet(*packet), end);
        retry.meter.send_frame();
        self.launch(start, end, frame, out);
    }

    /// Sends a `CC_Update` for the first time, from `start` to `end`.
    pub(super) fn send_update(
        &mut self,
        start: Time,
        end: Time,
        consumed: ByPriority<CyclicCount>,
        out: &mut Outlet<'_>,
    ) {
        let Some(retry) = self.retry_mut() else {
            return;
        };
        let frame = retry.sender.send(FrameBody::CcUpdate(consumed), end);
        retry.meter.send_update();
        self.launch(start, end, frame, out);
    }

    /// Puts a copy of a buffered frame onto the link, from `start` to `end`, unless the link loses it.
    fn launch(&mut self, start: Time, end: Time, frame: NumberedFrame, out: &mut Outlet<'_>) {
        let output = self.output as usize;
        let NumberedFrame { body, number } = frame;
        let octets = u64::from(body.octets());
        let fate = self
            .loss_mut()
            .map(|loss| loss.fate_of_frame(start, octets));
        let Some(retry) = self.retry_mut() else {
            return;
        };
        match fate {
            None | Some(FrameFate::Whole) => {
                let is_next = retry.launch(number);
                let unit = match body {
                    FrameBody::Packet(packet) => {
                        if is_next {
                            self.note_packet([start, end], &packet, out);
                        }
                        self.copy(packet, number, out)
                    }
                    FrameBody::CcUpdate(consumed) => {
                        Unit::UpdateFrame(UpdateFrame::new(consumed, number))
                    }
                };
                out.send(output, end, unit);
            }
            Some(FrameFate::Damaged) => {
                retry.meter.lose();
                out.send(output, end, Unit::DamagedFrame);
            }
            Some(FrameFate::Lost) => retry.meter.lose(),
        }
    }

    /// A copy of a packet, with contents of its own.
    fn copy(&mut self, packet: PacketUnit, number: u64, out: &mut Outlet<'_>) -> Unit {
        if let Some(retry) = self.retry_mut() {
            retry.meter.copy();
        }
        let contents = *out.cargo.get(packet.contents);
        let contents = out.cargo.insert(contents);
        let packet = PacketUnit { contents, ..packet };
        Unit::Frame(RetryFrame { packet, number })
    }

    /// Does what link-level retry has to do at `now`; returns false if there is nothing. If a control
    /// frame `waits`, it goes before replays.
    pub fn act(&mut self, now: Time, waits: bool, line: &mut Line, out: &mut Outlet<'_>) -> bool {
        let Some(retry) = self.retry_mut() else {
            return false;
        };
        let Some(turn) = retry.turn(now, waits, *line) else {
            return false;
        };
        match turn {
            RetryTurn::Timeout => retry.time_out(now),
            RetryTurn::Set(set) => {
                let end = retry.send_set(now, set, line);
                let loss = self.loss_mut();
                if !loss.is_some_and(|loss| loss.loses_ordered_set(now, OrderedSet::OCTETS)) {
                    if let (OrderedSet::Init { next }, Some(retry)) = (set, self.retry_mut()) {
                        retry.launch_init(next);
                    }
                    out.send(self.output as usize, end, Unit::OrderedSet(set));
                }
            }
            RetryTurn::Replay(frame) => {
                let end = retry.send_replay(now, &frame, line);
                self.launch(now, end, frame, out);
            }
        }
        true
    }

    /// Takes a unit that arrives from the other end of the link; returns the packet or the message that
    /// it brings, if there is one.
    ///
    /// # Panics
    /// If the unit is one of link-level retry, and the link has none.
    pub fn take(&mut self, now: Time, unit: Unit, out: &mut Outlet<'_>) -> Option<Brought> {
        let retry = match unit {
            Unit::Packet(packet) | Unit::Credited(packet) => return Some(Brought::Packet(packet)),
            Unit::Control(frame) => return Some(Brought::Message(frame)),
            _ => self.retry_mut(),
        };
        let retry = retry.expect("only links with retry carry frames");
        match unit {
            Unit::Frame(RetryFrame { packet, number }) => {
                if retry.receiver.on_frame(number) {
                    retry.meter.accept();
                    return Some(Brought::Packet(packet));
                }
                retry.meter.discard();
                retry.meter.remove();
                out.cargo.take(packet.contents);
            }
            Unit::UpdateFrame(update) => {
                if retry.receiver.on_frame(update.number()) {
                    retry.meter.accept_update();
                    return Some(Brought::Message(ControlFrame::CcUpdate(update.consumed)));
                }
                retry.meter.discard();
            }
            Unit::DamagedFrame => retry.receiver.on_damaged(),
            Unit::OrderedSet(set) => self.take_set(now, set, out.cargo),
            Unit::Cells(_)
            | Unit::Packet(_)
            | Unit::Amendment(_)
            | Unit::Credited(_)
            | Unit::Control(_) => unreachable!("no unit of retry"),
        }
        None
    }

    fn take_set(&mut self, now: Time, set: OrderedSet, cargo: &mut Cargo) {
        let Some(watch) = self.watch.as_deref_mut() else {
            return;
        };
        let (Some(retry), Some(loss)) = (watch.retry.as_deref_mut(), watch.loss.as_mut()) else {
            return;
        };
        let RetryEnd {
            sender,
            receiver,
            meter,
            ..
        } = retry;
        let mut arrived = |body: FrameBody| {
            if let FrameBody::Packet(packet) = body {
                loss.settle();
                cargo.take(packet.contents);
                meter.remove();
            }
        };
        match set {
            OrderedSet::Ack { last } => sender.on_ack(now, last, arrived),
            OrderedSet::Nack { last } => {
                if sender.on_nack(now, last, &mut arrived) {
                    meter.flush();
                }
            }
            OrderedSet::Init { next } => receiver.on_init(next),
            OrderedSet::InitEcho { next, last } => {
                sender.on_echo(now, next, last, |body, fate| match (fate, body) {
                    (BufferedFrameFate::Arrived, FrameBody::Packet(packet)) => {
                        loss.settle();
                        cargo.take(packet.contents);
                        meter.remove();
                    }
                    (BufferedFrameFate::GivenUp, FrameBody::Packet(packet)) => {
                        meter.give_up();
                        loss.give_up(now, &packet, cargo);
                    }
                    (BufferedFrameFate::Arrived, FrameBody::CcUpdate(_)) => {}
                    (BufferedFrameFate::GivenUp, FrameBody::CcUpdate(_)) => meter.give_up_update(),
                });
            }
        }
    }
}
