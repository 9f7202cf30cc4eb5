//! Checks of routers that pause links or give credits for packets. The checks are our own: packets of
//! each priority must wait by themselves, and a router must have room for what its inputs may hold.

use models::output::scheduler::SchedulerSpec;
use models::router::RouterSpec;
use parameters::{Path, Problem, Problems};

use super::share::DividedBuffer;
use crate::lower::build::routers;
use crate::lower::checks::hints;
use crate::lower::inputs::PlannedInputs;
use crate::lower::{Hop, PlannedLinks, Topology};
use crate::spec::ScenarioSpec;

/// Reports routers whose scheduler or buffer does not fit the pauses and credits of their links.
pub fn check(
    spec: &ScenarioSpec,
    topology: &Topology,
    links: &PlannedLinks,
    inputs: &PlannedInputs,
    problems: &mut Problems,
) {
    for node in 0..topology.nodes.len() {
        at_node(spec, topology, links, inputs, node, problems);
    }
}

fn at_node(
    spec: &ScenarioSpec,
    topology: &Topology,
    links: &PlannedLinks,
    inputs: &PlannedInputs,
    node: usize,
    problems: &mut Problems,
) {
    let Some(division) = inputs.of(node) else {
        return;
    };
    let Some(router) = routers::of_node(spec, topology, node) else {
        return;
    };
    let name = topology.name(spec, node);
    let at = Path::root()
        .key(topology.nodes[node].kind.word())
        .key(&name);
    let hops = topology.outputs(node);
    unordered(&router, hops, links, &name, &at, problems);
    let mut inputs = hops.iter().map(|hop| hop.back());
    let credits = inputs.any(|hop| links.packet_credit(hop).is_some());
    let size_at = router.buffer.size_path(&at.key("buffer"));
    if router.buffer.is_per_vc() || router.buffer.is_per_class() {
        let problem = if credits {
            format!("the credits of the links to `{name}` are for all outputs together")
        } else {
            format!("the links to `{name}` are paused by what their inputs hold together")
        };
        let hint = "write `buffer.per_output` or `buffer.shared`";
        problems.add(Problem::new(&size_at, None, problem).hint(hint));
        return;
    }
    let mut demands = hops.iter().filter_map(|hop| links.pause(hop.back()));
    if demands.any(|one| one.dynamic.is_some()) && !router.buffer.is_shared() {
        let problem = format!("a dynamic threshold of the links to `{name}` needs one buffer");
        let hint = "write `buffer.shared`, or leave out the `dynamic` threshold of `pause`";
        problems.add(Problem::new(&size_at, None, problem).hint(hint));
        return;
    }
    let needed = division.buffers.iter().map(DividedBuffer::needed);
    if let Some(needed) = needed.max().filter(|needed| *needed > division.capacity) {
        let (what, parameters) = if credits {
            ("by their credits", "credit")
        } else {
            ("`xoff` and `headroom`", "pause")
        };
        let problem =
            format!("the buffer of `{name}` has no room for what its inputs may hold, {what}");
        let hint =
            format!("write at least `\"{needed} B\"`, or lower the parameters of `{parameters}`");
        problems.add(Problem::new(&size_at, None, problem).hint(hint));
    }
}

/// Reports a scheduler under which packets of several priorities share a queue.
fn unordered(
    router: &RouterSpec,
    hops: &[Hop],
    links: &PlannedLinks,
    name: &str,
    at: &Path,
    problems: &mut Problems,
) {
    let mut outputs = hops.iter();
    let has_credit = |hop: &Hop| links.packet_credit(*hop).is_some();
    if let Some(hop) = outputs.find(|hop| links.has_priorities(**hop))
        && !router.scheduler.is_in_order()
    {
        let at = at.key("scheduler").key(router.scheduler.kind());
        let problem = if has_credit(hop) {
            format!("packets wait at `{name}` for credits, by priority")
        } else {
            format!("a link from `{name}` may be paused, by priority")
        };
        let in_order = hints::kinds(|one: &SchedulerSpec| one.is_in_order());
        let hint = format!("choose {in_order}, under which each priority waits by itself");
        problems.add(Problem::new(&at, None, problem).hint(hint));
    }
}
