//! Checks of the format of cells, and of memories in cells.

use models::flow::FlowSpec;
use parameters::{Path, Problem, Problems};

use super::packet_of;
use crate::lower::{Flows, NodeKind, Topology};
use crate::spec::ScenarioSpec;

/// Octets of the contents of an RM cell, which has no other payload: TM 4.0, section 5.10.3.1.
const RM_CELL: u64 = 48;

/// Reports packets and bearers that the cells of the network cannot carry, and memories whose cells
/// do not hold those of the network.
pub fn check(spec: &ScenarioSpec, topology: &Topology, flows: Flows<'_>, problems: &mut Problems) {
    packets(spec, flows, problems);
    rm_cells(flows, problems);
    memories(spec, topology, flows, problems);
}

/// Reports packets that the adaptation cannot carry.
fn packets(spec: &ScenarioSpec, flows: Flows<'_>, problems: &mut Problems) {
    let cell = spec.cell.as_ref();
    let adaptation = cell.map_or_else(Default::default, |spec| spec.adaptation.clone());
    let Some(longest) = adaptation.adaptation().longest else {
        return;
    };
    let name_of = match adaptation.kind() {
        "aal5" => "an AAL5 PDU".to_string(),
        kind => format!("a PDU of `{kind}`"),
    };
    for (name, flow) in flows.tables.iter() {
        let (octets, cells) = flow
            .over
            .wrap(flow.transport.facts().full_packet, flows.cells);
        if cells > 0 && octets > longest {
            let problem = format!("a packet of `{octets} B` does not fit into {name_of}");
            let hint = format!("a PDU has at most `{longest} B`, encapsulation included");
            problems.add(Problem::new(&packet_of(name, flow), None, problem).hint(hint));
        }
    }
}

/// Reports ABR in cells that do not hold the contents of an RM cell.
fn rm_cells(flows: Flows<'_>, problems: &mut Problems) {
    if flows.cells.payload() >= RM_CELL {
        return;
    }
    let is_abr = |(_, flow): &(&str, &FlowSpec)| flow.over.is_abr();
    for (name, flow) in flows.tables.iter().filter(is_abr) {
        let at = Path::root().key("flow").key(name).key("over");
        let payload = flows.cells.payload();
        let problem = format!("a payload of `{payload} B` does not hold an RM cell");
        let hint =
            format!("write `cell.payload = \"{RM_CELL} B\"` or more, or carry the flow `over.ubr`");
        problems.add(Problem::new(&at.key(flow.over.kind()), None, problem).hint(hint));
    }
}

/// Reports switches whose memory has cells that are too small for the cells of the network.
fn memories(spec: &ScenarioSpec, topology: &Topology, flows: Flows<'_>, problems: &mut Problems) {
    for (node, planned) in topology.nodes.iter().enumerate() {
        if planned.kind != NodeKind::Switch || !flows.paths.carries_cells(node) {
            continue;
        }
        let (name, switch) = &spec.switch.0[planned.member.spec()];
        let octets = flows.cells.octets();
        let Some(memory) = &switch.memory else {
            continue;
        };
        if memory.cell.0 < octets {
            let at = Path::root()
                .key("switch")
                .key(name)
                .key("memory")
                .key("cell");
            let problem =
                format!("cells of `{octets} B` do not fit into those of the memory of `{name}`");
            let hint = format!("write at least `\"{octets} B\"`");
            problems.add(Problem::new(&at, None, problem).hint(hint));
        }
    }
}
