//! What was counted from one instant to another, as labelled numbers.

use kernel::{Network, Time};
use models::metrics::{Metric, Scope};
use models::node::Node;

use super::reader::Reader;
use super::times::{Distribution, Times};
use super::{Scalar, drops, paced, warnings};
use crate::lower::Plan;

/// What was counted from one instant to another.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Measured {
    /// Numbers, in the order of a report.
    pub scalars: Vec<Scalar>,
    /// How long packets and messages of each group of flows took.
    pub distributions: Vec<Distribution>,
    /// Why they may have to be distrusted.
    pub warnings: Vec<String>,
}

impl Measured {
    /// Reads all meters at `end`, which have counted since `start`.
    pub fn read(plan: &Plan, network: &mut Network<Node>, start: Time, end: Time) -> Measured {
        let reader = Reader::new(plan, start, end);
        let flows = reader.flows(network);
        let ports = reader.ports(network, &flows);
        let mut measured = Measured::default();
        measured.add("network", Scope::Network, &reader.network(&flows, &ports));
        let paced = paced::metrics(plan, network, end, reader.span);
        let times = Times::read(plan, network);
        for (flow, reading) in flows.iter().enumerate() {
            let mut metrics = reading.metrics(reader.span);
            metrics.extend(&times.metrics[flow]);
            metrics.extend(&paced[flow]);
            let name = format!("flow {}", plan.flow_name(flow));
            measured.add(&name, Scope::Flow, &metrics);
        }
        for port in &ports {
            measured.add(&format!("port {}", port.name), Scope::Port, &port.metrics);
        }
        for (name, metrics) in reader.classes(network) {
            measured.add(&format!("class {name}"), Scope::Class, &metrics);
        }
        for (name, metrics) in reader.links(network) {
            measured.add(&format!("link {name}"), Scope::Link, &metrics);
        }
        for (name, metrics) in drops::metrics(plan, network) {
            measured.add(&format!("drop {name}"), Scope::Drop, &metrics);
        }
        measured.distributions = times.groups;
        measured.warnings = warnings::of(plan, &flows);
        measured
    }

    fn add(&mut self, scope: &str, kind: Scope, metrics: &[(&'static str, f64)]) {
        self.scalars.extend(metrics.iter().map(|(metric, value)| {
            let known = Metric::of(kind, metric).expect("every metric is in the table");
            Scalar {
                scope: scope.to_string(),
                metric,
                value: *value,
                unit: known.unit,
                ratio: known.ratio,
            }
        }));
    }
}
