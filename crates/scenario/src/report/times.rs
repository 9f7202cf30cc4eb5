//! How long packets and messages took: each flow by itself, and the flows of a group together.

use kernel::Network;
use models::metrics::Histogram;
use models::node::Node;

use crate::lower::Plan;

/// Times of all flows of a group.
#[derive(Clone, Debug, PartialEq)]
pub struct Distribution {
    /// The group, or the flow that is alone: `flow bulk`.
    pub scope: String,
    /// What took so long: `delay`, or `completion_time`.
    pub quantity: &'static str,
    /// How long.
    pub times: Histogram,
}

/// Times of flows.
#[derive(Default)]
pub struct Times {
    /// Metrics of each flow, by name.
    pub metrics: Vec<Vec<(&'static str, f64)>>,
    /// What there is of groups, in the order of their first flows.
    pub groups: Vec<Distribution>,
}

impl Times {
    /// Reads what hosts have counted.
    pub fn read(plan: &Plan, network: &Network<Node>) -> Times {
        let mut of_flows = vec![[Histogram::default(), Histogram::default()]; plan.flows.len()];
        let mut metrics = vec![Vec::new(); plan.flows.len()];
        for node in &network.nodes {
            let Node::Host(host) = node else {
                continue;
            };
            for sender in &host.senders {
                let flow = sender.flow as usize;
                if let Some(completions) = sender.completions() {
                    metrics[flow].push(("messages", completions.count() as f64));
                    metrics[flow].extend(completions.metrics(COMPLETIONS));
                    of_flows[flow][1] = completions.clone();
                }
            }
            for receiver in &host.receivers {
                of_flows[receiver.flow as usize][0] = receiver.delays.clone();
            }
        }
        let mut times = Times {
            metrics,
            groups: Vec::new(),
        };
        for (flow, [delays, completions]) in of_flows.iter().enumerate() {
            times.metrics[flow].push(("packets_delivered", delays.count() as f64));
            times.metrics[flow].extend(delays.metrics(DELAYS));
            let name = plan.flow_name(flow);
            let group = name.split('[').next().unwrap_or(&name);
            times.add(group, "delay", delays);
            times.add(group, "completion_time", completions);
        }
        times
    }

    /// Adds times of a flow to those of its group. Flows of a group follow one another.
    fn add(&mut self, group: &str, quantity: &'static str, times: &Histogram) {
        if times.count() == 0 {
            return;
        }
        let mut latest = self.groups.iter_mut().rev().take(2);
        let found = latest.find(|known| {
            known.quantity == quantity && known.scope.strip_prefix("flow ") == Some(group)
        });
        match found {
            Some(known) => known.times.add(times),
            None => self.groups.push(Distribution {
                scope: format!("flow {group}"),
                quantity,
                times: times.clone(),
            }),
        }
    }
}

/// What the mean and the quantiles of completion times are called, and the longest.
const COMPLETIONS: [&str; 6] = [
    "mean_completion_time",
    "median_completion_time",
    "p95_completion_time",
    "p99_completion_time",
    "p999_completion_time",
    "max_completion_time",
];

/// Those of delays.
const DELAYS: [&str; 6] = [
    "mean_delay",
    "median_delay",
    "p95_delay",
    "p99_delay",
    "p999_delay",
    "max_delay",
];
