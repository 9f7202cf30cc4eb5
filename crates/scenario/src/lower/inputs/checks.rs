//! Checks of routers that pause links or give credits for packets. The checks are our own: packets of
//! each priority must wait by themselves, and a router must have room for what its inputs may hold.

use models::output::scheduler::SchedulerSpec;
use parameters::{Path, Problem, Problems};

use super::share::DividedBuffer;
use crate::lower::checks::hints;
use crate::lower::{Hop, Plan};

/// Reports routers whose scheduler or buffer does not fit the pauses and credits of their links.
pub fn check(plan: &Plan, problems: &mut Problems) {
    for node in 0..plan.topology.nodes.len() {
        router(plan, node, problems);
    }
}

fn router(plan: &Plan, node: usize, problems: &mut Problems) {
    let (Some(spec), Some(division)) = (plan.router_spec(node), plan.division_of(node)) else {
        return;
    };
    let name = plan.node_name(node);
    let at = Path::root()
        .key(plan.topology.nodes[node].kind.word())
        .key(&name);
    let mut outputs = plan.topology.outputs(node).iter();
    let has_credit = |hop: &Hop| plan.packet_credit(*hop).is_some();
    let is_gated = |hop: &Hop| plan.pause_demand(*hop).is_some() || has_credit(hop);
    if let Some(hop) = outputs.find(|hop| is_gated(hop))
        && !spec.scheduler.is_in_order()
    {
        let at = at.key("scheduler").key(spec.scheduler.kind());
        let problem = if has_credit(hop) {
            format!("packets wait at `{name}` for credits, by priority")
        } else {
            format!("a link from `{name}` may be paused, by priority")
        };
        let in_order = hints::kinds(|one: &SchedulerSpec| one.is_in_order());
        let hint = format!("choose {in_order}, under which each priority waits by itself");
        problems.add(Problem::new(&at, None, problem).hint(hint));
    }
    let credits = plan.topology.outputs(node).iter();
    let credits = credits.map(|hop| hop.back()).any(|hop| has_credit(&hop));
    let size_at = spec.buffer.size_path(&at.key("buffer"));
    if spec.buffer.is_per_vc() || spec.buffer.is_per_class() {
        let problem = if credits {
            format!("the credits of the links to `{name}` are for all outputs together")
        } else {
            format!("the links to `{name}` are paused by what their inputs hold together")
        };
        let hint = "write `buffer.per_output` or `buffer.shared`";
        problems.add(Problem::new(&size_at, None, problem).hint(hint));
        return;
    }
    let inputs = plan.topology.outputs(node).iter();
    let demands = inputs.filter_map(|hop| plan.pause_demand(hop.back()));
    if demands.into_iter().any(|one| one.dynamic.is_some()) && !spec.buffer.is_shared() {
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
