//! Routers: store and forward of whole packets.

pub mod port;
mod queue;

use kernel::{Node, Time};
use parameters::parameters;

use crate::frame::Frames;
use crate::loss::{LossyEnd, LossyEnds};
use crate::switch::SwitchSpec;
use crate::switch::buffer::BufferSpec;
use crate::switch::discard::DiscardSpec;
use crate::switch::mark::MarkSpec;
use crate::switch::scheduler::SchedulerSpec;
use crate::switch::services::Services;
use crate::unit::{Outlet, Packet, Unit};
use crate::vc::Route;
use port::PacketPort;

parameters! {
    /// A store-and-forward router.
    pub struct RouterSpec {
        /// How buffer memory is shared; counted in octets.
        pub buffer: BufferSpec,
        /// Which packets a buffer refuses.
        pub discard: DiscardSpec = default,
        /// In what order an output sends the packets that wait.
        pub scheduler: SchedulerSpec = default,
        /// Which packets an output marks, if any.
        pub mark: Option<MarkSpec>,
    }
}

impl From<&SwitchSpec> for RouterSpec {
    /// What a switch is to flows that are carried as whole packets.
    fn from(switch: &SwitchSpec) -> RouterSpec {
        RouterSpec {
            buffer: switch.buffer.clone(),
            discard: switch.discard.clone(),
            scheduler: switch.scheduler.clone(),
            mark: switch.mark.clone(),
        }
    }
}

/// A router.
pub struct Router {
    /// Ports by output.
    pub ports: Vec<PacketPort>,
    /// What the links beyond them lose of what is offered, before it waits.
    losses: LossyEnds,
    /// The ports share one memory.
    shared: bool,
    /// The ports start packets by themselves, rather than commit what they accept.
    acts: bool,
    /// When each next does.
    services: Services,
    /// The earliest of these.
    service: Time,
    /// Where each flow label of each input goes on.
    routes: Box<[Box<[Route]>]>,
}

impl Router {
    /// A router with `routes[input][label]`; `shared` tells that the buffers of the ports are one.
    pub fn new(
        ports: Vec<PacketPort>,
        losses: LossyEnds,
        shared: bool,
        routes: Vec<Vec<Route>>,
    ) -> Router {
        let acts = ports.iter().any(PacketPort::acts);
        let acting = if acts { ports.len() } else { 0 };
        Router {
            ports,
            losses,
            shared,
            acts,
            services: Services::new(acting),
            service: Time::NEVER,
            routes: routes.into_iter().map(Vec::into_boxed_slice).collect(),
        }
    }

    /// Notes when an output next starts a packet by itself.
    #[inline(never)]
    fn reschedule(&mut self, output: usize) {
        let service = self.ports[output].next_service();
        self.services.set(output, service);
        self.service = self.services.next();
    }

    /// What the links lose, by output: of what is offered to it, or of what it sends.
    pub fn losses(&self) -> Vec<Option<&LossyEnd>> {
        let ports = self.ports.iter().enumerate();
        let ends = ports.map(|(output, port)| {
            let before = self.losses.get(output).and_then(Option::as_ref);
            before.or_else(|| port.loss())
        });
        ends.collect()
    }

    /// The same, to be changed.
    pub fn losses_mut(&mut self) -> Vec<Option<&mut LossyEnd>> {
        let mut before = self.losses.iter_mut();
        let ports = self.ports.iter_mut();
        ports
            .map(|port| before.next().and_then(Option::as_mut).or(port.loss_mut()))
            .collect()
    }

    /// Octets that wait at the outputs other than `output`.
    fn elsewhere(&mut self, now: Time, output: usize) -> u64 {
        let ports = self.ports.iter_mut().enumerate();
        let others = ports.filter(|(other, _)| *other != output);
        others.map(|(_, port)| port.waiting(now)).sum()
    }
}

impl Node for Router {
    type Unit = Unit;
    type Cargo = Frames;

    #[inline]
    fn next_wake(&self) -> Time {
        self.service
    }

    /// Starts what is due; no port makes another due at once.
    fn wake(&mut self, now: Time, out: &mut Outlet<'_>) {
        while let Some(output) = self.services.due(now) {
            self.ports[output].serve(now, out);
            self.reschedule(output);
        }
    }

    fn receive(&mut self, now: Time, input: usize, unit: Unit, out: &mut Outlet<'_>) {
        let Unit::Packet(packet) = unit else {
            unreachable!("lowering sends cells to switches only")
        };
        let route = self.routes[input][packet.vc.index()];
        let output = route.output as usize;
        let leaving = Packet {
            vc: route.vc,
            ..packet
        };
        if let Some(Some(end)) = self.losses.get_mut(output)
            && end.loses_packet(now, &leaving, out.cargo)
        {
            return;
        }
        let elsewhere = if self.shared {
            self.elsewhere(now, output)
        } else {
            0
        };
        self.ports[output].offer(now, packet, route.vc, elsewhere, out);
        if self.acts {
            self.reschedule(output);
        }
    }
}
