//! The balance of each node: every unit that its links have delivered was taken there.
//!
//! The check is our own. It compares counts that are kept apart: an output counts the units that it
//! accepts, and the node at the far end of its link counts those that are offered to its outputs,
//! or that arrive. A wrong count of one output thus stops the run, and the message names the nodes
//! on both sides of it. All counts exist anyway, so the check costs nothing before the end of a run.

use kernel::Network;
use models::link::loss::LossAt;
use models::link::retry::RetryEnd;
use models::node::AnyNode;
use models::wire::unit::Unit;

use crate::lower::{Hop, Plan};

/// Asserts the balance of all nodes over the whole run, warm-up included.
pub(crate) fn assert_balances(plan: &Plan, network: &Network<AnyNode>) {
    let found = imbalances(plan, network);
    assert!(found.is_empty(), "{}", found.join("; "));
}

/// The nodes whose counts do not add up, in words.
fn imbalances(plan: &Plan, network: &Network<AnyNode>) -> Vec<String> {
    // The links are in the order of the nodes at their far ends, and of the inputs of each.
    let mut links = network.links().iter();
    let numbers = 0..network.nodes.len();
    let sent: Vec<_> = numbers.map(|node| sent(plan, network, node)).collect();
    // Read once, since a node may have thousands of outputs.
    let retries: Vec<_> = network.nodes.iter().map(AnyNode::retries).collect();
    let mut found = Vec::new();
    for (number, node) in network.nodes.iter().enumerate() {
        let mut delivered = Delivered::default();
        for hop in plan.topology.outputs(number) {
            let link = links.next().expect("a link into each input");
            let back = hop.back();
            let sent = sent[plan.topology.head(*hop)][plan.topology.output(back)];
            if plan.paths.sends_cells(&plan.topology, back) {
                let units = link.units();
                // Recalled cells no longer count as sent, though their trains are on the link.
                let cells: i64 = units.map(|unit| cells(unit) - recalled(unit)).sum();
                delivered.cells += sent - cells;
            } else {
                let packets = link.units().filter_map(Unit::packet);
                let outstanding = outstanding(&retries, plan, back);
                delivered.packets += sent - packets.count() as i64 - outstanding;
            }
        }
        let taken = taken(node);
        for (unit, delivered, taken) in [
            ("cells", delivered.cells, taken.cells),
            ("packets", delivered.packets, taken.packets),
        ] {
            if let Some(taken) = taken
                && taken != delivered
            {
                found.push(format!(
                    "{} `{}` took {taken} {unit}, and its links delivered {delivered}",
                    plan.topology.nodes[number].kind.word(),
                    plan.node_name(number),
                ));
            }
        }
    }
    found
}

#[derive(Default)]
struct Delivered {
    cells: i64,
    packets: i64,
}

/// The units that a node took; none of a unit that it does not count.
#[derive(Default)]
struct Taken {
    cells: Option<i64>,
    packets: Option<i64>,
}

fn cells(unit: &Unit) -> i64 {
    unit.cells() as i64
}

fn recalled(unit: &Unit) -> i64 {
    unit.recalled() as i64
}

/// Frames that the sender at the beginning of a hop with retry has sent and not given up, and that the
/// other end has not accepted; zero without retry.
fn outstanding(retries: &[Vec<Option<&RetryEnd>>], plan: &Plan, hop: Hop) -> i64 {
    let end = |hop: Hop| retries[plan.topology.head(hop.back())][plan.topology.output(hop)];
    let (Some(near), Some(far)) = (end(hop), end(hop.back())) else {
        return 0;
    };
    let (kept, accepted) = (near.meter.kept_ever(), far.meter.accepted_ever());
    let outstanding = kept as i64 - accepted as i64;
    let most = near.sender.outstanding() as i64;
    assert!(
        (0..=most).contains(&outstanding),
        "frames sent = frames accepted + frames given up + frames in the replay buffer"
    );
    outstanding
}

/// Units that a node put onto the link of each of its outputs.
fn sent(plan: &Plan, network: &Network<AnyNode>, number: usize) -> Vec<i64> {
    let node = &network.nodes[number];
    let is_host = matches!(node, AnyNode::Host(_));
    let hops = plan.topology.outputs(number).iter();
    let in_cells = hops.map(|hop| plan.paths.sends_cells(&plan.topology, *hop));
    let sent: Vec<u64> = match node {
        AnyNode::Host(host) => {
            let links = host.nics.all().iter().zip(in_cells.clone());
            let sent = links.map(|(nic, in_cells)| {
                if in_cells {
                    nic.cells_sent - nic.transmitter.pending()
                } else {
                    nic.packets_sent - nic.unstarted()
                }
            });
            sent.collect()
        }
        _ => node.ports().iter().map(|port| port.put_on_link()).collect(),
    };
    // An output counts a unit before its transmission, and a host before its queue too.
    let lost = node
        .losses()
        .into_iter()
        .zip(in_cells)
        .map(|(end, in_cells)| {
            let counted = end.filter(|end| is_host || end.at == LossAt::Transmission);
            let lost = counted.map(|end| end.meter.lost_ever());
            lost.map_or(0, |lost| if in_cells { lost.units } else { lost.packets })
        });
    let kept = sent.into_iter().zip(lost);
    kept.map(|(sent, lost)| sent as i64 - lost as i64).collect()
}

/// Units that a node took from its links: a host those that arrived, an edge the cells, and a switch
/// or a router those that were offered to an output, or were dropped or wait before it.
fn taken(node: &AnyNode) -> Taken {
    let lost_before = node.losses().into_iter().flatten();
    let lost_before = lost_before.filter(|end| end.at == LossAt::Queue);
    let lost_before = lost_before.map(|end| end.meter.lost_ever());
    match node {
        AnyNode::Host(host) => Taken {
            cells: Some(host.arrived.cells as i64),
            packets: (host.arrived.cells == 0).then_some(host.arrived.packets as i64),
        },
        AnyNode::Switch(switch) => {
            let ports = switch.outputs.ports.iter();
            let offered: u64 = ports.map(|port| port.meter.offered_ever()).sum();
            let policed = switch.policers();
            let policed: u64 = policed.map(|one| one.meter.dropped_ever().units).sum();
            let lost: u64 = lost_before.map(|lost| lost.units).sum();
            let credits = switch.outputs.credits.as_ref();
            let own = credits.map_or(0, |credits| credits.made as i64 - credits.arrived as i64);
            let cells = offered + policed + lost + switch.before_outputs();
            Taken {
                cells: Some(cells as i64 - own),
                packets: None,
            }
        }
        AnyNode::Router(router) => {
            let ports = router.ports.iter().map(|port| {
                let (accepted, dropped) = (port.meter.accepted_ever(), port.meter.dropped_ever());
                // A packet that goes back is offered to two outputs.
                accepted.packets + dropped.packets - port.meter.returned_ever()
            });
            let lost: u64 = lost_before.map(|lost| lost.packets).sum();
            let packets = ports.sum::<u64>() + lost + router.tied();
            Taken {
                cells: None,
                packets: Some(packets as i64),
            }
        }
        AnyNode::Edge(edge) => Taken {
            cells: Some(edge.arrived.cells as i64),
            packets: None,
        },
    }
}
