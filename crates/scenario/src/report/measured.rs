//! The measurements of a run or a batch, as labelled numbers.

use std::sync::Arc;

use kernel::{Network, Time};
use models::metrics::Measurement;
use models::metrics::table::network;
use models::node::AnyNode;

use super::reader::MeterReader;
use super::times::{GroupTimes, Times};
use super::{Name, Scalar, Scope, Warning, deadlocks, drops, paced, trimmed, warnings};
use crate::lower::Plan;

/// The measurements of a run, or of one of its batches.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Measurements {
    /// Numbers, in the order of a report.
    pub scalars: Vec<Scalar>,
    /// Delays of packets and completion times of messages, by group of flows.
    pub distributions: Vec<GroupTimes>,
    /// Reasons to distrust the numbers.
    pub warnings: Vec<Warning>,
}

impl Measurements {
    /// Reads all meters at `end`, after they have counted since `start`.
    pub fn read(
        plan: &Plan,
        network: &mut Network<AnyNode>,
        start: Time,
        end: Time,
    ) -> Measurements {
        let reader = MeterReader::new(plan, start, end);
        let flows = reader.flows(network);
        let ports = reader.ports(network, &flows);
        let mut measured = Measurements::default();
        let times = Times::read(plan, network, start, end);
        measured.add(Scope::Network, &reader.network(&flows, &ports));
        let unfinished = times.unfinished.map(|count| count as f64);
        let unfinished = unfinished.map(|count| (network::unfinished_messages, count));
        measured.add(Scope::Network, unfinished.as_slice());
        let paced = paced::metrics(plan, network, end, reader.span);
        let connections = reader.connections(network);
        for (flow, reading) in flows.iter().enumerate() {
            let mut metrics = reading.metrics(reader.span);
            metrics.extend(&connections[flow]);
            metrics.extend(&times.metrics[flow]);
            metrics.extend(&paced[flow]);
            measured.add(Scope::Flow(Name::of_flow(plan, flow)), &metrics);
        }
        for port in &ports {
            measured.add(Scope::Port(port.place.clone()), &port.metrics);
        }
        for (scope, metrics) in reader.classes(network) {
            measured.add(scope, &metrics);
        }
        for (scope, metrics) in reader.links(network) {
            measured.add(scope, &metrics);
        }
        for (scope, metrics) in reader.pauses(network) {
            measured.add(scope, &metrics);
        }
        for (scope, metrics) in reader.packet_credits(network) {
            measured.add(scope, &metrics);
        }
        for (scope, metrics) in reader.priorities(network) {
            measured.add(scope, &metrics);
        }
        for (scope, metrics) in drops::metrics(plan, network) {
            measured.add(scope, &metrics);
        }
        measured.distributions = times.groups;
        measured.warnings = warnings::of(plan, &flows, reader.span);
        measured.warnings.extend(trimmed::of(plan, &flows, &ports));
        measured.warnings.extend(deadlocks::of(plan, network));
        measured
    }

    fn add(&mut self, scope: Scope, metrics: &[Measurement]) {
        let scope = Arc::new(scope);
        self.scalars.extend(metrics.iter().map(|(metric, value)| {
            debug_assert_eq!(scope.kind(), Some(metric.scope), "{}", metric.name);
            Scalar {
                scope: Arc::clone(&scope),
                metric,
                value: *value,
            }
        }));
    }
}
