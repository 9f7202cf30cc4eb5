//! Delays of packets, completion times of messages and slowdowns of connections, by flow and by
//! group of flows.

use kernel::Network;
use models::metrics::{ConnectionMeter, Histogram, Measurement, Timed};
use models::node::AnyNode;

use super::{Name, Scope};
use crate::lower::Plan;

/// Times of all flows of a group.
#[derive(Clone, Debug, PartialEq)]
pub struct GroupTimes {
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
    pub groups: Vec<GroupTimes>,
}

impl Times {
    /// Reads the histograms of hosts.
    pub fn read(plan: &Plan, network: &Network<AnyNode>) -> Times {
        let of_flows = of_flows(plan, network);
        let mut times = Times::default();
        let numbers: Vec<usize> = (0..plan.flows.len()).collect();
        let group = |flow: &usize| plan.flows[*flow].member.spec();
        for members in numbers.chunk_by(|one, next| group(one) == group(next)) {
            for flow in members {
                // Delays come last in a report.
                let measured = of_flows[1..].iter().chain(&of_flows[..1]);
                let measured = measured.filter_map(|(of, of_flows)| Some((of, of_flows[*flow]?)));
                let metrics = measured.flat_map(|(of, times)| of.metrics(times));
                times.metrics.push(metrics.collect());
            }
            let scope = Scope::Flow(Name::alone(&plan.spec.flow.0[group(&members[0])].0));
            for (of, of_flows) in &of_flows {
                let known = members.iter().filter_map(|flow| of_flows[*flow]);
                times.groups.extend(together(&scope, *of, known));
            }
        }
        times
    }
}

/// Each kind of times, with the histogram of each flow if its host keeps one.
type OfFlows<'a> = Vec<(Timed, Vec<Option<&'a Histogram>>)>;

fn of_flows<'a>(plan: &Plan, network: &'a Network<AnyNode>) -> OfFlows<'a> {
    let none = || vec![None; plan.flows.len()];
    let mut found = vec![(Timed::Delay, none()), (Timed::CompletionTime, none())];
    for node in &network.nodes {
        let AnyNode::Host(host) = node else {
            continue;
        };
        for sender in &host.senders {
            let flow = sender.flow as usize;
            found[1].1[flow] = sender.completions();
            let of_connections = sender.connections().map(ConnectionMeter::distributions);
            for (of, times) in of_connections.into_iter().flatten() {
                let place = found.iter().position(|(one, _)| *one == of);
                let place = place.unwrap_or_else(|| {
                    found.push((of, none()));
                    found.len() - 1
                });
                found[place].1[flow] = Some(times);
            }
        }
        for receiver in &host.receivers {
            found[0].1[receiver.flow as usize] = Some(&receiver.delays);
        }
    }
    found
}

/// Times of all members of a group; none if no time was measured.
fn together<'a>(
    scope: &Scope,
    of: Timed,
    mut known: impl Iterator<Item = &'a Histogram>,
) -> Option<GroupTimes> {
    let mut times = known.next()?.clone();
    known.for_each(|more| times.add(more));
    (times.count() > 0).then(|| GroupTimes {
        scope: scope.clone(),
        of,
        times,
    })
}
