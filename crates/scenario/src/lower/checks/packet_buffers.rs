//! Buffers that count packets: only outputs that forward whole packets, and drop what does not fit,
//! can.

use parameters::{Path, Problem, Problems};

use crate::lower::Plan;
use crate::lower::build::routers;

/// Reports buffers of a number of packets at nodes whose memory is counted in cells or octets.
pub fn check(plan: &Plan, problems: &mut Problems) {
    for (family, name, spec) in routers::all(&plan.spec) {
        if spec.buffer.most_packets().is_none() {
            continue;
        }
        let mut nodes = plan.nodes_of(family, name);
        let problem = if nodes.clone().any(|node| plan.carries_cells(node)) {
            format!("`{name}` forwards cells, so its buffers cannot count packets")
        } else if nodes.any(|node| plan.counts_inputs(node)) {
            format!(
                "`{name}` counts the octets of its inputs, for pauses or credits, so it cannot count packets"
            )
        } else if spec.discard.trimming().is_some() {
            format!("trimmed packets are shorter, and `{name}` would count them like whole ones")
        } else {
            continue;
        };
        let at = Path::root().key(family).key(name).key("buffer");
        let hint = "write for example `\"64 KiB\"`, a size in bytes";
        problems.add(Problem::new(&spec.buffer.size_path(&at), None, problem).hint(hint));
    }
}
