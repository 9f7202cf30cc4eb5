//! The nodes of a network. Our own design: one enum over the kinds of nodes, so that the kernel
//! calls a node without a table of functions.
//!
//! This file may be written for speed.

use kernel::Time;

use crate::edge::Edge;
use crate::host::{Host, ReceivingEnd, SendingEnd};
use crate::link::credit::CbfcReceiver;
use crate::link::gate::PacketGate;
use crate::link::loss::LossyEnd;
use crate::link::retry::RetryEnd;
use crate::link::tap::Tap;
use crate::link::transmitter::Transmitter;
use crate::output::Port;
use crate::rates::LinkClock;
use crate::router::{PacketOutput, Router};
use crate::switch::Switch;
use crate::wire::contents::Cargo;
use crate::wire::unit::{Outlet, Unit};
use crate::wire::vc::Vc;

/// A node of any kind.
// The tag has an octet of its own: the compiler would hide it in the fields of a host, and each of
// the several reads for a cell would take twice as many instructions.
#[repr(u8)]
pub enum AnyNode {
    /// A host, at which flows begin and end.
    Host(Host),
    /// A switch, which forwards cells.
    Switch(Switch),
    /// A router, which forwards packets.
    Router(Router),
    /// An edge, which cuts packets into cells and reassembles them.
    Edge(Edge),
}

impl AnyNode {
    /// The outputs with a buffer, by number; a host has none.
    pub fn ports(&self) -> Vec<&dyn Port> {
        match self {
            AnyNode::Host(_) => Vec::new(),
            AnyNode::Switch(switch) => switch
                .outputs
                .ports
                .iter()
                .map(|port| port as &dyn Port)
                .collect(),
            AnyNode::Router(router) => router.ports.iter().map(|port| port as &dyn Port).collect(),
            AnyNode::Edge(edge) => edge.ports().collect(),
        }
    }

    /// The outputs with a buffer, mutable.
    pub fn ports_mut(&mut self) -> Vec<&mut dyn Port> {
        match self {
            AnyNode::Host(_) => Vec::new(),
            AnyNode::Switch(switch) => switch
                .outputs
                .ports
                .iter_mut()
                .map(|port| port as &mut dyn Port)
                .collect(),
            AnyNode::Router(router) => router
                .ports
                .iter_mut()
                .map(|port| port as &mut dyn Port)
                .collect(),
            AnyNode::Edge(edge) => edge.ports_mut().collect(),
        }
    }

    /// From now on each cell is decided by itself, instead of many in one step. Results are the
    /// same; tests compare them.
    pub fn offer_cells_singly(&mut self) {
        if let AnyNode::Switch(switch) = self {
            switch.outputs.offer_cells_singly();
        }
    }

    /// The transmitters of the outputs of the node, by output.
    fn transmitters(&self) -> Vec<&Transmitter> {
        match self {
            AnyNode::Host(host) => host.nics.all().iter().map(|nic| &nic.transmitter).collect(),
            other => other.ports().into_iter().map(Port::transmitter).collect(),
        }
    }

    /// The transmitters of the outputs of the node, mutable.
    fn transmitters_mut(&mut self) -> Vec<&mut Transmitter> {
        match self {
            AnyNode::Host(host) => {
                let links = host.nics.all_mut().iter_mut();
                links.map(|nic| &mut nic.transmitter).collect()
            }
            other => {
                let ports = other.ports_mut().into_iter();
                ports.map(Port::transmitter_mut).collect()
            }
        }
    }

    /// Octets that a router or a host sent to an output on a VC, or one if a switch uses the VC; zero at
    /// an edge, and where all flows have one path.
    pub fn forwarded(&self, output: usize, vc: Vc) -> u64 {
        match self {
            AnyNode::Switch(switch) => u64::from(switch.is_used(output, vc)),
            AnyNode::Router(router) => router.forwarded(output, vc).unwrap_or(0),
            AnyNode::Host(host) => host.nics.forwarded(output, vc),
            AnyNode::Edge(_) => 0,
        }
    }

    /// Installs a tap that records the packets passing an output from now on; at a host, in both
    /// directions.
    pub fn install(&mut self, output: usize, tap: Tap) {
        self.transmitters_mut().swap_remove(output).install(tap);
    }

    /// The tap at an output, if there is one.
    pub fn tap(&mut self, output: usize) -> Option<&mut Tap> {
        self.transmitters_mut().swap_remove(output).tap_mut()
    }

