//! Settings that nothing of what passes can use, which would silently have no effect.
//!
//! Our own rule: a node refuses a policy that acts on what its units do not have, such as the cells of a
//! packet, as it refuses a scheduler of service classes. A setting that another point of a sweep may use,
//! such as the fabric of a switch which acts as a router for whole packets, is told by a warning.
//! `crates/scenario/tests/effects` changes each parameter under each carrier.

use models::output::discard::DiscardSpec;
use models::switch::fabric::FabricSpec;
use models::wire::priority::Priority;
use parameters::quantity::Amount;
use parameters::{Parameter, Path, Problem, Problems};

use super::hints;
use super::warnings::{About, PlanWarning};
use crate::lower::build::routers;
use crate::lower::{Flows, NodeKind, PlannedFlow, PlannedLinks, PlannedVc, Topology};
use crate::spec::ScenarioSpec;

/// Reports discard policies that act on cells at nodes through which packets pass whole.
pub fn check(spec: &ScenarioSpec, topology: &Topology, flows: Flows<'_>, problems: &mut Problems) {
    for (family, name, router) in routers::all(spec) {
        if !router.discard.needs_cells()
            || !forwards_whole_packets(spec, topology, flows, family, name)
        {
            continue;
        }
        let at = Path::root().key(family).key(name).key("discard");
        let policy = router.discard.kind();
        let problem = format!("packets pass `{name}` whole, and `{policy}` acts on their cells");
        let others = hints::kinds(|one: &DiscardSpec| !one.needs_cells());
        let hint = format!("choose {others}, or carry the flows in cells");
        problems.add(Problem::new(&at.key(policy), None, problem).hint(hint));
    }
}

/// True if packets pass whole through a node with this table: a router, or a switch that acts as one.
fn forwards_whole_packets(
    spec: &ScenarioSpec,
    topology: &Topology,
    flows: Flows<'_>,
    family: &str,
    name: &str,
) -> bool {
    let mut members = topology.nodes_of(spec, family, name);
    members.any(|node| match topology.nodes[node].kind {
        NodeKind::Switch | NodeKind::Router => !flows.paths.carries_cells(node),
        NodeKind::Host | NodeKind::Edge => false,
    })
}

/// Warnings of settings that nothing uses at this point.
pub(in crate::lower) fn without_effect(
    spec: &ScenarioSpec,
    topology: &Topology,
    flows: Flows<'_>,
    links: &PlannedLinks,
) -> Vec<PlanWarning> {
    let mut warnings = Vec::new();
    unused_fabrics(spec, topology, flows, &mut warnings);
    unused_allocators(spec, topology, flows, &mut warnings);
    unused_policies(spec, topology, flows, &mut warnings);
    unused_memories(spec, topology, flows, &mut warnings);
    unused_priorities(flows, links, &mut warnings);
    unused_controls(spec, topology, links, &mut warnings);
    warnings
}

/// Switches with a fabric that act as routers.
fn unused_fabrics(
    spec: &ScenarioSpec,
    topology: &Topology,
    flows: Flows<'_>,
    warnings: &mut Vec<PlanWarning>,
) {
    for (name, switch) in spec.switch.iter() {
        let is_immediate = matches!(switch.fabric, FabricSpec::Immediate(_));
        if is_immediate || !forwards_whole_packets(spec, topology, flows, "switch", name) {
            continue;
        }
        let at = Path::root().key("switch").key(name).key("fabric");
        let fabric = switch.fabric.kind();
        warnings.push(PlanWarning {
            about: About::Network,
            code: "no_effect",
            at: at.key(fabric),
            says: format!(
                "packets pass `{name}` whole, as they pass a router, and its fabric `{fabric}` has \
                 no effect"
            ),
            hint: "carry the flows in cells, or leave the fabric out".to_string(),
        });
    }
}

/// Rate allocators of switches that no ABR flow passes.
fn unused_allocators(
    spec: &ScenarioSpec,
    topology: &Topology,
    flows: Flows<'_>,
    warnings: &mut Vec<PlanWarning>,
) {
    for (name, switch) in spec.switch.iter() {
        let Some(rate) = &switch.rate else {
            continue;
        };
        let is_abr = |planned: PlannedVc| flows.spec(planned.flow).over.is_abr();
        let mut members = topology.nodes_of(spec, "switch", name);
        if members.any(|node| flows.paths.leaving(topology, node).any(is_abr)) {
            continue;
        }
        let at = Path::root().key("switch").key(name).key("rate");
        warnings.push(PlanWarning {
            about: About::Network,
            code: "no_effect",
            at: at.key(rate.kind()),
            says: format!("no flow `over.abr` passes `{name}`, and its `rate` has no effect"),
            hint: "carry a flow `over.abr`, or leave `rate` out".to_string(),
        });
    }
}

