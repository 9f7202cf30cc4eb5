//! Routers that store packets until they start, because a scheduler chooses among them or because
//! links may be paused or have credits for packets: what is stored, started and dropped, and the
//! control frames of the links.

use kernel::Time;

use super::account::{Charge, InputAccount};
use super::inputs::InputAccounts;
use super::{Reach, Router};
use crate::link::control::{self, ControlMessage};
use crate::link::gate::PacketGate;
use crate::link::pause::PauseReading;
use crate::link::retry::RetryEnd;
use crate::metrics::Cause;
use crate::output::{Offered, Served};
use crate::wire::priority::{ByPriority, Priority};
use crate::wire::unit::{Outlet, PacketUnit};

/// The offer of a packet to an output.
#[derive(Clone, Copy)]
pub(super) struct PacketOffer {
    /// Time of the offer.
    pub now: Time,
    /// Instant at which the discard policy sees the buffers.
    pub queue_at: Time,
    pub input: usize,
    pub output: usize,
    /// Octets that wait at other outputs in the same memory.
    pub elsewhere: u64,
}

impl Router {
    /// Declares what the inputs hold, since the router may pause links or gives credits.
    pub fn count_inputs(&mut self, inputs: InputAccounts) {
        for (port, input) in self.ports.iter_mut().zip(inputs.all()) {
            let has_credits = port
                .packet_gate()
                .is_some_and(|gate| gate.credit().is_some());
            if has_credits {
                port.transmitter.send_credited();
            }
            if has_credits || input.pause.is_some() || input.credit.is_some() {
                port.meter.send_control();
            }
        }
        self.inputs = Some(Box::new(inputs));
        self.reach = Reach::Router;
        // The first messages about credits are due although nothing has arrived.
        for output in 0..self.ports.len() {
            self.reschedule(Time::ZERO, output);
        }
    }

    /// The accounts of the inputs; none unless the router may pause a link or gives credits.
    pub fn inputs(&self) -> &[InputAccount] {
        self.inputs.as_ref().map_or(&[], |inputs| inputs.all())
    }

    /// The gates of the packets of the links that leave the router, by output; none of a link that is
    /// never paused and has no credits.
    pub fn packet_gates(&self) -> impl Iterator<Item = Option<&PacketGate>> {
        let ports = self.ports.iter();
        ports.map(|port| self.inputs.as_ref().and_then(|_| port.packet_gate()))
    }

    /// The priorities whose first packet waits at an output for the far end of its link, and no time that
    /// passes lets it start, each with the octets of this packet on the link.
    pub fn held_back(&self, output: usize) -> impl Iterator<Item = (Priority, u32)> {
        let port = &self.ports[output];
        self.inputs.iter().flat_map(|_| port.held_back())
    }

    /// The memory that each waiting packet of an output takes; nothing unless the router counts what
    /// its inputs hold.
    pub fn waiting(&self, output: usize) -> impl Iterator<Item = Charge> {
        let port = &self.ports[output];
        self.inputs.iter().flat_map(move |inputs| {
            let packets = port.queued_packets();
            packets.map(move |packet| inputs.charge(output, port, packet))
        })
    }

    /// True if a priority of an input is paused, the far end has been told so, and it remains paused
    /// although packets leave until each input and priority holds what is `left`.
    pub fn remains_paused(
        &self,
        input: usize,
        priority: Priority,
        left: &[ByPriority<u64>],
    ) -> bool {
        let inputs = self.inputs.as_ref();
        inputs.is_some_and(|inputs| inputs.remains_paused(input, priority, left))
    }

    /// The state of a priority of the link at an input; none if the router never pauses it.
    pub fn pause_reading(&self, input: usize, priority: Priority) -> Option<PauseReading> {
        let inputs = self.inputs.as_ref()?;
        inputs.pause_reading(input, priority)
    }

    /// Asserts that each input holds exactly its packets.
    ///
    /// # Panics
    /// If the counts do not add up.
    pub fn assert_inputs(&self) {
        if let Some(inputs) = &self.inputs {
            inputs.assert_conservation(&self.ports);
        }
    }

