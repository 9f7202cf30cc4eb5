//! Checks of the fabric `scheduled_cells`: its grants, and the buffers that they have to fit into.

use std::collections::BTreeSet;

use models::switch::fabric::FabricSpec;
use models::switch::fabric::scheduled_cells::octets;
use parameters::{Path, Problem, Problems};

use crate::lower::{Flows, NodeKind, Topology};
use crate::spec::ScenarioSpec;

/// Largest buffer of an egress: the octets of all grants of a run have to fit into 63 bits.
const MOST_OCTETS: u64 = 1_000_000_000_000;

/// Reports grants that are smaller than a cell, buffers that credit may fill for ever, and switches
/// that whole packets pass.
pub fn check(spec: &ScenarioSpec, topology: &Topology, flows: Flows<'_>, problems: &mut Problems) {
    for (spec, (name, switch)) in spec.switch.iter().enumerate() {
        let FabricSpec::ScheduledCells(fabric) = &switch.fabric else {
            continue;
        };
        let at = Path::root().key("switch").key(name).key("fabric");
        let at = at.key(switch.fabric.kind());
        let nodes = topology.nodes.iter().enumerate();
        let nodes =
            nodes.filter(|(_, node)| node.kind == NodeKind::Switch && node.member.spec() == spec);
        let nodes: Vec<usize> = nodes.map(|(node, _)| node).collect();
        if !nodes.iter().all(|node| flows.paths.carries_cells(*node)) {
            let problem = format!("`{name}` forwards whole packets, which pass no fabric");
            let hint = "leave `fabric` out, or carry the flows in cells: `over.ubr = {}`";
            problems.add(Problem::new(&at, None, problem).hint(hint));
            continue;
        }
        let cell = flows.cells.octets();
        let [grant, egress] = [fabric.grant, fabric.egress].map(|size| octets(size, flows.cells));
        if grant < cell {
            let problem = format!("the grant is smaller than a cell of {cell} octets");
            let at = at.key("grant");
            problems.add(Problem::new(&at, None, problem).hint("write at least `\"1 cell\"`"));
            continue;
        }
        let inputs = nodes
            .iter()
            .map(|node| most_inputs(topology, flows, *node))
            .max();
        let inputs = inputs.unwrap_or(0).max(1);
        if egress > MOST_OCTETS {
            let problem = format!("the buffer has more than {MOST_OCTETS} octets");
            let hint = "write at most `\"1 TB\"`";
            problems.add(Problem::new(&at.key("egress"), None, problem).hint(hint));
            continue;
        }
        let needed = inputs.saturating_mul(grant);
        if egress < needed {
            let problem = format!(
                "credit that inputs keep may fill the buffer: {inputs} of them send to one output, \
                 each keeps up to a grant of {grant} octets, and the buffer holds {egress}"
            );
            let hint = format!("write at least `\"{needed} B\"`");
            problems.add(Problem::new(&at.key("egress"), None, problem).hint(hint));
        }
    }
}

/// The largest number of inputs of a node that send to one output.
fn most_inputs(topology: &Topology, flows: Flows<'_>, node: usize) -> u64 {
    let mut pairs = BTreeSet::new();
    for (number, flow) in flows.paths.flows.iter().enumerate() {
        let hops = || flow.hops();
        let ending = hops().filter(|hop| topology.head(*hop) == node);
        for (before, after) in ending.flat_map(|before| hops().map(move |after| (before, after))) {
            let begins_here = topology.head(after.back()) == node;
            if begins_here && before.link() != after.link() {
                let there = Some((before, after));
                let back = (after.back(), before.back());
                let back = flows.sends_back(number).then_some(back);
                let ways = there.into_iter().chain(back);
                pairs.extend(ways.map(|(before, after)| (after.number(), before.number())));
            }
        }
    }
    let outputs: Vec<u32> = pairs.iter().map(|(output, _)| *output).collect();
    let most = outputs
        .chunk_by(|one, other| one == other)
        .map(<[u32]>::len);
    most.max().unwrap_or(0) as u64
}
