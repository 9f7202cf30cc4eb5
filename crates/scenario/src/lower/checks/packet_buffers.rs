//! Buffers that count packets: only outputs that forward whole packets, and drop what does not fit,
//! can.

use parameters::{Path, Problem, Problems};

use crate::lower::build::routers;
use crate::lower::{Flows, PlannedLinks, Topology};
use crate::spec::ScenarioSpec;

/// Reports buffers of a number of packets at nodes whose memory is counted in cells or octets.
pub fn check(
    spec: &ScenarioSpec,
    topology: &Topology,
    flows: Flows<'_>,
    links: &PlannedLinks,
    problems: &mut Problems,
) {
    for (family, name, router) in routers::all(spec) {
        if router.buffer.most_packets().is_none() {
            continue;
        }
        let mut nodes = topology.nodes_of(spec, family, name);
        let problem = if nodes.clone().any(|node| flows.paths.carries_cells(node)) {
            format!("`{name}` forwards cells, so its buffers cannot count packets")
        } else if nodes.any(|node| links.counts_inputs(topology, node)) {
            format!(
                "`{name}` counts the octets of its inputs, for pauses or credits, so it cannot count packets"
            )
        } else if router.discard.trimming().is_some() {
            format!("trimmed packets are shorter, and `{name}` would count them like whole ones")
        } else {
            continue;
        };
        let at = Path::root().key(family).key(name).key("buffer");
        let hint = "write for example `\"64 KiB\"`, a size in bytes";
        problems.add(Problem::new(&router.buffer.size_path(&at), None, problem).hint(hint));
    }
}
