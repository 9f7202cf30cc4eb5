//! Series, by scope and quantity.

use std::collections::BTreeMap;
use std::ops::Index;
use std::sync::Arc;

use kernel::{Network, Time};
use models::edge::Edge;
use models::host::Host;
use models::metrics::{Drops, Series};
use models::node::AnyNode;
use models::wire::class::Class;
use models::wire::vc::Vc;

use super::{Name, Place, Scope};
use crate::lower::recorded::{OF_ALLOCATOR, OF_PACED, OF_RECEIVER};
use crate::lower::{Plan, PlannedVc};

/// Series by scope and quantity, such as `queue`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SeriesByScope(pub BTreeMap<Scope, Quantities>);

/// Series by quantity.
pub type Quantities = BTreeMap<&'static str, Recorded>;

impl Index<&str> for SeriesByScope {
    type Output = Quantities;

    /// The series of the scope with this text.
    ///
    /// # Panics
    /// If the scope has no series.
    fn index(&self, text: &str) -> &Quantities {
        let mut scopes = self.0.iter();
        let found = scopes.find(|(scope, _)| scope.to_string() == text);
        found.expect("series of this scope").1
    }
}

/// All series that were recorded until `end`.
pub fn recorded(plan: &Plan, network: &mut Network<AnyNode>, end: Time) -> SeriesByScope {
    let mut recordings = Recordings::default();
    for (number, node) in network.nodes.iter_mut().enumerate() {
        recordings.add_outputs(plan, number, node, end);
        recordings.add_credit(plan, number, node, end);
        match node {
            AnyNode::Host(host) => recordings.add_flows(plan, host, end),
            AnyNode::Edge(edge) => recordings.add_rates(plan, number, edge, end),
            AnyNode::Switch(_) | AnyNode::Router(_) => {}
        }
    }
    recordings.0
}

/// Series that have been read.
#[derive(Default)]
struct Recordings(SeriesByScope);

impl Recordings {
    /// Queues and drops of the outputs of a node, and drops of the links that they feed.
    fn add_outputs(&mut self, plan: &Plan, number: usize, node: &mut AnyNode, end: Time) {
        let hops = plan.topology.outputs(number);
        for (output, port) in node.ports_mut().into_iter().enumerate() {
            let vcs: Vec<PlannedVc> = plan.paths.vcs(hops[output]).collect();
            let place = Place::of(plan, number, output);
            let name = Scope::Port(place.clone());
            let unit = port.unit();
            if let Some(queue) = port.take_queue(end) {
                self.add(&name, "queue", unit.word(), queue.all);
                for (planned, of_vc) in vcs.iter().zip(queue.by_vc) {
                    let scope = of_flow(&place, plan, planned);
                    self.add(&scope, "queue", unit.word(), of_vc);
                }
                for (class, of_class) in queue.by_class {
                    let scope = Scope::Class(Class::ALL[class], place.clone());
                    self.add(&scope, "queue", unit.word(), of_class);
                }
            }
            if let Some(series) = port.allocation_mut().and_then(|meter| meter.series.take()) {
                let all = [
                    series.capacity,
                    series.load,
                    series.active,
                    series.fair_share,
                ];
                for ((quantity, unit), series) in OF_ALLOCATOR.into_iter().zip(all) {
                    self.add(&name, quantity, unit, series);
                }
            }
            let drops = port.meter_mut().drops.take();
            if let Some(drops) = drops.filter(|drops| drops.is_listed) {
                self.add_drops(&name, &drops, &vcs);
            }
        }
        for (output, link) in node.losses_mut().into_iter().enumerate() {
            let drops = link.and_then(|link| link.meter.drops.take());
            if let Some(drops) = drops.filter(|drops| drops.is_listed) {
                let vcs: Vec<PlannedVc> = plan.paths.vcs(hops[output]).collect();
                let name = Scope::Link(Place::of(plan, number, output));
                self.add_drops(&name, &drops, &vcs);
            }
        }
    }

    /// The credit of each VC on the controlled links over which a node sends.
    fn add_credit(&mut self, plan: &Plan, number: usize, node: &mut AnyNode, end: Time) {
        for (output, hop) in plan.topology.outputs(number).iter().enumerate() {
            if plan.link_spec(hop.link()).credit.is_none() {
                continue;
            }
            let recorded = match node {
                AnyNode::Host(host) => {
                    let paced = host.nics.link_mut(output).paced.as_mut();
                    paced.map_or(Vec::new(), |paced| paced.take_credit(end))
                }
                AnyNode::Switch(switch) => switch.outputs.ports[output].take_credit(end),
                AnyNode::Router(_) | AnyNode::Edge(_) => Vec::new(),
            };
            let place = Place::of(plan, number, output);
            let vcs: Vec<PlannedVc> = plan.paths.vcs(*hop).collect();
            for (vc, series) in recorded {
                let scope = of_flow(&place, plan, &vcs[vc.index()]);
                self.add(&scope, "vc_credit", "cells", series);
            }
        }
    }