    /// Restarts the counts of pauses and credits.
    pub(super) fn begin_counting_inputs(&mut self, now: Time) {
        let Some(inputs) = &mut self.inputs else {
            return;
        };
        inputs.begin_counting();
        for port in &mut self.ports {
            if let Some(gate) = port.packet_gate_mut() {
                gate.begin_counting(now);
            }
        }
    }

    /// Time of the next event of the pauses and credits at an output, after an event at `now`.
    pub(super) fn next_control(&self, now: Time, output: usize) -> Time {
        let port = &self.ports[output];
        let Some(inputs) = &self.inputs else {
            return Time::NEVER;
        };
        // A frame that waits for the link goes as soon as the link is free.
        let told_at = if port.control_waits() {
            Time::NEVER
        } else {
            self.due_at(output).max(now)
        };
        let change = port.next_pause_change();
        change.min(inputs.next(output)).min(told_at)
    }

    /// Time at which the far end of a link is next to be told something.
    fn due_at(&self, output: usize) -> Time {
        let port = &self.ports[output];
        let used = port.packet_gate().and_then(PacketGate::credit);
        let is_blocked = port.transmitter.retry().is_some_and(RetryEnd::is_blocked);
        let input = self.inputs.as_ref().map(|inputs| &inputs.all()[output]);
        let pauses = input.and_then(|input| input.pause.as_ref());
        control::due_at(
            pauses,
            input.and_then(InputAccount::receiver),
            used,
            is_blocked,
        )
    }

    /// A packet that needed credits arrives at `input`.
    pub(super) fn arrive(&mut self, input: usize, packet: &PacketUnit) {
        if let Some(inputs) = &mut self.inputs {
            inputs.arrive(input, packet);
        }
    }

    /// Frees the credits of the packet that has just arrived at `input`, if it is not stored.
    pub(super) fn free_unstored(&mut self, now: Time, input: usize, out: &mut Outlet<'_>) {
        let inputs = self.inputs.as_mut();
        if inputs.is_some_and(|inputs| inputs.free_unstored(input)) {
            self.tell(now, input, out);
        }
    }

    /// Offers a packet to an output that stores packets until they start.
    #[inline(never)]
    pub(super) fn offer(&mut self, at: &PacketOffer, packet: &PacketUnit, out: &mut Outlet<'_>) {
        let PacketOffer { now, output, .. } = *at;
        if self.reach == Reach::Router {
            self.follow_offer(*at, *packet, out);
        } else {
            let (port, mut packet) = (&mut self.ports[output], *packet);
            port.offer(now, at.queue_at, &mut packet, at.elsewhere, None, out);
        }
        self.reschedule(now, output);
    }

    /// Offers a packet at a router whose inputs are counted, or that returns packets to their senders.
    #[inline(never)]
    fn follow_offer(&mut self, at: PacketOffer, mut packet: PacketUnit, out: &mut Outlet<'_>) {
        if self.inputs.is_some() {
            return self.store(at, packet, out);
        }
        let port = &mut self.ports[at.output];
        let offered = port.offer(at.now, at.queue_at, &mut packet, at.elsewhere, None, out);
        if offered == Offered::Returned {
            self.send_back(&at, packet, out);
        }
    }

    /// Stores a packet, which is charged to its input, or drops it.
    fn store(&mut self, at: PacketOffer, mut packet: PacketUnit, out: &mut Outlet<'_>) {
        let PacketOffer { now, output, .. } = at;
        // A random tie may put an arrival before the end of a transmission at the same instant.
        self.end(now, output, out);
        let Some(inputs) = &mut self.inputs else {
            return;
        };
        let port = &mut self.ports[output];
        packet.input = u16::try_from(at.input).expect("groups bound the links of a router");
        let charge = inputs.charge(output, port, &packet);
        if !inputs.admits(charge) {
            return port.refuse(now, &packet, Cause::Headroom, out);
        }
        let elsewhere = at.elsewhere + inputs.reserved(output, charge);
        let mut pushed_out = std::mem::take(&mut self.pushed_out);
        match port.offer(
            now,
            at.queue_at,
            &mut packet,
            elsewhere,
            Some(&mut pushed_out),
            out,
        ) {
            Offered::Waits => {
                inputs.store(output, charge, true);
                port.on_wait(packet.vc);
            }
            Offered::Starts => {
                inputs.store(output, charge, false);
                inputs.start(output, charge, port.free_at(), false);
            }
            Offered::Dropped | Offered::Returned => {}
        }
        // The packet that was pushed out last is released first: the order in which inputs are told.
        while let Some(dropped) = pushed_out.pop() {
            self.release(now, output, &dropped, out);
        }
        self.pushed_out = pushed_out;
        self.tell(now, at.input, out);
    }

