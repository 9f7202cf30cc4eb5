//! Phase effects: a few of several equal flows get all the capacity, because links of equal rates
//! produce the same ties again and again, with the same outcome.
//!
//! Floyd and Jacobson, "On Traffic Phase Effects in Packet-Switched Gateways", Internetworking:
//! Research and Experience 3(3), 1992. The test is our own, and a warning rather than a proof: the
//! counts of a run do not show why a flow was starved.

use models::metrics::FlowReading;
use models::ties::TieRule;

use super::{Name, Place, Scope, Warning};
use crate::lower::{Hop, NodeKind, Plan};

/// A group of equal flows of which a phase effect has probably starved some.
pub struct Parted {
    /// Numbers of the starved flows, ascending.
    pub starved: Vec<usize>,
    /// The warning about the group.
    pub warning: Warning,
}

/// The groups of flows of which a phase effect has probably starved some members.
pub fn parted(plan: &Plan, flows: &[FlowReading]) -> Vec<Parted> {
    let numbers: Vec<usize> = (0..plan.flows.len()).collect();
    let spec = |flow: &usize| plan.flows[*flow].member.spec();
    let groups = numbers.chunk_by(|one, next| spec(one) == spec(next));
    groups
        .filter_map(|group| of_group(plan, group, flows))
        .collect()
}

fn of_group(plan: &Plan, group: &[usize], flows: &[FlowReading]) -> Option<Parted> {
    let flow = plan.flow_spec(group[0]);
    if group.len() < 2 || !flow.source.is_greedy() || flow.jitter.is_some() {
        return None;
    }
    let hop = bottleneck(plan, group)?;
    let Prone { port, node } = prone(plan, hop)?;
    let starved = starved(group, flows);
    if starved.is_empty() {
        return None;
    }
    let name = &plan.spec.flow.0[plan.flows[group[0]].member.spec()].0;
    let or_chance = node.map_or(String::new(), |node| {
        format!(", or set `{node}.ties = \"random\"`")
    });
    let says = format!(
        "at port {port} some members have the link and others next to nothing, which is \
         likely a phase effect: links of rates alike bring packets again and again at the instants at \
         which others leave; set `flow.{name}.jitter.packet_time.at_most = 0.1`{or_chance}"
    );
    let warning = Warning {
        code: "phase_effect",
        scope: Scope::Flow(Name::alone(name)),
        says,
    };
    Some(Parted { starved, warning })
}

/// Members with timeouts and less than a twentieth of an equal share of the capacity, if another
/// member has much more than an equal share.
fn starved(group: &[usize], flows: &[FlowReading]) -> Vec<usize> {
    let user = |flow: &usize| flows[*flow].receiver.user;
    let sum: u64 = group.iter().map(user).sum();
    let share = sum / group.len() as u64;
    if !group.iter().any(|flow| user(flow) > share * 3 / 2) {
        return Vec::new();
    }
    let is_starved = |flow: &&usize| user(flow) * 20 < share && flows[**flow].sender.timeouts > 0;
    group.iter().filter(is_starved).copied().collect()
}

/// The slowest hop beyond the sending host that all flows of a group pass; none if packets of one may
/// take several paths.
fn bottleneck(plan: &Plan, group: &[usize]) -> Option<Hop> {
    if group.iter().any(|flow| plan.flows[*flow].mesh.is_some()) {
        return None;
    }
    let path = |flow: usize| plan.flows[flow].path.iter().skip(1);
    let slowest = path(group[0]).min_by_key(|hop| plan.rate(**hop))?;
    let all = group
        .iter()
        .all(|flow| path(*flow).any(|hop| hop == slowest));
    all.then_some(*slowest)
}

/// An output at which ties are likely, and always decided in the same way.
struct Prone {
    port: Place,
    /// Path of the node in the scenario, if the node can break ties at random.
    node: Option<String>,
}

/// The output before a hop, if ties are likely at it: the rate of an input is a multiple of the
/// rate of the output.
fn prone(plan: &Plan, hop: Hop) -> Option<Prone> {
    let number = plan.topology.head(hop.back());
    let written = plan.topology.nodes[number];
    let spec = written.member.spec();
    let (ties, node) = match written.kind {
        NodeKind::Switch => {
            let (name, switch) = &plan.spec.switch.0[spec];
            (switch.ties, Some(format!("switch.{name}")))
        }
        NodeKind::Router => {
            let (name, router) = &plan.spec.router.0[spec];
            (router.ties, Some(format!("router.{name}")))
        }
        NodeKind::Host | NodeKind::Edge => (TieRule::InOrder, None),
    };
    let rate = plan.rate(hop).bits_per_second();
    let outputs = plan.topology.outputs(number);
    let others = outputs.iter().filter(|other| other.link() != hop.link());
    let mut rates = others.map(|other| plan.rate(*other).bits_per_second());
    let is_likely = rates.any(|other| other % rate == 0);
    let output = outputs.iter().position(|other| *other == hop)?;
    (ties == TieRule::InOrder && is_likely).then(|| Prone {
        port: Place::of(plan, number, output),
        node,
    })
}
