//! Checks of buffers and schedulers against the service classes and the VCs of the flows through
//! them. The classes: TM 4.0, section 2.

use models::output::buffer::BufferSpec;
use models::output::discard::DiscardSpec;
use models::output::scheduler::SchedulerSpec;
use models::switch::SwitchSpec;
use models::wire::class::Class;
use parameters::{Path, Problem, Problems};

use super::hints;
use crate::lower::build::routers;
use crate::lower::{Flows, NodeKind, Topology};
use crate::spec::ScenarioSpec;

/// Reports buffers per VC where VCs share a queue, or where the discard policy compares VCs.
pub fn of_vcs(spec: &ScenarioSpec, problems: &mut Problems) {
    for (family, name, spec) in routers::all(spec) {
        if !spec.buffer.is_per_vc() {
            continue;
        }
        let at = Path::root().key(family).key(name);
        if !spec.scheduler.has_queue_per_vc() {
            let problem = format!("all VCs share a queue at `{name}`");
            let hint = "choose a scheduler with a queue for each, for example \
                        `scheduler.round_robin`, or write `buffer.per_output`";
            let at = spec.buffer.size_path(&at.key("buffer"));
            problems.add(Problem::new(&at, None, problem).hint(hint));
        }
        if spec.discard.needs_shared_queue() {
            let problem = format!("each VC has a buffer of its own at `{name}`");
            let hint = hints::discard_of_one_vc();
            let at = at.key("discard").key(spec.discard.kind());
            problems.add(Problem::new(&at, None, problem).hint(hint));
        }
    }
}

/// Reports push-out where the cells do not wait in one queue of one output.
pub fn check_push_out(spec: &ScenarioSpec, problems: &mut Problems) {
    for (name, switch) in spec.switch.iter() {
        if !switch.discard.pushes_out() {
            continue;
        }
        let others =
            hints::kinds(|one: &DiscardSpec| one.prefers_high_priority() && !one.pushes_out());
        let (problem, hint) = if !switch.scheduler.is_in_order() {
            let problem = format!("the outputs of `{name}` have several queues each");
            let hint =
                format!("choose `scheduler.fifo`, or {others}, which works with any scheduler");
            (problem, hint)
        } else if switch.buffer.is_shared() {
            let problem = format!("the outputs of `{name}` share a memory");
            let hint = format!("write `buffer.per_output`, or choose {others}");
            (problem, hint)
        } else {
            continue;
        };
        let at = Path::root().key("switch").key(name).key("discard");
        problems.add(Problem::new(&at.key(switch.discard.kind()), None, problem).hint(hint));
    }
}

/// Reports discard policies whose queues the scheduler does not serve.
pub fn check_queues(spec: &ScenarioSpec, problems: &mut Problems) {
    for (family, name, spec) in routers::all(spec) {
        let (policy, scheduler) = (spec.discard.kind(), spec.scheduler.kind());
        let kinds = spec.discard.schedulers().unwrap_or(&[]);
        if family == "edge" || kinds.is_empty() || kinds.contains(&scheduler) {
            continue;
        }
        let at = Path::root().key(family).key(name).key("discard");
        let problem = format!("`scheduler.{scheduler}` does not serve the queues of this policy");
        let hint = format!("write `scheduler.{} = {{}}`", kinds[0]);
        problems.add(Problem::new(&at.key(policy), None, problem).hint(hint));
    }
}

/// Reports buffers per class where the scheduler does not distinguish classes, or where a class has
/// no buffer.
pub fn check(spec: &ScenarioSpec, topology: &Topology, flows: Flows<'_>, problems: &mut Problems) {
    for (node, planned) in topology.nodes.iter().enumerate() {
        let (family, name, buffer, switch) = match planned.kind {
            NodeKind::Host | NodeKind::Edge => continue,
            NodeKind::Router => {
                let (name, router) = &spec.router.0[planned.member.spec()];
                ("router", name, &router.buffer, None)
            }
            NodeKind::Switch => {
                let (name, switch) = &spec.switch.0[planned.member.spec()];
                let of_cells = flows.paths.carries_cells(node).then_some(switch);
                ("switch", name, &switch.buffer, of_cells)
            }
        };
        if !buffer.is_per_class() {
            continue;
        }
        let at = Path::root().key(family).key(name).key("buffer");
        match switch {
            None => of_packets(name, buffer, &at, problems),
            Some(switch) => of_cells(topology, flows, node, switch, &at, problems),
        }
    }
}

fn of_packets(name: &str, buffer: &BufferSpec, at: &Path, problems: &mut Problems) {
    let problem = format!("`{name}` forwards whole packets, which have no service class");
    let hint = "write `buffer.per_output`, or carry the flows in cells";
    problems.add(Problem::new(&buffer.size_path(at), None, problem).hint(hint));
}

fn of_cells(
    topology: &Topology,
    flows: Flows<'_>,
    node: usize,
    switch: &SwitchSpec,
    at: &Path,
    problems: &mut Problems,
) {
    let size_at = switch.buffer.size_path(at);
    if switch.scheduler.is_in_order() {
        let problem = "the scheduler serves all service classes from one queue";
        let others = hints::kinds(|one: &SchedulerSpec| one.knows_classes());
        let hint = format!(
            "choose the scheduler {others}, which distinguish classes, or write `buffer.per_output`"
        );
        problems.add(Problem::new(&size_at, None, problem).hint(hint));
    }
    for class in Class::ALL {
        let of_class = |flow: usize| flows.spec(flow).over.class() == class;
        let mut carried = flows
            .paths
            .leaving(topology, node)
            .map(|planned| planned.flow);
        let Some(flow) = carried.find(|flow| of_class(*flow)) else {
            continue;
        };
        if switch.buffer.limit_for(class).is_none() {
            let word = class.word();
            let name = flows.table(flow);
            let problem =
                format!("there is no buffer for flow `{name}`, which is of class `{word}`");
            let hint = format!("add for example `{word} = \"1000 cells\"`");
            problems.add(Problem::new(&size_at, None, problem).hint(hint));
        }
    }
}
