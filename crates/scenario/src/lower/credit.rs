//! Links controlled by credits: the buffer at the credit receiver of each link, and checks of its
//! size: N2 + N3 cells for each VC, as in FCVC (`models::credit`).

use kernel::Duration;
use models::link::credit::CreditSpec;
use models::output::buffer::BufferSpec;
use models::output::scheduler::SchedulerSpec;
use parameters::{Path, Problem, Problems};

use super::checks::hints;
use crate::lower::{Flows, Hop, NodeKind, PlannedLinks, Topology};
use crate::spec::ScenarioSpec;

/// Cells that the buffer of an output must hold, by controlled link: the cells of one VC, and
/// the cells of all VCs that arrive by that link.
fn promised(flows: Flows<'_>, links: &PlannedLinks, output: Hop) -> Vec<(Hop, [u64; 2])> {
    let mut vcs: Vec<Hop> = flows
        .paths
        .vcs(output)
        .filter_map(|planned| flows.paths.before(output, planned))
        .collect();
    vcs.sort_unstable_by_key(|hop| (hop.link(), hop.reverse()));
    let by_link = vcs.chunk_by(|one, other| one == other);
    by_link
        .filter_map(|vcs| {
            let buffer = links.cell_credit(vcs[0])?;
            let together = buffer.of(vcs.len() as u64);
            Some((vcs[0], [u64::from(buffer.cells), together]))
        })
        .collect()
}

/// Cells that each buffer of a switch must hold.
fn needed(
    topology: &Topology,
    flows: Flows<'_>,
    links: &PlannedLinks,
    node: usize,
    buffer: &BufferSpec,
) -> u64 {
    let outputs = topology.outputs(node).iter();
    let by_output = outputs.map(|hop| promised(flows, links, *hop));
    let of_all = |promised: Vec<(Hop, [u64; 2])>| -> u64 {
        promised.iter().map(|(_, [_, together])| together).sum()
    };
    if buffer.is_shared() {
        // All VCs of a link share its pool, however many outputs they are routed to.
        let inputs = topology.outputs(node).iter().map(|hop| hop.back());
        let buffers = inputs.filter_map(|hop| {
            let buffer = links.cell_credit(hop)?;
            Some(buffer.of(flows.paths.vcs(hop).len() as u64))
        });
        buffers.sum()
    } else if buffer.is_per_vc() {
        let each = by_output.flatten().map(|(_, [alone, _])| alone);
        each.max().unwrap_or(0)
    } else {
        by_output.map(of_all).max().unwrap_or(0)
    }
}

/// Reports links that cannot be controlled, and switches whose buffers are smaller than their
/// credits allow.
pub fn check(
    spec: &ScenarioSpec,
    topology: &Topology,
    flows: Flows<'_>,
    links: &PlannedLinks,
    problems: &mut Problems,
) {
    for (index, (name, link)) in spec.link.iter().enumerate() {
        if let Some(credit) = link.credit.as_ref().filter(|credit| is_for_cells(credit)) {
            let at = Path::root().key("link").key(name).key("credit");
            let at = at.key(credit.kind());
            of_table(topology, flows, links, index, name, &at, problems);
        }
    }
    for (node, planned) in topology.nodes.iter().enumerate() {
        if planned.kind == NodeKind::Switch
            && flows.paths.carries_cells(node)
            && links.gives_cell_credit(topology, node)
        {
            of_switch(
                spec,
                topology,
                flows,
                links,
                node,
                planned.member.spec(),
                problems,
            );
        }
    }
}

/// True if credits are for cells.
fn is_for_cells(credit: &CreditSpec) -> bool {
    !matches!(credit, CreditSpec::Cbfc(_))
}