/// Schedulers, and parameters of policies, that act on units which do not come.
fn unused_policies(
    spec: &ScenarioSpec,
    topology: &Topology,
    flows: Flows<'_>,
    warnings: &mut Vec<PlanWarning>,
) {
    for (family, name, router) in routers::all(spec).filter(|one| one.0 != "edge") {
        let at = Path::root().key(family).key(name);
        let is_whole = forwards_whole_packets(spec, topology, flows, family, name);
        let policy = router.discard.kind();
        let of_cells = router.discard.parameter_of_cells().filter(|_| is_whole);
        let mut tell = |at: Path, says: String, hint: &str| {
            warnings.push(PlanWarning {
                about: About::Network,
                code: "no_effect",
                at,
                says,
                hint: hint.to_string(),
            });
        };
        if let Some(parameter) = of_cells {
            let says =
                format!("packets pass `{name}` whole, and `{parameter}` is about their cells");
            let hint = "carry the flows in cells, or leave the parameter out";
            tell(at.key("discard").key(policy).key(parameter), says, hint);
        }
        if router.discard.trimming().is_some() && !is_whole {
            let says = format!("cells pass `{name}`, and cells are not trimmed but dropped");
            let hint = "carry the flows `over.packet`, or choose another policy";
            tell(at.key("discard").key(policy), says, hint);
        }
        if router.scheduler.queue_of_headers().is_some()
            && (spec.smallest_trimmed().is_none() || !is_whole)
        {
            let scheduler = router.scheduler.kind();
            let says =
                format!("no trimmed packets pass `{name}`, and `{scheduler}` serves all alike");
            let hint = "write `discard.trim = {}`, or choose another scheduler";
            tell(at.key("scheduler").key(scheduler), says, hint);
        }
    }
}

/// Memories whose cells no size and no level counts, since each is a number of cells.
fn unused_memories(
    spec: &ScenarioSpec,
    topology: &Topology,
    flows: Flows<'_>,
    warnings: &mut Vec<PlanWarning>,
) {
    for (name, switch) in spec.switch.iter() {
        if forwards_whole_packets(spec, topology, flows, "switch", name) {
            continue;
        }
        let mut levels = Vec::new();
        let at = Path::root().key("switch").key(name);
        switch.discard.levels(&at, &mut levels);
        switch.mark.levels(&at, &mut levels);
        switch.rate.levels(&at, &mut levels);
        let in_bytes = |amount: &Amount| matches!(amount, Amount::Bytes(_));
        if switch.buffer.has_size_in_bytes() || levels.iter().any(|(_, one)| in_bytes(one)) {
            continue;
        }
        let buffer = at.key("buffer");
        let unused = [
            switch.memory.as_ref().map(|_| at.key("memory")),
            switch.buffer.counted_parameter(&buffer),
        ];
        warnings.extend(unused.into_iter().flatten().map(|at| PlanWarning {
            about: About::Network,
            code: "no_effect",
            at,
            says: format!("cells pass `{name}`, and all sizes there are numbers of cells"),
            hint: "write the size of the buffer in bytes, or leave this out".to_string(),
        }));
    }
}

/// Flows with a priority that no link on their paths distinguishes.
fn unused_priorities(flows: Flows<'_>, links: &PlannedLinks, warnings: &mut Vec<PlanWarning>) {
    let lowest = Priority::default();
    for (number, first) in flows.paths.firsts() {
        let spec = flows.spec(number);
        if spec.priority == lowest {
            continue;
        }
        let table = first.member.spec();
        let of_table = flows.paths.flows[number..].iter();
        let of_table = of_table.take_while(|flow| flow.member.spec() == table);
        let mut hops = of_table.flat_map(PlannedFlow::hops);
        if hops.any(|hop| {
            [hop, hop.back()]
                .iter()
                .any(|hop| links.has_priorities(*hop))
        }) {
            continue;
        }
        warnings.push(PlanWarning {
            about: About::Flow(number),
            code: "no_effect",
            at: flows.at(number).key("priority"),
            says: "no link on its path may be paused or has credits for packets, and its priority \
                   has no effect"
                .to_string(),
            hint: "set `pause` or `credit` on such a link, or leave `priority` out".to_string(),
        });
    }
}

/// Links whose pauses or credits are for priorities that no flow has.
fn unused_controls(
    spec: &ScenarioSpec,
    topology: &Topology,
    links: &PlannedLinks,
    warnings: &mut Vec<PlanWarning>,
) {
    for (table, (name, link)) in spec.link.iter().enumerate() {
        let hops = || topology.hops_of_table(table);
        let Some(hop) = hops().find(|hop| links.has_priorities(*hop)) else {
            continue;
        };
        if hops().any(|hop| !links.controlled_priorities(hop).is_empty()) {
            continue;
        }
        let at = Path::root().key("link").key(name);
        let at = match (&link.pause, &link.credit) {
            (Some(pause), _) => at.key("pause").key(pause.kind()),
            (None, Some(credit)) => at.key("credit").key(credit.kind()),
            (None, None) => continue,
        };
        warnings.push(PlanWarning {
            about: About::Link(hop),
            code: "no_effect",
            at: at.key("priorities"),
            says: "no flow over the link has one of these priorities, so none is paused or needs \
                   credits"
                .to_string(),
            hint: "write the `priority` of a flow, or leave `priorities` out for all".to_string(),
        });
    }
}