    /// Windows, timers and rates of the flows that a host sends, and the delivered data of the
    /// flows that it receives.
    fn add_flows(&mut self, plan: &Plan, host: &mut Host, end: Time) {
        for sender in &mut host.senders {
            sender.catch_up(end);
            let Some(series) = sender.series.take() else {
                continue;
            };
            let scope = Scope::Flow(Name::of_flow(plan, sender.flow as usize));
            for recording in series.0 {
                self.add(&scope, recording.name, recording.unit, recording.series);
            }
        }
        for sender in &host.senders {
            let paced = host.nics.paced_mut(sender.via);
            let recorded = paced.and_then(|(paced, vc)| paced.take_recorded(end, vc));
            let Some(series) = recorded else {
                continue;
            };
            let scope = Scope::Flow(Name::of_flow(plan, sender.flow as usize));
            let all = [Some(series.queue), series.acr];
            for ((quantity, unit), series) in OF_PACED.into_iter().zip(all) {
                if let Some(series) = series {
                    self.add(&scope, quantity, unit, series);
                }
            }
        }
        for receiver in &mut host.receivers {
            if let Some(mut delivered) = receiver.take_delivered() {
                delivered.catch_up(end);
                let scope = Scope::Flow(Name::of_flow(plan, receiver.flow as usize));
                let [(quantity, unit)] = OF_RECEIVER;
                self.add(&scope, quantity, unit, delivered.series);
            }
        }
    }

    /// The allowed cell rates of the flows that an edge segments. The cells of these flows wait in
    /// the queues of the edge.
    fn add_rates(&mut self, plan: &Plan, number: usize, edge: &mut Edge, end: Time) {
        for (output, port) in edge.cell_ports_mut() {
            let vcs = plan.paths.vcs(plan.topology.outputs(number)[output]);
            for (vc, planned) in (0u32..).map(Vc).zip(vcs) {
                let recorded = port.paced.take_recorded(end, vc);
                if let Some(acr) = recorded.and_then(|series| series.acr)
                    && !planned.back
                {
                    let scope = Scope::Flow(Name::of_flow(plan, planned.flow));
                    let [_, (quantity, unit)] = OF_PACED;
                    self.add(&scope, quantity, unit, acr);
                }
            }
        }
    }

    fn add_drops(&mut self, scope: &Scope, drops: &Drops, vcs: &[PlannedVc]) {
        let drops = drops.list.iter();
        let times: Arc<[Time]> = drops.clone().map(|drop| drop.at).collect();
        let flow = |vc: u32| vcs[vc as usize].flow as f64;
        let flows = drops.clone().map(|drop| flow(drop.vc)).collect();
        let pdus = drops.map(|drop| f64::from(drop.pdu)).collect();
        for (what, unit, values) in [("drops", "flow", flows), ("dropped_pdus", "pdu", pdus)] {
            let times = Arc::clone(&times);
            let samples = Samples::Instants { times, values };
            self.insert(scope, what, Recorded { unit, samples });
        }
    }

    fn add(&mut self, scope: &Scope, quantity: &'static str, unit: &'static str, series: Series) {
        let samples = Samples::Grid(series);
        self.insert(scope, quantity, Recorded { unit, samples });
    }

    fn insert(&mut self, scope: &Scope, quantity: &'static str, recorded: Recorded) {
        let of_scope = self.0.0.entry(scope.clone()).or_default();
        of_scope.insert(quantity, recorded);
    }
}

/// The scope of one virtual channel at a port.
fn of_flow(place: &Place, plan: &Plan, planned: &PlannedVc) -> Scope {
    Scope::Vc(Name::of_flow(plan, planned.flow), place.clone())
}

/// A series and its unit.
#[derive(Clone, Debug, PartialEq)]
pub struct Recorded {
    /// SI unit, or cells; `flow` if the values are numbers of flows, in the order of the scenario.
    pub unit: &'static str,
    samples: Samples,
}

#[derive(Clone, Debug, PartialEq)]
enum Samples {
    Grid(Series),
    Instants {
        times: Arc<[Time]>,
        values: Vec<f64>,
    },
}

impl Recorded {
    /// Times in seconds.
    pub fn times(&self) -> Vec<f64> {
        match &self.samples {
            Samples::Grid(series) => series.times().map(Time::seconds).collect(),
            Samples::Instants { times, .. } => times.iter().map(|time| time.seconds()).collect(),
        }
    }

    /// Values, as many as there are times.
    pub fn values(&self) -> Vec<f64> {
        match &self.samples {
            Samples::Grid(series) => series.values().collect(),
            Samples::Instants { values, .. } => values.clone(),
        }
    }
}
