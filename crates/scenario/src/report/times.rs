//! Delays of packets and completion times of messages, by flow and by group of flows.

use kernel::Network;
use models::metrics::{Histogram, Measurement, Timed};
use models::node::AnyNode;

use super::{Name, Scope};
use crate::lower::Plan;

/// Times of all flows of a group.
#[derive(Clone, Debug, PartialEq)]
pub struct Distribution {
    /// The group, or a flow that belongs to no group.
    pub scope: Scope,
    /// The times that were measured.
    pub of: Timed,
    /// Histogram of the times.
    pub times: Histogram,
}

/// Times of flows.
#[derive(Default)]
pub struct Times {
    /// Metrics of each flow, with their values.
    pub metrics: Vec<Vec<Measurement>>,
    /// Distributions of groups, in the order of their first flows.
    pub groups: Vec<Distribution>,
}

impl Times {
    /// Reads the histograms of hosts.
    pub fn read(plan: &Plan, network: &Network<AnyNode>) -> Times {
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
            let of_both = [
                (Timed::Delay, &delays),
                (Timed::CompletionTime, &completions),
            ];
            for (of, of_flows) in of_both {
                let known = members.iter().filter_map(|flow| of_flows[*flow]);
                times.groups.extend(together(&scope, of, known));
            }
        }
        times
    }
}

/// The histogram of each flow, if its host keeps one.
type OfFlows<'a> = Vec<Option<&'a Histogram>>;

fn of_flows<'a>(plan: &Plan, network: &'a Network<AnyNode>) -> (OfFlows<'a>, OfFlows<'a>) {
    let mut delays = vec![None; plan.flows.len()];
    let mut completions = delays.clone();
    for node in &network.nodes {
        let AnyNode::Host(host) = node else {
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

/// Metrics of one flow, with their values.
fn metrics(delays: Option<&Histogram>, completions: Option<&Histogram>) -> Vec<Measurement> {
    let of_both = [(Timed::CompletionTime, completions), (Timed::Delay, delays)];
    let measured = of_both
        .into_iter()
        .filter_map(|(of, times)| Some((of, times?)));
    measured.flat_map(|(of, times)| of.metrics(times)).collect()
}

/// Times of all members of a group; none if no time was measured.
fn together<'a>(
    scope: &Scope,
    of: Timed,
    mut known: impl Iterator<Item = &'a Histogram>,
) -> Option<Distribution> {
    let mut times = known.next()?.clone();
    known.for_each(|more| times.add(more));
    (times.count() > 0).then(|| Distribution {
        scope: scope.clone(),
        of,
        times,
    })
}
