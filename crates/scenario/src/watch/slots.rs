//! Switches whose fabric matches inputs with outputs, slot by slot: their queues, and the steps of
//! the matchings of the last slot.

use kernel::{Duration, Network, Seed, Time};
use models::node::AnyNode;
use models::switch::fabric::{FabricSpec, MatchedSlots};
use models::switch::matching::MatchingSpec;
use models::switch::matching_steps::{SlotStep, StepKind};

use super::rules::help;
use crate::lower::Plan;
use crate::scope::Name;

/// Limit of the inputs, and of the outputs, of a switch that is watched slot by slot: pictures of
/// larger matchings are not legible.
pub const MOST_PORTS: usize = 16;

/// A switch that is watched slot by slot.
#[derive(Clone, Debug, PartialEq)]
pub struct SlottedSwitch {
    /// Number of the node.
    pub node: usize,
    /// Length of a slot.
    pub slot: Duration,
    /// Name of the matching.
    pub matching: &'static str,
    /// The rule of the matching, in a sentence.
    pub help: String,
    /// Largest number of iterations of a matching; none for a rule without iterations.
    pub iterations: Option<u32>,
    /// Number of matchings in a slot.
    pub speedup: u32,
    /// The node at the far end of each input that VCs use.
    pub inputs: Vec<Name>,
    /// The node at the far end of each output that VCs use.
    pub outputs: Vec<Name>,
}

/// The last slot of a switch that had a matching.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SlotReading {
    /// End of the slot; none if there was no matching since steps are noted.
    pub end: Option<Time>,
    /// Cells in each queue when the slot ended, by input and by output; at the pause if there was no
    /// matching.
    pub queued: Vec<u64>,
    /// The steps of its matchings, in order.
    pub steps: Vec<SlotStep>,
}

/// The switches that are watched slot by slot, in the order of nodes.
pub fn slotted_switches(plan: &Plan) -> Vec<SlottedSwitch> {
    let seed = Seed {
        seed: plan.spec.seed,
        replication: 0,
    };
    let network = plan.network(seed);
    let known = slotted(&network).map(|(node, slots)| {
        let switch = plan.topology.nodes[node].member.spec();
        let FabricSpec::VirtualOutputQueues(spec) = &plan.spec.switch.0[switch].1.fabric else {
            unreachable!("a member from outside has no matchings of ours");
        };
        let far_ends = |ports: &[usize]| {
            let hops = plan.topology.outputs(node);
            let heads = ports.iter().map(|port| plan.topology.head(hops[*port]));
            heads.map(|head| Name::of_node(plan, head)).collect()
        };
        SlottedSwitch {
            node,
            slot: slots.slot,
            matching: spec.matching.kind(),
            help: help::<MatchingSpec>(spec.matching.kind()),
            iterations: spec.matching.iterations(),
            speedup: spec.speedup,
            inputs: far_ends(slots.inputs),
            outputs: far_ends(slots.outputs),
        }
    });
    known.collect()
}

/// Notes the steps of matchings from now on, or no longer.
pub(super) fn note(network: &mut Network<AnyNode>, are_noted: bool) {
    for node in &mut network.nodes {
        if let AnyNode::Switch(switch) = node
            && switch.slots().is_some_and(|slots| is_legible(&slots))
        {
            switch.note_steps(are_noted);
        }
    }
}

/// The last slot of each switch that is watched slot by slot.
pub(super) fn read(network: &Network<AnyNode>) -> Vec<SlotReading> {
    slotted(network).map(|(_, slots)| reading(&slots)).collect()
}

fn slotted(network: &Network<AnyNode>) -> impl Iterator<Item = (usize, MatchedSlots<'_>)> {
    network
        .nodes
        .iter()
        .enumerate()
        .filter_map(|(number, node)| {
            let AnyNode::Switch(switch) = node else {
                return None;
            };
            let slots = switch.slots().filter(is_legible)?;
            Some((number, slots))
        })
}

fn is_legible(slots: &MatchedSlots<'_>) -> bool {
    slots.inputs.len().max(slots.outputs.len()) <= MOST_PORTS
}

fn reading(slots: &MatchedSlots<'_>) -> SlotReading {
    let last = slots.steps.and_then(|steps| steps.last());
    let (end, steps) = last.map_or((None, [].as_slice()), |(end, steps)| (Some(end), steps));
    let (inputs, outputs) = (slots.inputs.len(), slots.outputs.len());
    let mut queued: Vec<u64> = (0..inputs)
        .flat_map(|input| (0..outputs).map(move |output| slots.queues.length(input, output)))
        .collect();
    // Cells join queues at the end of a slot, just before its first matching: since then the queues
    // have only lost the cells that crossed.
    let crossed = |step: &&SlotStep| matches!(step.kind, StepKind::Held | StepKind::Pair);
    for step in steps.iter().filter(crossed) {
        queued[step.input as usize * outputs + step.output as usize] += 1;
    }
    SlotReading {
        end,
        queued,
        steps: steps.to_vec(),
    }
}