fn of_table(
    topology: &Topology,
    flows: Flows<'_>,
    links: &PlannedLinks,
    table: usize,
    name: &str,
    at: &Path,
    problems: &mut Problems,
) {
    let hops: Vec<Hop> = topology.hops_of_table(table).collect();
    if hops.iter().all(|hop| links.cell_credit(*hop).is_none()) {
        let problem = format!("neither end of `{name}` is a switch");
        let hint = "only switches give credit; leave `credit` out";
        problems.add(Problem::new(at, None, problem).hint(hint));
        return;
    }
    pools(flows, links, name, &hops, at, problems);
    checks(flows, links, name, &hops, at, problems);
    let mut carried = hops.iter().flat_map(|hop| flows.paths.vcs(*hop));
    let unfit = carried.find_map(|planned| {
        let (flow, over) = (flows.table(planned.flow), &flows.spec(planned.flow).over);
        if !over.is_cells() {
            return Some((flow, "whole packets", "carry it `over.ubr`"));
        }
        over.is_abr().then_some((
            flow,
            "cells of ABR, whose rate the network controls,",
            "a flow is controlled by rates or by credits, and not by both: carry it `over.ubr`",
        ))
    });
    if let Some((flow, what, hint)) = unfit {
        let problem = format!("flow `{flow}` sends {what} over `{name}`");
        problems.add(Problem::new(at, None, problem).hint(hint));
    }
}

/// Reports a pool that is too small for the N2 cells of every VC on a link.
fn pools(
    flows: Flows<'_>,
    links: &PlannedLinks,
    name: &str,
    hops: &[Hop],
    at: &Path,
    problems: &mut Problems,
) {
    let too_small = hops
        .iter()
        .filter_map(|hop| Some((links.cell_credit(*hop)?, flows.paths.vcs(*hop).len() as u64)))
        .filter_map(|(buffer, vcs)| Some((buffer.pool?, vcs * u64::from(buffer.batch))))
        .filter(|(pool, needed)| u64::from(pool.cells) < *needed);
    if let Some(needed) = too_small.map(|(_, needed)| needed).max() {
        let problem = format!(
            "each VC of `{name}` keeps `n2` cells, and the pool is too small for all of them"
        );
        let hint = format!("write at least `{needed}`, or lower `n2`");
        problems.add(Problem::new(&at.key("pool"), None, problem).hint(hint));
    }
}

/// Reports an interval of check cells so short that check cells take much of a link.
///
/// Check cells and their answers are sent before all waiting cells. Each direction of a link
/// carries the check cells of its own VCs, and the answers to those of the other direction.
fn checks(
    flows: Flows<'_>,
    links: &PlannedLinks,
    name: &str,
    hops: &[Hop],
    at: &Path,
    problems: &mut Problems,
) {
    let longest = hops.iter().filter_map(|hop| {
        let every = links.cell_credit(*hop)?.check?;
        let vcs = flows.paths.vcs(*hop).len() as u64;
        let ways = 1 + u64::from(links.cell_credit(hop.back()).is_some());
        let cell = links.cell_time(*hop);
        // Check cells and answers may take half of the link; the interval is rounded to whole
        // microseconds.
        let least = (cell.ps() * vcs * ways * 2).div_ceil(1_000_000);
        let least = Duration::from_us(least);
        (every < least).then_some(least)
    });
    if let Some(least) = longest.max() {
        let problem = format!("check cells may take more than half of `{name}`");
        let hint = format!("write at least `\"{least}\"`");
        problems.add(Problem::new(&at.key("check"), None, problem).hint(hint));
    }
}

fn of_switch(
    spec: &ScenarioSpec,
    topology: &Topology,
    flows: Flows<'_>,
    links: &PlannedLinks,
    node: usize,
    index: usize,
    problems: &mut Problems,
) {
    let (name, switch) = &spec.switch.0[index];
    let at = Path::root().key("switch").key(name);
    if !switch.scheduler.serves_by_credit() {
        let problem = if switch.scheduler.has_queue_per_vc() {
            format!("the scheduler of `{name}` does not serve VCs by their credit")
        } else {
            format!("credits need a queue for each VC, and all VCs share a queue at `{name}`")
        };
        let at = at.key("scheduler").key(switch.scheduler.kind());
        let by_credit = |one: &SchedulerSpec| one.serves_by_credit();
        let hint = format!("write {}", hints::tables("scheduler", by_credit));
        problems.add(Problem::new(&at, None, problem).hint(hint));
        return;
    }
    let needed = needed(topology, flows, links, node, &switch.buffer);
    if switch
        .buffer
        .in_cells(0, switch.memory(flows.cells))
        .capacity
        < needed
    {
        let problem = format!("the buffer of `{name}` is smaller than its credits");
        let hint =
            format!("write at least `\"{needed} cells\"`, or lower the parameters of `credit`");
        let at = switch.buffer.size_path(&at.key("buffer"));
        problems.add(Problem::new(&at, None, problem).hint(hint));
    }
}
