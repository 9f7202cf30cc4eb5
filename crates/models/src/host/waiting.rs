//! Packets that wait at an interface until they start, since the link may be paused, has credits for
//! packets, or has link-level retry.
//!
//! They wait as at an output of a router: a packet joins the queue of its priority, and of the
//! priorities that are not held back, the packet that was handed over first goes first. IEEE 802.1Qbb,
//! 2011, clause 36: a packet that has started is not interrupted. A host takes in each packet at once,
//! so it pauses no link, and credits are free again when a packet arrives.

use kernel::{Duration, Rate, Time};

use super::backlog::VcBacklog;
use super::nic::Nic;
use crate::link::control::{self, ControlMessage};
use crate::link::credit::{CbfcReceiver, CbfcSender};
use crate::link::gate::PacketGate;
use crate::link::retry::RetryEnd;
use crate::link::transmitter::{Brought, Transmitter};
use crate::output::ScheduledQueue;
use crate::output::memory::Memory;
use crate::output::scheduler::Scheduling;
use crate::wire::class::Class;
use crate::wire::format::CellFormat;
use crate::wire::priority::Priority;
use crate::wire::unit::{Outlet, PacketUnit, Unit};

/// The packets of an interface that wait until they start.
pub struct WaitingPackets {
    queue: ScheduledQueue<PacketUnit>,
    rate: Rate,
    /// The receiving end of the link, if it has credits for packets.
    pub receiver: Option<CbfcReceiver>,
    /// Time of the next act; [`Time::NEVER`] if none is to come.
    next_act: Time,
    /// By virtual channel, the time in which packets wait; none on a link with retry alone.
    vcs: Option<Box<[VcBacklog]>>,
    /// End of the transmission of the last packet or message that has started. On a link with retry
    /// alone, of the last packet that was handed over, as far as is known: a replay may delay it.
    left: Time,
}

impl WaitingPackets {
    /// No packets, at an interface to a link of this rate whose virtual channels have these priorities.
    /// The link has a `gate`, or a `receiver` of credits, or neither but retry.
    pub fn new(
        gate: Option<PacketGate>,
        receiver: Option<CbfcReceiver>,
        priorities: &[Priority],
        rate: Rate,
        cells: CellFormat,
    ) -> WaitingPackets {
        let counts = gate.is_some() || receiver.is_some();
        let scheduling = match gate {
            Some(gate) => Scheduling::by_arrival(priorities, gate),
            None => Scheduling::one_by_one(),
        };
        let vcs = priorities.len();
        // A host has all the memory that it needs.
        let memory = Memory::new(None, cells).for_packets();
        let mut packets = WaitingPackets {
            // A packet that finds the link idle waits for the next act of the host all the same; with
            // retry alone that act follows at once.
            queue: ScheduledQueue::new(scheduling, &vec![Class::Ubr; vcs], true, memory),
            rate,
            receiver,
            next_act: Time::NEVER,
            vcs: counts.then(|| vec![VcBacklog::default(); vcs].into()),
            left: Time::ZERO,
        };
        packets.reschedule(Time::ZERO, None);
        packets
    }

    /// The gate of the link, if it may be paused or packets need credits.
    pub fn gate(&self) -> Option<&PacketGate> {
        self.queue.packet_gate()
    }

    /// The sending end of the credits for packets, if the link has any.
    pub fn credit(&self) -> Option<&CbfcSender> {
        self.gate().and_then(PacketGate::credit)
    }

    /// Time of the next act; [`Time::NEVER`] if none is to come.
    #[inline]
    pub fn next_act(&self) -> Time {
        self.next_act
    }

    /// Time by which the packets that were handed over have left, as far as is known.
    pub fn left(&self) -> Time {
        self.left
    }

    /// True if the time in which packets wait is counted.
    pub fn counts_waits(&self) -> bool {
        self.vcs.is_some()
    }

    /// Number of packets that have not started.
    pub fn unstarted(&self) -> u64 {
        self.queue.unstarted()
    }

    /// Time until `now` in which packets of a virtual channel waited or were being sent, since
    /// counting began; none if it is not counted.
    pub fn waited(&self, now: Time, vc: usize) -> Option<Duration> {
        self.vcs.as_ref().map(|vcs| vcs[vc].until(now))
    }

    /// Restarts the counts at `now`.
    pub fn begin_counting(&mut self, now: Time) {
        if let Some(gate) = self.queue.packet_gate_mut() {
            gate.begin_counting(now);
        }
        if let Some(receiver) = &mut self.receiver {
            receiver.begin_counting();
        }
        let vcs = self.vcs.iter_mut().flatten();
        vcs.for_each(|vc| vc.begin(now));
    }

    /// A packet is handed over at `now`.
    fn push(&mut self, now: Time, packet: &PacketUnit) {
        if let Some(vcs) = &mut self.vcs {
            vcs[packet.vc.index()].push(now);
        } else {
            let begins = self.left.max(self.queue.line().free_at()).max(now);
            self.left = begins + self.time(packet.octets);
        }
        let starts = self.queue.accept(now, packet, self.rate);
        debug_assert!(!starts, "packets start in an act of the host");
        self.queue.on_wait(packet.vc);
    }

    /// Time to send `octets`.
    fn time(&self, octets: u32) -> Duration {
        self.rate.transmission(u64::from(octets) * 8)
    }

