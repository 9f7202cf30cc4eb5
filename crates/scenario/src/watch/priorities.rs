//! The pauses and the credits of links, by priority.

use kernel::{Network, Seed};
use models::link::credit::CbfcSender;
use models::link::gate::{PacketGate, PacketGateRule};
use models::link::pause::{PauseGate, PauseReading};
use models::node::AnyNode;
use models::wire::cyclic_count::CyclicCount;
use models::wire::priority::PrioritySet;

use crate::lower::{Hop, Plan};
use crate::scope::Place;

/// A priority, with flows, of a direction of a link that may be paused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PauseStatus {
    /// Link and direction of the packets, as in [`super::Moving`].
    pub hop: u32,
    /// The priority.
    pub priority: usize,
    /// The memory that it takes at the far end, and its levels.
    pub far: PauseReading,
    /// True if the near end obeys a pause, and starts no packet of it.
    pub is_stopped: bool,
}

/// A priority, with flows, of a direction of a link whose whole packets need credits: a virtual
/// channel, as its sending end knows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CreditStatus {
    /// Link and direction of the packets, as in [`super::Moving`].
    pub hop: u32,
    /// The priority.
    pub priority: usize,
    /// Cyclic count of the credits consumed.
    pub consumed: u32,
    /// Cyclic count of the credits freed.
    pub freed: u32,
    /// Credits in use: those consumed and not known to be freed.
    pub used: u32,
    /// Credits that packets may still consume.
    pub left: u32,
}

/// A direction of a link that may be paused, or whose whole packets need credits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ControlledHop {
    /// Its number, as in [`super::Moving`].
    pub hop: u32,
    /// The output at its near end.
    pub place: Place,
}

/// The directions of links that may be paused, or whose whole packets need credits, node by node.
pub fn controlled_hops(plan: &Plan) -> Vec<ControlledHop> {
    let seed = Seed {
        seed: plan.spec.seed,
        replication: 0,
    };
    let network = plan.network(seed);
    let known = gates(&network).map(|(node, output, _)| ControlledHop {
        hop: plan.topology.outputs(node)[output].number(),
        place: Place::of(plan, node, output),
    });
    known.collect()
}

/// Node, output and gate of each such direction.
fn gates(network: &Network<AnyNode>) -> impl Iterator<Item = (usize, usize, &PacketGate)> {
    let nodes = network.nodes.iter().enumerate();
    nodes.flat_map(|(node, known)| {
        let gates = known.packet_gates().into_iter().enumerate();
        gates.filter_map(move |(output, gate)| Some((node, output, gate?)))
    })
}

/// The state of the priorities of links, node by node and output by output.
pub(super) fn read(
    plan: &Plan,
    network: &Network<AnyNode>,
) -> (Vec<PauseStatus>, Vec<CreditStatus>) {
    let (mut pauses, mut credits) = (Vec::new(), Vec::new());
    for (node, output, gate) in gates(network) {
        let hop = plan.topology.outputs(node)[output];
        match &gate.rule {
            PacketGateRule::Pause(gate) => {
                let far = &network.nodes[plan.topology.head(hop)];
                pauses.extend(of_pauses(plan, hop, gate, far));
            }
            PacketGateRule::Credit(sender) => credits.extend(of_credits(hop, sender)),
        }
    }
    (pauses, credits)
}

/// The priorities of a hop that `gate` holds back, and whose far end is an input of the node `far`.
fn of_pauses(plan: &Plan, hop: Hop, gate: &PauseGate, far: &AnyNode) -> Vec<PauseStatus> {
    let AnyNode::Router(router) = far else {
        unreachable!("only routers pause links");
    };
    let input = plan.topology.output(hop.back());
    let priorities: PrioritySet = plan.flows().priorities(hop).iter().copied().collect();
    let statuses = priorities.iter().filter_map(|priority| {
        Some(PauseStatus {
            hop: hop.number(),
            priority: priority.index(),
            far: router.pause_reading(input, priority)?,
            is_stopped: !gate.is_open(priority),
        })
    });
    statuses.collect()
}

fn of_credits(hop: Hop, sender: &CbfcSender) -> impl Iterator<Item = CreditStatus> {
    sender.vcs().iter().map(move |vc| {
        let [consumed, freed] = sender.counts(vc).map(CyclicCount::number);
        CreditStatus {
            hop: hop.number(),
            priority: vc.index(),
            consumed,
            freed,
            used: sender.used(vc),
            left: sender.left(vc),
        }
    })
}