    /// Does what is due at an output at `now`: ends a transmission, begins and ends pauses, does what
    /// retry has to do, sends a control frame, or starts a packet.
    pub(super) fn act(&mut self, now: Time, output: usize, out: &mut Outlet<'_>) {
        let Some(inputs) = &mut self.inputs else {
            return;
        };
        inputs.refresh(output, now);
        self.end(now, output, out);
        self.ports[output].change_pauses(now);
        let waits = self.due_at(output) <= now;
        if self.ports[output].act_for_retry(now, waits, out) {
            return;
        }
        self.tell(now, output, out);
        if self.ports[output].next_service() <= now {
            self.start(now, output, out);
        }
    }

    /// Ends the transmission of a packet, if it ends at `now`.
    fn end(&mut self, now: Time, output: usize, out: &mut Outlet<'_>) {
        let inputs = self.inputs.as_mut();
        if let Some(input) = inputs.and_then(|inputs| inputs.end(output, now)) {
            self.tell(now, input, out);
            self.tell_resumed(now, out);
        }
    }

    /// Tells the far ends of the links whose inputs a packet of another has resumed.
    fn tell_resumed(&mut self, now: Time, out: &mut Outlet<'_>) {
        while let Some(input) = self
            .inputs
            .as_mut()
            .and_then(|inputs| inputs.take_resumed())
        {
            self.tell(now, input, out);
        }
    }

    /// Starts the packet that is due at an output, or drops it.
    fn start(&mut self, now: Time, output: usize, out: &mut Outlet<'_>) {
        let port = &mut self.ports[output];
        match (port.serve(now, out), &mut self.inputs) {
            (Served::Started(packet), Some(inputs)) => {
                let charge = inputs.charge(output, port, &packet);
                inputs.start(output, charge, port.free_at(), true);
            }
            (Served::Dropped(packet), _) => self.release(now, output, &packet, out),
            _ => {}
        }
    }

    /// Releases an accepted packet that an output has dropped.
    fn release(&mut self, now: Time, output: usize, packet: &PacketUnit, out: &mut Outlet<'_>) {
        let Some(inputs) = &mut self.inputs else {
            return;
        };
        let charge = inputs.charge(output, &self.ports[output], packet);
        let input = inputs.discard(output, charge);
        self.tell(now, input, out);
        self.tell_resumed(now, out);
    }

    /// Sends the far end of the link at an input what it must be told of pauses and credits, as soon as
    /// the link is free; does nothing if there is nothing to tell.
    pub(super) fn tell(&mut self, now: Time, input: usize, out: &mut Outlet<'_>) {
        if self.ports[input].free_at() <= now
            && let Some(message) = self.message(now, input)
        {
            self.ports[input].send_control(now, message, out);
        }
        let waits = self.due_at(input) <= now;
        self.ports[input].hold_for_control(waits);
        self.reschedule(now, input);
    }

    /// The message to the far end of the link at an input that starts at `now`.
    fn message(&mut self, now: Time, input: usize) -> Option<ControlMessage> {
        let port = &mut self.ports[input];
        let is_blocked = port.transmitter.retry().is_some_and(RetryEnd::is_blocked);
        let used = port.packet_gate_mut().and_then(PacketGate::credit_mut);
        let InputAccount { pause, credit, .. } = self.inputs.as_mut()?.account_mut(input);
        let freed = credit.as_mut().map(|credit| &mut credit.receiver);
        control::message(now, pause.as_mut(), freed, used, is_blocked)
    }
}
