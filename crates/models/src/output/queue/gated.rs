//! Scheduled queues whose units wait although the link is free: cells for credit (FCVC, see
//! `credit/counts.rs`), packets for credits (`credit/packets`) or for the end of a pause (IEEE
//! 802.1Qbb, see `pause/gate.rs`). Control frames of the link go before the units of all queues.

use kernel::{Duration, Time};

use super::queued::Queued;
use super::scheduled::ScheduledQueue;
use crate::link::control::Gated;
use crate::link::credit::{CbfcSender, CreditBuffer, CreditReading, CreditSender};
use crate::link::gate::PacketGate;
use crate::wire::priority::{Priority, PrioritySet};
use crate::wire::vc::Vc;

/// The reason for which units wait although the link is free.
// Not boxed: a queue with a gate boxes it whole.
#[allow(clippy::large_enum_variant)]
pub(super) enum QueueGate {
    /// Cells of virtual channels without credit wait.
    Credit(CreditSender),
    /// Packets wait by priority; each priority has a queue of its number.
    Packets(PacketGate),
}

impl QueueGate {
    /// The gate of an output with `vcs` virtual channels; none if nothing holds units back.
    pub fn of(
        credit: Option<CreditBuffer>,
        packets: Option<Box<PacketGate>>,
        vcs: usize,
    ) -> Option<Box<QueueGate>> {
        let of_credit = |buffer| QueueGate::Credit(CreditSender::new(buffer, vcs));
        let gate = credit
            .map(of_credit)
            .or_else(|| packets.map(|gate| QueueGate::Packets(*gate)));
        gate.map(Box::new)
    }

    /// True if units wait for credit.
    pub fn needs_credit(&self) -> bool {
        match self {
            QueueGate::Credit(_) => true,
            QueueGate::Packets(gate) => gate.credit().is_some(),
        }
    }

    /// True if the first unit of `queue`, of `octets`, may be sent.
    #[inline]
    pub fn is_open(&self, queue: usize, octets: u32) -> bool {
        match self {
            QueueGate::Credit(sender) => sender.is_open(queue),
            QueueGate::Packets(gate) => gate.is_open(priority_of(queue), octets),
        }
    }
}

/// The priority whose packets wait in a queue.
fn priority_of(queue: usize) -> Priority {
    let priority = u8::try_from(queue).ok().and_then(Priority::new);
    priority.expect("each priority has a queue of its number")
}

impl<U: Queued> Gated for ScheduledQueue<U> {
    fn change_gate(&mut self, now: Time, change: &mut dyn FnMut(&mut PacketGate)) {
        let before = self.open_queues();
        let gate = self.packet_gate_mut();
        change(gate.expect("only links with a gate carry control frames"));
        for queue in before.differing(self.open_queues()).iter() {
            let queue = queue.index();
            self.turn(now, queue, self.opens_for_first(queue));
        }
    }
}

impl<U: Queued> ScheduledQueue<U> {
    /// A credit arrives at `now`: the far end has forwarded `forwarded` cells of a virtual channel.
    pub fn on_credit(&mut self, now: Time, vc: Vc, forwarded: u32) {
        if self.is_idle(now) {
            self.scheduler.idle();
        }
        let Some(QueueGate::Credit(sender)) = self.gate.as_deref_mut() else {
            return;
        };
        sender.on_credit(vc.index(), forwarded, |queue| {
            if self.queues.size(queue) > 0 {
                let first = self.queues.first_length(queue);
                self.scheduler.begin(queue, first.octets);
                self.ready += 1;
                self.start_at = self.start_at.max(now);
            }
        });
    }

    /// Number of cells sent on a VC, for a check cell; none if credits have acknowledged all of
    /// them.
    pub fn unsettled(&self, vc: Vc) -> Option<u32> {
        self.credit_sender()?.unsettled(vc.index())
    }

    /// The credit of a VC, for gauges; none if the link is not controlled.
    pub fn allowance(&self, vc: Vc) -> Option<CreditReading> {
        Some(self.credit_sender()?.allowance(vc.index()))
    }

    fn credit_sender(&self) -> Option<&CreditSender> {
        match self.gate.as_deref() {
            Some(QueueGate::Credit(sender)) => Some(sender),
            Some(QueueGate::Packets(_)) | None => None,
        }
    }

    /// The credit of all virtual channels, mutable, if the link is controlled.
    pub fn credit_sender_mut(&mut self) -> Option<&mut CreditSender> {
        match self.gate.as_deref_mut() {
            Some(QueueGate::Credit(sender)) => Some(sender),
            Some(QueueGate::Packets(_)) | None => None,
        }
    }

    /// The gate of packets, if the link has one.
    pub fn packet_gate(&self) -> Option<&PacketGate> {
        match self.gate.as_deref() {
            Some(QueueGate::Packets(gate)) => Some(gate),
            Some(QueueGate::Credit(_)) | None => None,
        }
    }

