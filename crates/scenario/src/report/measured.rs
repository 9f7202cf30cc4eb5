//! What was counted from one instant to another, as labelled numbers.

use kernel::{Network, Time};
use models::metrics::{METRICS, Scope};
use models::node::Node;

use super::reader::Reader;
use super::{Scalar, drops, paced, warnings};
use crate::lower::Plan;

/// What was counted from one instant to another.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Measured {
    /// Numbers, in the order of a report.
    pub scalars: Vec<Scalar>,
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
        let completions = reader.completions(network);
        for (flow, reading) in flows.iter().enumerate() {
            let mut metrics = reading.metrics(reader.span);
            metrics.extend(&completions[flow]);
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
        measured.warnings = warnings::of(plan, &flows);
        measured
    }

    fn add(&mut self, scope: &str, kind: Scope, metrics: &[(&'static str, f64)]) {
        self.scalars
            .extend(metrics.iter().map(|(metric, value)| Scalar {
                scope: scope.to_string(),
                metric,
                value: *value,
                unit: unit(kind, metric),
            }));
    }
}

fn unit(scope: Scope, name: &str) -> &'static str {
    let metric = METRICS
        .iter()
        .find(|metric| metric.scope == scope && metric.name == name);
    metric.expect("every metric is in the table").unit
}
