//! The nodes of a network.

use kernel::Time;

use crate::edge::Edge;
use crate::frame::Frames;
use crate::host::Host;
use crate::loss::LossyEnd;
use crate::port::Port;
use crate::router::Router;
use crate::switch::Switch;
use crate::tap::Tap;
use crate::unit::{Outlet, Unit};

/// A node of any kind.
pub enum Node {
    /// Where flows begin and end.
    Host(Host),
    /// Forwards cells.
    Switch(Switch),
    /// Forwards packets.
    Router(Router),
    /// Cuts packets into cells, and puts them together.
    Edge(Edge),
}

impl Node {
    /// Outputs at which units wait and may be refused, by number; hosts have none.
    pub fn ports(&self) -> Vec<&dyn Port> {
        match self {
            Node::Host(_) => Vec::new(),
            Node::Switch(switch) => switch
                .outputs
                .ports
                .iter()
                .map(|port| port as &dyn Port)
                .collect(),
            Node::Router(router) => router.ports.iter().map(|port| port as &dyn Port).collect(),
            Node::Edge(edge) => edge.ports().collect(),
        }
    }

    /// The same, to be changed.
    pub fn ports_mut(&mut self) -> Vec<&mut dyn Port> {
        match self {
            Node::Host(_) => Vec::new(),
            Node::Switch(switch) => switch
                .outputs
                .ports
                .iter_mut()
                .map(|port| port as &mut dyn Port)
                .collect(),
            Node::Router(router) => router
                .ports
                .iter_mut()
                .map(|port| port as &mut dyn Port)
                .collect(),
            Node::Edge(edge) => edge.ports_mut().collect(),
        }
    }

    /// Has what passes at an output noted from now on; at a host, in both directions.
    pub fn install(&mut self, output: usize, tap: Tap) {
        match self {
            Node::Host(host) => host.nic.transmitter.install(tap),
            other => other.ports_mut()[output].install(tap),
        }
    }

    /// What has been noted at an output, if anything is.
    pub fn tap(&mut self, output: usize) -> Option<&mut Tap> {
        match self {
            Node::Host(host) => host.nic.transmitter.tap_mut(),
            Node::Switch(switch) => switch.outputs.ports[output].tap(),
            Node::Router(router) => router.ports[output].tap(),
            Node::Edge(edge) => edge.port_mut(output).tap(),
        }
    }

    /// The lossy ends of the links that leave it, by output.
    pub fn losses(&self) -> Vec<Option<&LossyEnd>> {
        match self {
            Node::Host(host) => vec![host.nic.transmitter.loss()],
            Node::Switch(switch) => switch.outputs.losses(),
            Node::Router(router) => router.losses(),
            Node::Edge(edge) => edge.losses(),
        }
    }

    /// The same, to be changed.
    pub fn losses_mut(&mut self) -> Vec<Option<&mut LossyEnd>> {
        match self {
            Node::Host(host) => vec![host.nic.transmitter.loss_mut()],
            Node::Switch(switch) => switch.outputs.losses_mut(),
            Node::Router(router) => router.losses_mut(),
            Node::Edge(edge) => edge.losses_mut(),
        }
    }
}

macro_rules! either {
    ($node:expr, $inner:ident => $call:expr) => {
        match $node {
            Node::Host($inner) => $call,
            Node::Switch($inner) => $call,
            Node::Router($inner) => $call,
            Node::Edge($inner) => $call,
        }
    };
}

impl kernel::Node for Node {
    type Unit = Unit;
    type Cargo = Frames;

    #[inline]
    fn next_wake(&self) -> Time {
        either!(self, node => node.next_wake())
    }

    fn wake(&mut self, now: Time, out: &mut Outlet<'_>) {
        either!(self, node => node.wake(now, out));
    }

    #[inline]
    fn advance(&mut self, out: &mut Outlet<'_>) {
        either!(self, node => node.advance(out));
    }

    #[inline]
    fn receive(&mut self, now: Time, input: usize, unit: Unit, out: &mut Outlet<'_>) {
        either!(self, node => node.receive(now, input, unit, out));
    }
}
