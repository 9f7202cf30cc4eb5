//! Checks of rate allocators: the switch of each must be able to act on ABR sources.

use models::wire::class::Class;
use parameters::{Path, Problem, Problems};

use super::levels;
use crate::lower::{Flows, NodeKind, Topology};
use crate::spec::ScenarioSpec;

/// Reports rate allocators without ABR cells to act on, and levels beyond their buffers.
pub fn check(spec: &ScenarioSpec, topology: &Topology, flows: Flows<'_>, problems: &mut Problems) {
    for (name, switch) in spec.switch.iter() {
        let Some(rate) = &switch.rate else {
            continue;
        };
        let at = Path::root().key("switch").key(name).key("rate");
        if let Some(buffer) = switch
            .buffer
            .of_class(Class::Abr, 0, switch.memory(flows.cells))
            && buffer.capacity > 0
        {
            levels::check(rate, &at, &buffer, problems);
        }
        let at = at.key(rate.kind());
        if !forwards_cells(spec, topology, flows, name) {
            let problem = format!("`{name}` forwards whole packets, which have no RM cells");
            let hint = "leave `rate` out, or carry the flows `over.abr`";
            problems.add(Problem::new(&at, None, problem).hint(hint));
        }
    }
}

/// True if the flows through a switch, or through each switch of a group, are segmented into cells.
fn forwards_cells(spec: &ScenarioSpec, topology: &Topology, flows: Flows<'_>, name: &str) -> bool {
    let nodes = topology.nodes.iter().enumerate();
    let mut of_switch = nodes.filter(|(_, node)| match node.kind {
        NodeKind::Switch => spec.switch.0[node.member.spec()].0 == name,
        NodeKind::Host | NodeKind::Router | NodeKind::Edge => false,
    });
    of_switch.all(|(node, _)| flows.paths.carries_cells(node))
}
