//! The connections of a run as rows: how long each took, and what it cost.

use kernel::Network;
use models::metrics::{ConnectionOutcome, ListedConnection};
use models::node::{AnyNode, EndsByFlow};

use crate::lower::Plan;
use crate::scope::Name;

/// The connections that come and go in a run, in the order of their arrivals.
#[derive(Clone, Debug, Default)]
pub struct ConnectionTable {
    /// Names of the flows, by number.
    pub flows: Vec<Name>,
    /// Names of the hosts at which each flow begins and ends.
    pub hosts: Vec<[Name; 2]>,
    /// A row for each connection.
    pub rows: Vec<ConnectionRow>,
}

/// One connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConnectionRow {
    /// Number of its flow.
    pub flow: u32,
    /// Its number among the connections of its flow, from one.
    pub number: u64,
    /// Its times and counts.
    pub connection: ListedConnection,
}

/// Lists the connections of a network, before its first event.
pub fn list(network: &mut Network<AnyNode>) {
    for node in &mut network.nodes {
        if let AnyNode::Host(host) = node {
            for end in &mut host.senders {
                end.sender_mut().list_connections();
            }
        }
    }
}

impl ConnectionTable {
    /// The connections that have arrived so far.
    pub fn so_far(plan: &Plan, network: &Network<AnyNode>) -> ConnectionTable {
        let ends = EndsByFlow::of(&network.nodes, plan.paths.flows.len());
        let mut rows = Vec::new();
        for (flow, end) in (0..).zip(&ends.senders) {
            let Some(end) = end else {
                continue;
            };
            let first = rows.len();
            let listed = (1..).zip(end.listed_connections());
            rows.extend(listed.map(|(number, connection)| ConnectionRow {
                flow,
                number,
                connection: *connection,
            }));
            if rows.len() == first {
                continue;
            }
            // Of some that have arrived the sender does not know yet.
            let receiver = ends.receivers[flow as usize];
            for message in end.underway() {
                if let Some(at) = receiver.and_then(|end| end.completed(message.end)) {
                    let row: &mut ConnectionRow = &mut rows[first + message.place];
                    let time = at.since(message.began);
                    row.connection.outcome = ConnectionOutcome::Completed(time);
                }
            }
        }
        rows.sort_unstable_by_key(|row| (row.connection.arrived, row.flow, row.number));
        let flows = 0..plan.paths.flows.len();
        ConnectionTable {
            flows: flows
                .clone()
                .map(|flow| Name::of_flow(plan, flow))
                .collect(),
            hosts: flows
                .map(|flow| plan.hosts(flow).map(|node| Name::of_node(plan, node)))
                .collect(),
            rows,
        }
    }
}
