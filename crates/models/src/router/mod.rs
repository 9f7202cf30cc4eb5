//! Routers: store and forward of whole packets.

pub mod port;

use kernel::{Node, Time};
use parameters::parameters;

use crate::frame::Frames;
use crate::loss::LossyEnds;
use crate::switch::SwitchSpec;
use crate::switch::buffer::BufferSpec;
use crate::switch::discard::DiscardSpec;
use crate::switch::mark::MarkSpec;
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
            mark: switch.mark.clone(),
        }
    }
}

/// A router.
pub struct Router {
    /// Ports by output.
    pub ports: Vec<PacketPort>,
    /// What the links beyond them lose.
    pub losses: LossyEnds,
    /// The ports share one memory.
    shared: bool,
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
        Router {
            ports,
            losses,
            shared,
            routes: routes.into_iter().map(Vec::into_boxed_slice).collect(),
        }
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

    /// A router only reacts: its queues are worked out when a packet arrives.
    fn next_wake(&self) -> Time {
        Time::NEVER
    }

    fn wake(&mut self, _now: Time, _out: &mut Outlet<'_>) {}

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
    }
}