    /// Time at which the far end is next to be told something.
    fn due_at(&self, retry: Option<&RetryEnd>) -> Time {
        let is_blocked = retry.is_some_and(RetryEnd::is_blocked);
        control::due_at(None, self.receiver.as_ref(), self.credit(), is_blocked)
    }

    /// The message that starts at `now`, if one is due.
    fn message(&mut self, now: Time, retry: Option<&RetryEnd>) -> Option<ControlMessage> {
        let gate = self.queue.packet_gate_mut();
        let used = gate.and_then(PacketGate::credit_mut);
        let is_blocked = retry.is_some_and(RetryEnd::is_blocked);
        control::message(now, None, self.receiver.as_mut(), used, is_blocked)
    }

    fn next_change(&self) -> Time {
        self.gate().map_or(Time::NEVER, PacketGate::next_change)
    }

    /// Holds packets back at `now`, or lets them start, as retry demands.
    fn hold(&mut self, now: Time, retry: Option<&RetryEnd>) {
        if let Some(retry) = retry {
            let is_held = retry.holds_packets(now, self.queue.line());
            self.queue.hold(now, is_held);
        }
    }

    /// After an event at `now`, holds packets back as retry demands, and sets the time of the next act.
    fn reschedule(&mut self, now: Time, retry: Option<&RetryEnd>) {
        self.hold(now, retry);
        let line = self.queue.line();
        let turn = retry.map_or(Time::NEVER, |retry| retry.next_turn(line));
        let next = self.next_change().min(turn);
        let told_at = self.due_at(retry).max(line.free_at());
        let started_at = self.queue.next_service();
        self.next_act = next.min(told_at).min(started_at).max(now);
    }

    /// A packet that needed credits arrives, and is taken in.
    fn take_in(&mut self, packet: &PacketUnit) {
        if let Some(receiver) = &mut self.receiver {
            let priority = receiver.priority(packet.vc.index());
            receiver.consume(priority, packet.octets);
            receiver.free(priority, packet.octets);
        }
    }

    /// Does one thing that is due at `now`: begins and ends pauses, then does what link-level retry has
    /// to do, or starts a message or a packet.
    fn act(&mut self, now: Time, transmitter: &mut Transmitter, out: &mut Outlet<'_>) -> Act {
        self.queue.change_pauses(now);
        let tells = self.due_at(transmitter.retry()) <= now;
        if transmitter.act(now, tells, self.queue.line_mut(), out) {
            return Act::Done;
        }
        if self.queue.line().free_at() > now {
            return Act::Nothing;
        }
        if let Some(message) = self.message(now, transmitter.retry()) {
            let time = self.time(message.octets);
            self.queue.send_control(now, time);
            self.left = now + time;
            transmitter.control(now, self.left, message, out);
            return Act::Done;
        }
        self.hold(now, transmitter.retry());
        if self.queue.next_service() > now {
            return Act::Nothing;
        }
        let packet = self.queue.serve(now, self.rate).unit;
        let end = self.queue.line().free_at();
        if let Some(vcs) = &mut self.vcs {
            vcs[packet.vc.index()].start(end);
            self.left = end;
        }
        Act::Starts(packet, end)
    }
}

/// One act of an interface on whose link packets wait.
enum Act {
    /// Nothing was due.
    Nothing,
    /// Retry has acted, or a message has started.
    Done,
    /// A packet starts, whose transmission ends at this time.
    Starts(PacketUnit, Time),
}

impl Nic {
    /// Takes a packet that waits until it starts. On a link with retry alone it starts within the call,
    /// if it may; on others in an act of its own, behind the timers of this instant.
    pub(super) fn push_waiting(&mut self, now: Time, packet: &PacketUnit, out: &mut Outlet<'_>) {
        let Some(waiting) = &mut self.waiting else {
            return;
        };
        waiting.push(now, packet);
        if waiting.counts_waits() {
            waiting.reschedule(now, self.transmitter.retry());
        } else {
            self.serve_waiting(now, out);
        }
    }

    /// Takes a unit of a link with pauses, credits for packets or retry; returns the packet that it
    /// brings, if there is one.
    #[cold]
    #[inline(never)]
    pub fn take_from_link(
        &mut self,
        now: Time,
        unit: Unit,
        out: &mut Outlet<'_>,
    ) -> Option<PacketUnit> {
        let is_of_retry = unit.is_of_retry();
        let brought = self.transmitter.take(now, unit, out);
        let waiting = self.waiting.as_mut();
        let waiting = waiting.expect("packets wait where a link has units of its own");
        let packet = match brought {
            Some(Brought::Packet(packet)) => {
                waiting.take_in(&packet);
                Some(packet)
            }
            Some(Brought::Message(message)) => {
                control::take(now, message, &mut waiting.queue, waiting.receiver.as_mut());
                None
            }
            None => None,
        };
        if is_of_retry {
            self.serve_waiting(now, out);
        } else {
            waiting.reschedule(now, self.transmitter.retry());
        }
        packet
    }

    /// Does all that is due at `now` on a link on which packets wait until they start.
    #[cold]
    #[inline(never)]
    pub(super) fn serve_waiting(&mut self, now: Time, out: &mut Outlet<'_>) {
        loop {
            let Some(waiting) = &mut self.waiting else {
                return;
            };
            match waiting.act(now, &mut self.transmitter, out) {
                Act::Nothing => break waiting.reschedule(now, self.transmitter.retry()),
                Act::Done => {}
                Act::Starts(packet, end) => self.start_packet(now, end, &packet, out),
            }
        }
    }
}

#[cfg(test)]
mod tests;
