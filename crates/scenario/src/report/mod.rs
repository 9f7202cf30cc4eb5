//! What comes back from a run: labelled numbers in a fixed order, and series on request.

mod events;
mod paced;
mod passing;
mod reader;
mod series;

use std::collections::BTreeMap;

use kernel::{Network, Time};
use models::class::Class;
use models::metrics::{METRICS, Scope};
use models::node::Node;

use crate::lower::Plan;
use reader::Reader;
pub use series::Recorded;

/// The results of one run.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// Numbers: the network first, then flows, then ports, then classes where ports tell them apart,
    /// then links that lose, each as written in the scenario.
    pub scalars: Vec<Scalar>,
    /// Recorded series by name, such as `port s1->receiver queue`.
    pub series: BTreeMap<String, Recorded>,
    /// Why the results may have to be distrusted.
    pub warnings: Vec<String>,
    /// How much was simulated, for benchmarks: not part of the results.
    pub events: Events,
}

/// One number.
#[derive(Clone, Debug, PartialEq)]
pub struct Scalar {
    /// What it describes: `network`, `flow bulk[3]`, `port s1->receiver`, `class abr at s1->receiver`,
    /// `link s1->receiver`.
    pub scope: String,
    /// Name of the metric.
    pub metric: &'static str,
    /// Its value, in the unit of the metric.
    pub value: f64,
    /// SI unit.
    pub unit: &'static str,
}

/// How much was simulated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Events {
    /// Cells, counted on every link that they entered.
    pub cell_hops: u64,
    /// Packets or PDUs, counted likewise.
    pub packet_hops: u64,
    /// Operations on the heaps of hosts; there is no other heap.
    pub heap_operations: u64,
    /// Times that a node was let run.
    pub visits: u64,
}

impl Report {
    /// Reads all meters at the end of a run in which nodes were let run `visits` times.
    pub fn new(plan: &Plan, network: &mut Network<Node>, visits: u64) -> Report {
        let end = Time::ZERO + plan.spec.duration;
        let reader = Reader::new(plan, end);
        let flows = reader.flows(network);
        let ports = reader.ports(network, &flows);
        let mut scalars = Vec::new();
        let mut add = |scope: &str, kind: Scope, metrics: &[(&'static str, f64)]| {
            scalars.extend(metrics.iter().map(|(metric, value)| Scalar {
                scope: scope.to_string(),
                metric,
                value: *value,
                unit: unit(kind, metric),
            }));
        };
        add("network", Scope::Network, &reader.network(&flows, &ports));
        let paced = paced::metrics(plan, network, end, reader.span);
        let completions = reader.completions(network);
        for (flow, reading) in flows.iter().enumerate() {
            let mut metrics = reading.metrics(end, reader.span);
            metrics.extend(&completions[flow]);
            metrics.extend(&paced[flow]);
            add(
                &format!("flow {}", plan.flow_name(flow)),
                Scope::Flow,
                &metrics,
            );
        }
        for port in &ports {
            add(&format!("port {}", port.name), Scope::Port, &port.metrics);
        }
        for (name, metrics) in reader.classes(network) {
            add(&format!("class {name}"), Scope::Class, &metrics);
        }
        for (name, metrics) in reader.links(network) {
            add(&format!("link {name}"), Scope::Link, &metrics);
        }
        Report {
            scalars,
            series: series::recorded(plan, network, end),
            warnings: reader.warnings(&flows),
            events: events::counted(network, visits),
        }
    }

    /// The value of a metric.
    pub fn value(&self, scope: &str, metric: &str) -> Option<f64> {
        let mut scalars = self.scalars.iter();
        let found = scalars.find(|scalar| scalar.scope == scope && scalar.metric == metric);
        found.map(|scalar| scalar.value)
    }
}

fn unit(scope: Scope, name: &str) -> &'static str {
    let metric = METRICS
        .iter()
        .find(|metric| metric.scope == scope && metric.name == name);
    metric.expect("every metric is in the table").unit
}

/// The name of a class at an output.
pub fn class_name(class: usize, port: &str) -> String {
    format!("{} at {port}", Class::ALL[class].word())
}

/// The name of an output: the node that it belongs to and the one it leads to.
pub fn port_name(plan: &Plan, node: usize, output: usize) -> String {
    let topology = &plan.topology;
    let head = topology.head(topology.outputs(node)[output]);
    format!("{}->{}", plan.node_name(node), plan.node_name(head))
}
