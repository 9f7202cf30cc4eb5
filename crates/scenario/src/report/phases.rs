//! Phase effects: some of several equal flows get more of the capacity than others, or all of it,
//! because links of rates alike produce the same ties again and again, with the same outcome.
//!
//! Floyd and Jacobson, "On Traffic Phase Effects in Packet-Switched Gateways", Internetworking:
//! Research and Experience 3(3), 1992. The test is our own, and a warning rather than a proof: the
//! counts of a run do not show why a flow was starved.

use models::metrics::FlowReading;
use models::ties::TieRule;

use super::{Name, Place, Scope, Warning};
use crate::lower::{Hop, NodeKind, Plan};

/// A group of equal flows that a phase effect has probably treated unequally.
pub struct Parted {
    /// Numbers of the flows that got next to nothing, ascending.
    pub starved: Vec<usize>,
    /// The warning about the group.
    pub warning: Warning,
}

/// The groups of flows whose members a phase effect has probably treated unequally.
pub fn parted(plan: &Plan, flows: &[FlowReading]) -> Vec<Parted> {
    let numbers: Vec<usize> = (0..plan.paths.flows.len()).collect();
    let spec = |flow: &usize| plan.paths.flows[*flow].member.spec();
    let groups = numbers.chunk_by(|one, next| spec(one) == spec(next));
    groups
        .filter_map(|group| of_group(plan, group, flows))
        .collect()
}

fn of_group(plan: &Plan, group: &[usize], flows: &[FlowReading]) -> Option<Parted> {
    let flow = plan.flow_spec(group[0]);
    if group.len() < 2 || flow.jitter.is_some() {
        return None;
    }
    let hop = bottleneck(plan, group)?;
    let Prone { port, node } = prone(plan, hop)?;
    let starved = if flow.source.is_greedy() {
        starved(group, flows)
    } else {
        Vec::new()
    };
    let what = if !starved.is_empty() {
        "some members have the link and others next to nothing"
    } else if flow.source.is_steady() && lose_unequally(group, flows) {
        "some members lose many times as much as others that send the same"
    } else if flow.source.is_greedy() && !flow.over.is_cells() && locked(plan, group, flows) {
        "members with equal paths share the link unequally, by more than chance explains"
    } else {
        return None;
    };
    let name = &plan.spec.flow.0[plan.paths.flows[group[0]].member.spec()].0;
    let or_chance = node.map_or(String::new(), |node| {
        format!(", or set `{node}.ties = \"random\"`")
    });
    // Ties do not lock windows to each other, so only more jitter breaks the lock.
    let cure = if what.ends_with("explains") {
        format!("`flow.{name}.jitter.packet_time`")
    } else {
        format!("`flow.{name}.jitter.packet_time.at_most = 0.1`{or_chance}")
    };
    let says = format!(
        "at port {port} {what}, which is \
         likely a phase effect: links of rates alike bring packets again and again at the instants at \
         which others leave; set {cure}"
    );
    let warning = Warning {
        code: "phase_effect",
        scope: Scope::Flow(Name::alone(name)),
        says,
    };
    Some(Parted { starved, warning })
}

/// Standard deviations of a difference from which chance does not explain it.
const BEYOND_CHANCE: f64 = 5.0;

/// True if members that send the same lose unequally: by a factor of two, and by more than chance
/// explains if each packet is lost independently of the others.
fn lose_unequally(group: &[usize], flows: &[FlowReading]) -> bool {
    let lost = |flow: &usize| {
        let FlowReading {
            sender, receiver, ..
        } = &flows[*flow];
        let packet = sender.octets as f64 / sender.packets.max(1) as f64;
        (sender.octets as f64 - receiver.user as f64).max(0.0) / packet.max(1.0)
    };
    let most = group.iter().map(lost).fold(0.0, f64::max);
    let least = group.iter().map(lost).fold(f64::INFINITY, f64::min);
    most > 2.0 * least && most - least > BEYOND_CHANCE * (most + least).sqrt()
}

/// True if a member with a path like that of all others has a quarter more than another, and differs
/// from the mean by more than chance explains. In a sawtooth each loss event draws the mean of a
/// period anew, between the half and the whole of a window or so: its standard deviation is two fifths
/// of the mean at most.
fn locked(plan: &Plan, group: &[usize], flows: &[FlowReading]) -> bool {
    let user = |flow: &usize| flows[*flow].receiver.user as f64;
    let events = group
        .iter()
        .map(|flow| flows[*flow].sender.loss_events)
        .min()
        .filter(|events| *events > 0);
    let Some(events) = events else { return false };
    let mean = group.iter().map(user).sum::<f64>() / group.len() as f64;
    let most = group.iter().map(user).fold(0.0, f64::max);
    let least = group.iter().map(user).fold(f64::INFINITY, f64::min);
    let chance = BEYOND_CHANCE * 0.4 / f64::from(events).sqrt();
    let apart = (most - mean).max(mean - least);
    if most < 1.25 * least || apart <= chance * mean {
        return false;
    }
    let path = plan.flows().idle_round_trip(&plan.links, group[0]);
    group
        .iter()
        .all(|flow| plan.flows().idle_round_trip(&plan.links, *flow) == path)
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
    if group
        .iter()
        .any(|flow| plan.paths.flows[*flow].mesh.is_some())
    {
        return None;
    }
    let path = |flow: usize| plan.paths.flows[flow].path.iter().skip(1);
    let slowest = path(group[0]).min_by_key(|hop| plan.links.rate(**hop))?;
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
    let ties = match written.kind {
        NodeKind::Switch => plan.spec.switch.0[spec].1.ties,
        NodeKind::Router => plan.spec.router.0[spec].1.ties,
        NodeKind::Host | NodeKind::Edge => TieRule::InOrder,
    };
    let rate = plan.links.rate(hop).bits_per_second();
    let outputs = plan.topology.outputs(number);
    let others = outputs.iter().filter(|other| other.link() != hop.link());
    let mut rates = others.map(|other| plan.links.rate(*other).bits_per_second());
    let is_likely = rates.any(|other| other % rate == 0);
    let output = outputs.iter().position(|other| *other == hop)?;
    (ties == TieRule::InOrder && is_likely).then(|| Prone {
        port: Place::of(plan, number, output),
        node: path_of(plan, number),
    })
}

/// The path of a switch or a router in the scenario; none of other nodes.
pub fn path_of(plan: &Plan, node: usize) -> Option<String> {
    let written = plan.topology.nodes[node];
    let spec = written.member.spec();
    match written.kind {
        NodeKind::Switch => Some(format!("switch.{}", plan.spec.switch.0[spec].0)),
        NodeKind::Router => Some(format!("router.{}", plan.spec.router.0[spec].0)),
        NodeKind::Host | NodeKind::Edge => None,
    }
}
