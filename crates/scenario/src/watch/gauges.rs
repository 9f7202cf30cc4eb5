//! Gauges: numbers that are read again and again, always the same in the same order.

use kernel::{Network, Seed, Time};
use models::cell::CELL_OCTETS;
use models::credit::Allowance;
use models::host::{Host, SendingEnd};
use models::node::Node;
use models::output::Port;
use models::vc::Vc;

use super::drops::Dropped;
use crate::lower::Plan;
use crate::report::port_name;

/// A number that is read again and again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gauge {
    /// What it describes, as in reports: `port s1->receiver`, `flow bulk[3]`.
    pub scope: String,
    /// The link that an output leads to and its direction, as in [`super::Drop`]; or the number of the flow.
    pub place: u32,
    /// What it is; of the credit that a flow has at an output also which, as in `credit s1->s2`.
    pub quantity: String,
    /// SI unit, or cells.
    pub unit: &'static str,
}

/// Where a gauge is read.
#[derive(Clone, Copy)]
enum Place {
    Output(Output),
    Flow(usize),
    /// Of a flow at an output.
    Channel(usize, Output),
}

/// An output of a node.
#[derive(Clone, Copy)]
struct Output {
    node: usize,
    number: usize,
}

/// A quantity, its unit and its value.
type Reading = (&'static str, &'static str, f64);

/// What the numbers of a row are: of all outputs, node by node, of all flows, host by host, and of what
/// flows have left of credit, output by output.
pub fn gauges(plan: &Plan) -> Vec<Gauge> {
    let seed = Seed {
        seed: plan.spec.seed,
        replication: 0,
    };
    let mut gauges = Vec::new();
    let mut view = View {
        plan,
        network: &mut plan.network(seed),
        now: Time::ZERO,
        dropped: &Dropped::new(plan),
    };
    view.each(|place, (quantity, unit, _)| {
        let at = |Output { node, number }| port_name(plan, node, number);
        let of_flow = |flow| (format!("flow {}", plan.flow_name(flow)), flow as u32);
        let ((scope, place), quantity) = match place {
            Place::Output(output) => {
                let hop = plan.topology.outputs(output.node)[output.number];
                let scope = format!("port {}", at(output));
                ((scope, hop.number()), quantity.into())
            }
            Place::Flow(flow) => (of_flow(flow), quantity.into()),
            Place::Channel(flow, output) => (of_flow(flow), format!("{quantity} {}", at(output))),
        };
        gauges.push(Gauge {
            scope,
            place,
            quantity,
            unit,
        });
    });
    gauges
}

/// A network as it stands at an instant, before which everything has happened.
pub struct View<'a> {
    /// What is run.
    pub plan: &'a Plan,
    /// Its network.
    pub network: &'a mut Network<Node>,
    /// The instant.
    pub now: Time,
    /// What has been dropped until then.
    pub dropped: &'a Dropped,
}

impl View<'_> {
    /// Adds a row of gauges.
    pub fn read(&mut self, row: &mut Vec<f64>) {
        self.each(|_, (_, _, value)| row.push(value));
    }

    fn each(&mut self, mut see: impl FnMut(Place, Reading)) {
        let now = self.now;
        for (node, found) in self.network.nodes.iter_mut().enumerate() {
            for (number, port) in found.ports_mut().into_iter().enumerate() {
                for reading in of_port(port, now) {
                    see(Place::Output(Output { node, number }), reading);
                }
            }
        }
        for found in &mut self.network.nodes {
            if let Node::Host(host) = found {
                of_host(host, now, self.dropped, &mut see);
            }
        }
        for node in 0..self.network.nodes.len() {
            self.each_credit(node, &mut see);
        }
    }

    /// The credit of flows at a node for what they send; acknowledgments need little.
    fn each_credit(&self, node: usize, see: &mut impl FnMut(Place, Reading)) {
        for (number, hop) in self.plan.topology.outputs(node).iter().enumerate() {
            if self.plan.link_spec(hop.link()).credit.is_none() {
                continue;
            }
            for (vc, channel) in (0..).map(Vc).zip(self.plan.channels(*hop)) {
                let allowance = allowance(&self.network.nodes[node], number, vc);
                let Some(Allowance { left, part }) = allowance.filter(|_| !channel.back) else {
                    continue;
                };
                let place = Place::Channel(channel.flow, Output { node, number });
                see(place, ("credit", "cells", f64::from(left)));
                if let Some(part) = part {
                    see(place, ("part", "cells", f64::from(part)));
                }
            }
        }
    }
}

fn allowance(node: &Node, output: usize, vc: Vc) -> Option<Allowance> {
    match node {
        Node::Host(host) => host.nic.paced.as_ref()?.allowance(vc),
        Node::Switch(switch) => switch.outputs.ports[output].allowance(vc),
        Node::Router(_) | Node::Edge(_) => None,
    }
}

/// What waits at an output, and what was sent and dropped there since the start.
fn of_port(port: &mut dyn Port, now: Time) -> [Reading; 3] {
    let cells = port.capacity().octets as f64 / CELL_OCTETS as f64;
    let in_cells = |units: u64| units as f64 * cells;
    let waiting = port.backlog(now).waiting;
    let meter = port.meter();
    let sent = meter.accepted_ever().units - waiting;
    [
        ("queue", "cells", in_cells(waiting)),
        ("sent", "cells", in_cells(sent)),
        ("dropped", "cells", in_cells(meter.refused_ever().units)),
    ]
}

fn of_host(host: &mut Host, now: Time, dropped: &Dropped, see: &mut impl FnMut(Place, Reading)) {
    for sender in &mut host.senders {
        let flow = sender.flow as usize;
        let place = Place::Flow(flow);
        for reading in of_flow(sender) {
            see(place, reading);
        }
        see(place, ("dropped", "1", dropped.of_flow(flow) as f64));
        for (quantity, value) in sender.state(now).iter().flat_map(|state| state.0) {
            see(place, (quantity, value.unit(), value.value()));
        }
        let paced = host.nic.paced.as_ref();
        if let Some(level) = paced.and_then(|paced| paced.level(sender.vc)) {
            see(place, ("source_queue", "cells", level.waiting as f64));
            if let Some(acr) = level.acr {
                see(place, ("acr", "cells/s", acr));
            }
        }
    }
}

/// What a flow has brought over, and what that took; all but the first since counting began.
fn of_flow(sender: &mut SendingEnd) -> [Reading; 4] {
    let acknowledged = sender.acknowledged() as f64;
    let meter = sender.meter();
    [
        ("acknowledged", "B", acknowledged),
        ("resent", "packets", (meter.packets - meter.distinct) as f64),
        ("timeouts", "1", f64::from(meter.timeouts)),
        ("fast_retransmits", "1", f64::from(meter.fast_retransmits)),
    ]
}