    /// The gate of packets, mutable, if the link has one.
    pub fn packet_gate_mut(&mut self) -> Option<&mut PacketGate> {
        match self.gate.as_deref_mut() {
            Some(QueueGate::Packets(gate)) => Some(gate),
            Some(QueueGate::Credit(_)) | None => None,
        }
    }

    /// A packet of a queue starts at `now` at a gate of packets; returns true if the next one may start
    /// too.
    #[cold]
    pub(super) fn pass_gate(&mut self, now: Time, queue: usize, octets: u32) -> bool {
        let Some(QueueGate::Packets(gate)) = self.gate.as_deref_mut() else {
            return true;
        };
        if gate.credit().is_some_and(CbfcSender::shares) {
            self.start_sharing(now, queue, octets);
        } else {
            gate.start(now, priority_of(queue), octets);
        }
        let opens = self.opens_for_first(queue);
        self.hold_back(now, queue, !opens);
        opens
    }

    /// Counts the time at a gate of packets from `now` on: the first unit of a queue is held back, or is
    /// not.
    pub(super) fn hold_back(&mut self, now: Time, queue: usize, holds: bool) {
        if let Some(gate) = self.packet_gate_mut() {
            gate.hold_back(now, priority_of(queue), holds);
        }
    }

    /// A packet of a queue starts at `now`, whose credits others may miss.
    fn start_sharing(&mut self, now: Time, queue: usize, octets: u32) {
        let before = self.open_queues();
        if let Some(gate) = self.packet_gate_mut() {
            gate.start(now, priority_of(queue), octets);
        }
        let closed = before.differing(self.open_queues());
        // The caller asks about the queue itself.
        for other in closed.iter().map(Priority::index) {
            if other != queue {
                self.scheduler.withdraw(other);
                self.ready -= 1;
                self.hold_back(now, other, true);
            }
        }
    }

    /// The priority of each queue with units, and the octets of its first unit, at a gate of packets.
    pub fn heads(&self) -> impl Iterator<Item = (Priority, u32)> {
        let queues = Priority::all().take(self.queues.count());
        let waiting = queues.filter(|queue| self.queues.size(queue.index()) > 0);
        waiting.map(|queue| (queue, self.queues.first_length(queue.index()).octets))
    }

    /// The queues whose first unit may be sent as far as a gate of packets is concerned.
    fn open_queues(&self) -> PrioritySet {
        let waiting = self.heads().map(|(queue, _)| queue);
        waiting
            .filter(|queue| self.opens_for_first(queue.index()))
            .collect()
    }

    /// True if the first unit of a queue may be sent as far as a gate of packets is concerned, or
    /// if there is no unit.
    pub(super) fn opens_for_first(&self, queue: usize) -> bool {
        let Some(QueueGate::Packets(gate)) = self.gate.as_deref() else {
            return true;
        };
        let is_empty = self.queues.size(queue) == 0;
        is_empty || gate.is_open(priority_of(queue), self.queues.first_length(queue).octets)
    }

    /// Begins and ends the pauses that are due at `now`.
    pub fn change_pauses(&mut self, now: Time) {
        let gate = self.packet_gate();
        if gate.is_some_and(|gate| gate.next_change() <= now) {
            self.change_gate(now, &mut |gate| gate.change(now));
        }
    }

    /// From `now` on the first unit of a queue may be sent, or may not.
    fn turn(&mut self, now: Time, queue: usize, is_open: bool) {
        self.hold_back(now, queue, !is_open);
        if is_open {
            let first = self.queues.first_length(queue);
            self.scheduler.begin(queue, first.octets);
            self.ready += 1;
            self.start_at = self.start_at.max(now);
        } else {
            self.scheduler.withdraw(queue);
            self.ready -= 1;
        }
    }

    /// The unit of `vc` that was accepted last waits.
    pub fn on_wait(&mut self, vc: Vc) {
        if matches!(self.gate.as_deref(), Some(QueueGate::Packets(_))) {
            self.scheduler.wait(self.queue_of_vc(vc));
        }
    }

    /// From now on a control frame waits for the end of the unit that is being sent, if `waits`.
    pub fn hold_for_control(&mut self, waits: bool) {
        let waited = std::mem::replace(&mut self.control_waits, waits);
        self.ready = self.ready + usize::from(waits) - usize::from(waited);
    }

    /// Sends a control frame at `now`, when the link is free; the frame takes `time`.
    pub fn send_control(&mut self, now: Time, time: Duration) {
        self.hold_for_control(false);
        self.transmit(now, time);
    }

    /// True if a control frame waits.
    pub fn control_waits(&self) -> bool {
        self.control_waits
    }

    /// The units that wait in all queues.
    pub fn units(&self) -> impl Iterator<Item = &U> {
        self.queues.units()
    }
}
