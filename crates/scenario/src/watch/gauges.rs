//! Gauges: numbers that can be read at any instant of a run, always in the same order.

use kernel::{Network, Seed, Time};
use models::host::{Host, SendingEnd};
use models::link::credit::CreditReading;
use models::metrics::Backlog;
use models::node::AnyNode;
use models::output::Port;
use models::wire::vc::Vc;

use super::drops::DropLog;
use super::quantity::GaugeQuantity;
use crate::lower::Plan;
use crate::scope::{Name, Place, Scope};

/// A number that can be read at any instant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gauge {
    /// The output, the flow, or the VC of a flow at an output, that the gauge describes.
    pub scope: Scope,
    /// Number of the output, as in [`super::PduDrop`].
    pub hop: Option<u32>,
    /// Number of the flow in the scenario.
    pub flow: Option<u32>,
    /// The quantity.
    pub quantity: &'static GaugeQuantity,
}

/// The scope, output and flow of a gauge.
#[derive(Clone, Copy)]
enum Site {
    Output(Output),
    Flow(usize),
    /// The VC of a flow at an output.
    Vc(usize, Output),
}

impl Site {
    fn gauge(self, plan: &Plan, quantity: &'static GaugeQuantity) -> Gauge {
        let hop = |Output { node, number }| plan.topology.outputs(node)[number].number();
        let place = |Output { node, number }| Place::of(plan, node, number);
        let name = |flow| Name::of_flow(plan, flow);
        let (scope, hop, flow) = match self {
            Site::Output(at) => (Scope::Port(place(at)), Some(hop(at)), None),
            Site::Flow(flow) => (Scope::Flow(name(flow)), None, Some(flow as u32)),
            Site::Vc(flow, at) => {
                let scope = Scope::Vc(name(flow), place(at));
                (scope, Some(hop(at)), Some(flow as u32))
            }
        };
        Gauge {
            scope,
            hop,
            flow,
            quantity,
        }
    }
}

/// An output of a node.
#[derive(Clone, Copy)]
struct Output {
    node: usize,
    number: usize,
}

/// A quantity, its unit and its value.
type Reading = (&'static str, &'static str, f64);

/// All gauges in their order: those of all outputs, node by node; those of all flows, host by host;
/// and the credit of VCs, output by output.
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
        dropped: &DropLog::new(plan),
    };
    view.each(|site, (quantity, unit, _)| {
        gauges.push(site.gauge(plan, GaugeQuantity::of(quantity, unit)));
    });
    gauges
}

/// A network at an instant, before which every event has happened.
pub struct View<'a> {
    /// Plan of the run.
    pub plan: &'a Plan,
    /// Network of the run.
    pub network: &'a mut Network<AnyNode>,
    /// The instant.
    pub now: Time,
    /// Drops so far.
    pub dropped: &'a DropLog,
}

impl View<'_> {
    /// Appends a row of gauges.
    pub fn read(&mut self, row: &mut Vec<f64>) {
        self.each(|_, (_, _, value)| row.push(value));
    }

    fn each(&mut self, mut see: impl FnMut(Site, Reading)) {
        let now = self.now;
        for (node, found) in self.network.nodes.iter_mut().enumerate() {
            for (number, port) in found.ports_mut().into_iter().enumerate() {
                for reading in of_port(port, now) {
                    see(Site::Output(Output { node, number }), reading);
                }
            }
        }
        for found in &mut self.network.nodes {
            if let AnyNode::Host(host) = found {
                of_host(host, now, self.dropped, &mut see);
            }
        }
        for node in 0..self.network.nodes.len() {
            self.each_credit(node, &mut see);
        }
    }

    /// The VC credit of flows at a node in the direction of their data. The credit of
    /// acknowledgments is left out, because it hardly ever limits them.
    fn each_credit(&self, node: usize, see: &mut impl FnMut(Site, Reading)) {
        for (number, hop) in self.plan.topology.outputs(node).iter().enumerate() {
            if self.plan.link_spec(hop.link()).credit.is_none() {
                continue;
            }
            for (vc, planned) in (0..).map(Vc).zip(self.plan.paths.vcs(*hop)) {
                let allowance = allowance(&self.network.nodes[node], number, vc);
                let Some(CreditReading { left, part }) = allowance.filter(|_| !planned.back) else {
                    continue;
                };
                let site = Site::Vc(planned.flow, Output { node, number });
                see(site, ("vc_credit", "cells", f64::from(left)));
                if let Some(part) = part {
                    see(site, ("part", "cells", f64::from(part)));
                }
            }
        }
    }
}

fn allowance(node: &AnyNode, output: usize, vc: Vc) -> Option<CreditReading> {
    match node {
        AnyNode::Host(host) => host.nics.link(output).paced.as_ref()?.allowance(vc),
        AnyNode::Switch(switch) => switch.outputs.ports[output].allowance(vc),
        AnyNode::Router(_) | AnyNode::Edge(_) => None,
    }
}

/// Queue length of an output, and what it sent and dropped since the start: cells, or octets of packets.
fn of_port(port: &mut dyn Port, now: Time) -> [Reading; 3] {
    let unit = port.unit().word();
    let Backlog { waiting, queue, .. } = port.backlog(now);
    let meter = port.meter();
    let sent = meter.accepted_ever().units - waiting;
    [
        ("queue", unit, queue as f64),
        ("sent", unit, sent as f64),
        ("dropped", unit, meter.dropped_ever().units as f64),
    ]
}

fn of_host(host: &mut Host, now: Time, dropped: &DropLog, see: &mut impl FnMut(Site, Reading)) {
    for sender in &mut host.senders {
        let flow = sender.flow as usize;
        let site = Site::Flow(flow);
        for reading in of_flow(sender) {
            see(site, reading);
        }
        see(site, ("dropped", "1", dropped.of_flow(flow) as f64));
        for (quantity, value) in sender.state(now).iter().flat_map(|state| state.0) {
            see(site, (quantity, value.unit(), value.value()));
        }
        let paced = host.nics.paced(sender.via);
        if let Some(reading) = paced.and_then(|(paced, vc)| paced.reading(vc)) {
            see(site, ("source_queue", "cells", reading.waiting as f64));
            if let Some(acr) = reading.acr {
                see(site, ("acr", "cells/s", acr));
            }
        }
    }
}

/// Data acknowledged to a flow since the start of the run, and its retransmissions and timeouts
/// since the end of the warm-up.
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
