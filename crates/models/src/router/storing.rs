//! Routers that store packets until they start, because a scheduler chooses among them or because
//! links may be paused: what is stored, started and dropped, and the pause frames of the links.

use kernel::Time;

use super::Router;
use super::inputs::{Charge, InputAccount, InputAccounts};
use crate::metrics::Cause;
use crate::pause::PauseGate;
use crate::wire::unit::{ControlFrame, Outlet, PacketUnit};

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
    /// Declares what the inputs hold, since the router may pause links.
    pub fn count_inputs(&mut self, inputs: InputAccounts) {
        for (port, input) in self.ports.iter_mut().zip(inputs.all()) {
            port.follow_packets();
            if input.pause.is_some() {
                port.meter.send_control();
            }
        }
        self.inputs = Some(Box::new(inputs));
    }

    /// The accounts of the inputs; none unless the router may pause a link.
    pub fn inputs(&self) -> &[InputAccount] {
        self.inputs.as_ref().map_or(&[], |inputs| inputs.all())
    }

    /// The pauses of the links that leave the router, by output; none of a link that is never paused.
    pub fn pause_gates(&self) -> impl Iterator<Item = Option<&PauseGate>> {
        let ports = self.ports.iter();
        ports.map(|port| self.inputs.as_ref().and_then(|_| port.pause_gate()))
    }

    /// The memory that each waiting packet of an output takes; nothing unless the router may pause a
    /// link.
    pub fn waiting(&self, output: usize) -> impl Iterator<Item = Charge> {
        let port = &self.ports[output];
        self.inputs.iter().flat_map(move |inputs| {
            let packets = port.queued_packets();
            packets.map(move |packet| inputs.charge(output, port, packet))
        })
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

    /// Restarts the counts of pauses.
    pub(super) fn begin_counting_inputs(&mut self, now: Time) {
        let Some(inputs) = &mut self.inputs else {
            return;
        };
        inputs.begin_counting();
        for port in &mut self.ports {
            if let Some(gate) = port.pause_gate_mut() {
                gate.meter.begin(now);
            }
        }
    }

    /// Time at which an output next acts.
    pub(super) fn next_act(&self, output: usize) -> Time {
        let port = &self.ports[output];
        let service = port.next_service();
        let Some(inputs) = &self.inputs else {
            return service;
        };
        let change = port.next_pause_change();
        service.min(change).min(inputs.next(output))
    }

    /// Takes a control frame of the link at `input`.
    pub(super) fn take_control(&mut self, now: Time, input: usize, frame: ControlFrame) {
        let ControlFrame::Pause(pause) = frame;
        let gate = self.ports[input].pause_gate_mut();
        let gate = gate.expect("only links that may be paused carry pause frames");
        gate.receive(now, pause);
        self.reschedule(now, input);
    }

    /// Offers a packet to an output that stores packets until they start.
    #[inline(never)]
    pub(super) fn offer(&mut self, at: &PacketOffer, packet: &PacketUnit, out: &mut Outlet<'_>) {
        let PacketOffer { now, output, .. } = *at;
        if self.inputs.is_some() {
            self.store(*at, *packet, out);
        } else {
            let (port, mut packet) = (&mut self.ports[output], *packet);
            port.offer(now, at.queue_at, &mut packet, at.elsewhere, out);
        }
        self.reschedule(now, output);
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
        let waits = port.offer(now, at.queue_at, &mut packet, elsewhere, out);
        let starts = port.take_started().is_some();
        if waits || starts {
            inputs.store(output, charge, waits);
        }
        if waits {
            port.on_wait(packet.vc);
        }
        if starts {
            inputs.start(output, charge, port.free_at(), false);
        }
        self.release_dropped(now, output, out);
        self.tell(now, at.input, out);
    }

    /// Does what is due at an output at `now`: ends a transmission, begins and ends pauses, sends a
    /// pause frame, or starts a packet.
    pub(super) fn act(&mut self, now: Time, output: usize, out: &mut Outlet<'_>) {
        let Some(inputs) = &mut self.inputs else {
            return;
        };
        inputs.refresh(output, now);
        self.end(now, output, out);
        self.ports[output].change_pauses(now);
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
        }
    }

    /// Starts the packet that is due at an output, or drops it.
    fn start(&mut self, now: Time, output: usize, out: &mut Outlet<'_>) {
        let port = &mut self.ports[output];
        port.serve(now, out);
        if let (Some(packet), Some(inputs)) = (port.take_started(), &mut self.inputs) {
            let charge = inputs.charge(output, port, &packet);
            inputs.start(output, charge, port.free_at(), true);
        }
        self.release_dropped(now, output, out);
    }

    /// Releases the accepted packets that an output has dropped.
    fn release_dropped(&mut self, now: Time, output: usize, out: &mut Outlet<'_>) {
        while let Some(packet) = self.ports[output].take_dropped()
            && let Some(inputs) = &mut self.inputs
        {
            let charge = inputs.charge(output, &self.ports[output], &packet);
            let input = inputs.discard(output, charge);
            self.tell(now, input, out);
        }
    }

    /// Tells the far end of the link at an input of its pauses, as soon as the link is free; does
    /// nothing if the far end knows of them.
    fn tell(&mut self, now: Time, input: usize, out: &mut Outlet<'_>) {
        let Some(inputs) = &mut self.inputs else {
            return;
        };
        let port = &mut self.ports[input];
        match inputs.to_tell(input) {
            Some(_) if port.free_at() > now => port.hold_for_control(true),
            Some(pause) => {
                let octets = pause.frame_octets();
                port.send_control(now, pause.frame(now), octets, out);
            }
            None => port.hold_for_control(false),
        }
        self.reschedule(now, input);
    }
}
