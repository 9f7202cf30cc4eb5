//! Outputs of packets to a link with control frames, which may be paused (IEEE 802.1Qbb, see
//! `pause/gate.rs`) or has credits for packets (`credit/packets`), and the units that a node follows
//! through its outputs.
//!
//! A control frame goes before every packet that waits, and behind the one that is being sent. The
//! node composes it when its transmission starts.

use kernel::Time;

use super::control::AbrControl;
use super::port::Output;
use super::queue::ScheduledQueue;
use super::queueing::Queue;
use super::scheduled::Scheduled;
use crate::link::control::{ControlMessage, Gated};
use crate::link::gate::PacketGate;
use crate::wire::priority::Priority;
use crate::wire::unit::{Outlet, PacketUnit};
use crate::wire::vc::Vc;

impl<C: AbrControl<PacketUnit>> Gated for Output<PacketUnit, C> {
    fn change_gate(&mut self, now: Time, change: &mut dyn FnMut(&mut PacketGate)) {
        self.catch_up_if_due(now);
        self.elapsed_queue(now).change_gate(now, change);
    }
}

impl<C: AbrControl<PacketUnit>> Output<PacketUnit, C> {
    fn scheduled(&self) -> &Scheduled<PacketUnit> {
        match &self.queue {
            Queue::Fifo { .. } => {
                unreachable!("lowering gives routers with control frames scheduled queues")
            }
            Queue::Scheduled(scheduled) => scheduled,
        }
    }

    fn scheduled_mut(&mut self) -> &mut Scheduled<PacketUnit> {
        match &mut self.queue {
            Queue::Fifo { .. } => {
                unreachable!("lowering gives routers with control frames scheduled queues")
            }
            Queue::Scheduled(scheduled) => scheduled,
        }
    }

    /// The packets that wait.
    pub fn queued_packets(&self) -> impl Iterator<Item = &PacketUnit> {
        self.scheduled().queue.units()
    }

    /// Octets of the memory that a packet takes.
    pub fn space(&self, packet: &PacketUnit) -> u64 {
        self.measure.space(packet.octets)
    }

    /// End of the last transmission, or the time until which the link lets nothing start.
    pub fn free_at(&self) -> Time {
        let queue = &self.scheduled().queue;
        if self.transmitter.retry().is_some() {
            // The queue may be held back, and control frames are not.
            queue.line().free_at()
        } else {
            queue.start_at()
        }
    }

    /// The packet of `vc` that was accepted last waits.
    pub fn on_wait(&mut self, vc: Vc) {
        self.scheduled_mut().queue.on_wait(vc);
    }

    /// The gate of packets, if the link has one.
    pub fn packet_gate(&self) -> Option<&PacketGate> {
        self.scheduled().queue.packet_gate()
    }

    /// The priorities whose first packet waits for the far end of the link, and no time that passes lets
    /// it start, each with the octets of this packet on the link; none without a gate.
    pub fn held_back(&self) -> impl Iterator<Item = (Priority, u32)> {
        let queue = &self.scheduled().queue;
        let gates = queue.packet_gate().into_iter();
        gates.flat_map(|gate| {
            let heads = queue.heads();
            heads.filter(|(priority, octets)| gate.stays_closed(*priority, *octets))
        })
    }

    /// The gate of packets, mutable, if the link has one.
    pub fn packet_gate_mut(&mut self) -> Option<&mut PacketGate> {
        self.scheduled_mut().queue.packet_gate_mut()
    }

    /// Time at which a pause of the link next begins or ends; [`Time::NEVER`] if none does.
    pub fn next_pause_change(&self) -> Time {
        let gate = self.packet_gate();
        gate.map_or(Time::NEVER, PacketGate::next_change)
    }

    /// Begins and ends the pauses of the link that are due at `now`.
    pub fn change_pauses(&mut self, now: Time) {
        if self.next_pause_change() <= now {
            self.catch_up_if_due(now);
            self.elapsed_queue(now).change_pauses(now);
        }
    }

    /// True if a control frame waits.
    pub fn control_waits(&self) -> bool {
        self.scheduled().queue.control_waits()
    }

    /// From now on a control frame waits for the end of the unit that is being sent, if `waits`.
    pub fn hold_for_control(&mut self, waits: bool) {
        self.scheduled_mut().queue.hold_for_control(waits);
    }

    /// Sends a message to the far end at `now`, when the link is free.
    pub fn send_control(&mut self, now: Time, message: ControlMessage, out: &mut Outlet<'_>) {
        self.catch_up_if_due(now);
        let octets = u64::from(message.octets);
        let time = self.pace.transmission(octets * 8);
        self.elapsed_queue(now).send_control(now, time);
        self.balance.offer(octets);
        self.balance.send(octets);
        self.meter.control(octets);
        self.transmitter.control(now, now + time, message, out);
    }

    /// The queue, whose waiting time until `now` has been counted.
    fn elapsed_queue(&mut self, now: Time) -> &mut ScheduledQueue<PacketUnit> {
        let Queue::Scheduled(scheduled) = &mut self.queue else {
            unreachable!("lowering gives routers with control frames scheduled queues")
        };
        let queue = &mut scheduled.queue;
        self.meter.elapsed(queue.elapsed(now));
        queue
    }
}
