//! How long packets and messages took: each flow by itself, and the flows of a group together.

use kernel::Network;
use models::metrics::Histogram;
use models::node::Node;

use super::{Name, Scope};
use crate::lower::Plan;

/// Times of all flows of a group.
#[derive(Clone, Debug, PartialEq)]
pub struct Distribution {
    /// The group, or the flow that is alone.
    pub scope: Scope,
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
        let (delays, completions) = of_flows(plan, network);
        let mut times = Times::default();
        let numbers: Vec<usize> = (0..plan.flows.len()).collect();
        let group = |flow: &usize| plan.flows[*flow].member.spec();
        for members in numbers.chunk_by(|one, next| group(one) == group(next)) {
            for flow in members {
                times
                    .metrics
                    .push(metrics(delays[*flow], completions[*flow]));
            }
            let scope = Scope::Flow(Name::alone(&plan.spec.flow.0[group(&members[0])].0));
            for (quantity, of_flows) in [("delay", &delays), ("completion_time", &completions)] {
                let known = members.iter().filter_map(|flow| of_flows[*flow]);
                times.groups.extend(together(&scope, quantity, known));
            }
        }
        times
    }
}

/// How long packets and messages of each flow took, where they were counted.
type OfFlows<'a> = Vec<Option<&'a Histogram>>;

fn of_flows<'a>(plan: &Plan, network: &'a Network<Node>) -> (OfFlows<'a>, OfFlows<'a>) {
    let mut delays = vec![None; plan.flows.len()];
    let mut completions = delays.clone();
    for node in &network.nodes {
        let Node::Host(host) = node else {
            continue;
        };
        for sender in &host.senders {
            completions[sender.flow as usize] = sender.completions();
        }
        for receiver in &host.receivers {
            delays[receiver.flow as usize] = Some(&receiver.delays);
        }
    }
    (delays, completions)
}

/// What is told of one flow.
fn metrics(
    delays: Option<&Histogram>,
    completions: Option<&Histogram>,
) -> Vec<(&'static str, f64)> {
    let mut metrics = Vec::new();
    let of_both = [
        ("messages", completions, COMPLETIONS),
        ("packets_delivered", delays, DELAYS),
    ];
    for (count, times, names) in of_both {
        let Some(times) = times else {
            continue;
        };
        metrics.push((count, times.count() as f64));
        metrics.extend(times.metrics(names));
    }
    metrics
}

/// Times of all members of a group, if there were any.
fn together<'a>(
    scope: &Scope,
    quantity: &'static str,
    mut known: impl Iterator<Item = &'a Histogram>,
) -> Option<Distribution> {
    let mut times = known.next()?.clone();
    known.for_each(|more| times.add(more));
    (times.count() > 0).then(|| Distribution {
        scope: scope.clone(),
        quantity,
        times,
    })
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