    /// The gates of the packets of the links that leave the node, by output; none of a link that is
    /// never paused and has no credits for packets.
    pub fn packet_gates(&self) -> Vec<Option<&PacketGate>> {
        match self {
            AnyNode::Host(host) => {
                let nics = host.nics.all().iter();
                let gated = nics.map(|nic| nic.waiting.as_ref()?.gate());
                gated.collect()
            }
            AnyNode::Router(router) => router.packet_gates().collect(),
            AnyNode::Switch(_) | AnyNode::Edge(_) => Vec::new(),
        }
    }

    /// The receiving ends of the links into the node that have credits for packets, by input.
    pub fn credit_receivers(&self) -> Vec<Option<&CbfcReceiver>> {
        match self {
            AnyNode::Host(host) => {
                let nics = host.nics.all().iter();
                let receivers = nics.map(|nic| nic.waiting.as_ref()?.receiver.as_ref());
                receivers.collect()
            }
            AnyNode::Router(router) => {
                let inputs = router.inputs().iter();
                let credits = inputs.map(|input| Some(&input.credit.as_ref()?.receiver));
                credits.collect()
            }
            AnyNode::Switch(_) | AnyNode::Edge(_) => Vec::new(),
        }
    }

    /// Link-level retry of the links of the node, by output.
    pub fn retries(&self) -> Vec<Option<&RetryEnd>> {
        let transmitters = self.transmitters().into_iter();
        transmitters.map(Transmitter::retry).collect()
    }

    /// Link-level retry of the links of the node, mutable.
    pub fn retries_mut(&mut self) -> Vec<Option<&mut RetryEnd>> {
        let transmitters = self.transmitters_mut().into_iter();
        transmitters.map(Transmitter::retry_mut).collect()
    }

    /// The lossy ends of the links that leave the node, by output.
    pub fn losses(&self) -> Vec<Option<&LossyEnd>> {
        let transmitters = self.transmitters().into_iter();
        transmitters.map(Transmitter::loss).collect()
    }

    /// The clocks of the links that leave the node, by output; none of a link whose rate never changes.
    pub fn clocks_mut(&mut self) -> Vec<Option<&mut LinkClock>> {
        match self {
            AnyNode::Host(host) => {
                let nics = host.nics.all_mut().iter_mut();
                nics.map(|nic| nic.clock.as_deref_mut()).collect()
            }
            AnyNode::Router(router) => {
                let ports = router.ports.iter_mut();
                ports.map(PacketOutput::clock_mut).collect()
            }
            AnyNode::Switch(_) | AnyNode::Edge(_) => Vec::new(),
        }
    }

    /// The lossy ends of the links that leave the node, mutable.
    pub fn losses_mut(&mut self) -> Vec<Option<&mut LossyEnd>> {
        let transmitters = self.transmitters_mut().into_iter();
        transmitters.map(Transmitter::loss_mut).collect()
    }
}

macro_rules! either {
    ($node:expr, $inner:ident => $call:expr) => {
        match $node {
            AnyNode::Host($inner) => $call,
            AnyNode::Switch($inner) => $call,
            AnyNode::Router($inner) => $call,
            AnyNode::Edge($inner) => $call,
        }
    };
}

impl kernel::Node for AnyNode {
    type Unit = Unit;
    type Cargo = Cargo;

    #[inline]
    fn next_wake(&self) -> Time {
        either!(self, node => node.next_wake())
    }

    fn wakes_before(&self, input: usize) -> bool {
        either!(self, node => node.wakes_before(input))
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

    fn settle(&mut self, through: Time, out: &mut Outlet<'_>) {
        either!(self, node => node.settle(through, out));
    }
}

/// The two ends of each flow.
pub struct EndsByFlow<'a> {
    /// The sending end of each flow.
    pub senders: Vec<Option<&'a SendingEnd>>,
    /// The receiving end of each flow.
    pub receivers: Vec<Option<&'a ReceivingEnd>>,
}

impl<'a> EndsByFlow<'a> {
    /// The ends of so many `flows` at the hosts among `nodes`.
    pub fn of(nodes: &'a [AnyNode], flows: usize) -> EndsByFlow<'a> {
        let mut ends = EndsByFlow {
            senders: vec![None; flows],
            receivers: vec![None; flows],
        };
        for node in nodes {
            let AnyNode::Host(host) = node else {
                continue;
            };
            for sender in &host.senders {
                ends.senders[sender.flow as usize] = Some(sender);
            }
            for receiver in &host.receivers {
                ends.receivers[receiver.flow as usize] = Some(receiver);
            }
        }
        ends
    }
}
