//! Links controlled by credits: the buffer at the credit receiver of each link, and checks of its
//! size: N2 + N3 cells for each VC, as in FCVC (`models::credit`).

use kernel::Duration;
use models::credit::{CreditBuffer, CreditSpec, CreditTerms, Loop};
use models::link::control::SETS_BEFORE_CONTROL;
use models::output::buffer::BufferSpec;
use models::output::scheduler::SchedulerSpec;
use parameters::{Path, Problem, Problems};

use super::checks::hints;
use super::{Hop, NodeKind, Plan, PlannedVc};

impl Plan {
    /// Buffer at the far end of a hop; none unless the far end is a switch that controls the link.
    pub fn credit_buffer(&self, hop: Hop) -> Option<CreditBuffer> {
        let link = self.link_spec(hop.link());
        let credit = link.credit.as_ref()?;
        let node = &self.topology.nodes[self.topology.head(hop)];
        if node.kind != NodeKind::Switch {
            return None;
        }
        match credit.build(&self.credit_loop(hop)) {
            CreditTerms::Cells(buffer) => Some(buffer),
            CreditTerms::Packets(_) => None,
        }
    }

    /// A hop as its credits see it.
    pub(super) fn credit_loop(&self, hop: Hop) -> Loop {
        let link = self.link_spec(hop.link());
        let cell = self.cells().octets();
        let sizes = |hop| self.packet_sizes(hop).unwrap_or((cell, cell));
        let (smallest, largest) = sizes(hop);
        let (_, against) = sizes(hop.back());
        Loop {
            propagation: link.delay.0,
            rate: link.rate,
            cell_time: self.cell_time(hop),
            vcs: u32::try_from(self.vcs(hop).len()).expect("VCs have numbers"),
            priorities: self.priorities(hop).iter().copied().collect(),
            sizes: [smallest, largest],
            against,
            sets: link.retry.as_ref().map_or(0, |_| SETS_BEFORE_CONTROL),
        }
    }

    /// True if credits, or check cells, are sent over a hop.
    pub fn sends_credits(&self, hop: Hop) -> bool {
        let checks = self
            .credit_buffer(hop)
            .is_some_and(|buffer| buffer.check.is_some());
        checks || self.credit_buffer(hop.back()).is_some()
    }

    /// True if any link of a node is controlled by credits.
    pub fn is_controlled(&self, node: usize) -> bool {
        let hops = self.topology.outputs(node).iter();
        hops.flat_map(|hop| [*hop, hop.back()])
            .any(|hop| self.credit_buffer(hop).is_some())
    }

    /// Cells that the buffer of an output must hold, by controlled link: the cells of one VC, and
    /// the cells of all VCs that arrive by that link.
    fn promised(&self, output: Hop) -> Vec<(Hop, [u64; 2])> {
        let mut vcs: Vec<Hop> = self
            .vcs(output)
            .filter_map(|planned| self.before(output, planned))
            .collect();
        vcs.sort_unstable_by_key(|hop| (hop.link(), hop.reverse()));
        let by_link = vcs.chunk_by(|one, other| one == other);
        by_link
            .filter_map(|vcs| {
                let buffer = self.credit_buffer(vcs[0])?;
                let together = buffer.of(vcs.len() as u64);
                Some((vcs[0], [u64::from(buffer.cells), together]))
            })
            .collect()
    }

    /// Cells that each buffer of a switch must hold.
    fn needed(&self, node: usize, buffer: &BufferSpec) -> u64 {
        let outputs = self.topology.outputs(node).iter();
        let by_output = outputs.map(|hop| self.promised(*hop));
        let of_all = |promised: Vec<(Hop, [u64; 2])>| -> u64 {
            promised.iter().map(|(_, [_, together])| together).sum()
        };
        if buffer.is_shared() {
            // All VCs of a link share its pool, however many outputs they are routed to.
            let inputs = self.topology.outputs(node).iter().map(|hop| hop.back());
            let buffers = inputs.filter_map(|hop| {
                let buffer = self.credit_buffer(hop)?;
                Some(buffer.of(self.vcs(hop).len() as u64))
            });
            buffers.sum()
        } else if buffer.is_per_vc() {
            let each = by_output.flatten().map(|(_, [alone, _])| alone);
            each.max().unwrap_or(0)
        } else {
            by_output.map(of_all).max().unwrap_or(0)
        }
    }

    /// The hop by which a VC arrives at the node that has `output`.
    fn before(&self, output: Hop, planned: PlannedVc) -> Option<Hop> {
        let path = &self.flows[planned.flow].path;
        let back = |hop: &Hop| hop.back();
        let way: Vec<Hop> = if planned.back {
            path.iter().rev().map(back).collect()
        } else {
            path.to_vec()
        };
        let place = way.iter().position(|hop| *hop == output)?;
        way.get(place.checked_sub(1)?).copied()
    }
}

/// Reports links that cannot be controlled, and switches whose buffers are smaller than their
/// credits allow.
pub fn check(plan: &Plan, problems: &mut Problems) {
    for (index, (name, link)) in plan.spec.link.iter().enumerate() {
        if let Some(credit) = link.credit.as_ref().filter(|credit| is_for_cells(credit)) {
            let at = Path::root().key("link").key(name).key("credit");
            let at = at.key(credit.kind());
            links(plan, index, name, &at, problems);
        }
    }
    for (node, planned) in plan.topology.nodes.iter().enumerate() {
        if planned.kind == NodeKind::Switch && plan.carries_cells(node) && plan.is_controlled(node)
        {
            switches(plan, node, planned.member.spec(), problems);
        }
    }
}

/// True if credits are for cells.
fn is_for_cells(credit: &CreditSpec) -> bool {
    !matches!(credit, CreditSpec::Cbfc(_))
}

fn links(plan: &Plan, spec: usize, name: &str, at: &Path, problems: &mut Problems) {
    let hops: Vec<Hop> = plan.hops_of_table(spec).collect();
    if hops.iter().all(|hop| plan.credit_buffer(*hop).is_none()) {
        let problem = format!("neither end of `{name}` is a switch");
        let hint = "only switches give credit; leave `credit` out";
        problems.add(Problem::new(at, None, problem).hint(hint));
        return;
    }
    pools(plan, name, &hops, at, problems);
    checks(plan, name, &hops, at, problems);
    let mut carried = hops.iter().flat_map(|hop| plan.vcs(*hop));
    let unfit = carried.find_map(|planned| {
        let flow = &plan.spec.flow.0[plan.flows[planned.flow].member.spec()];
        if !flow.1.over.is_cells() {
            return Some((&flow.0, "whole packets", "carry it `over.ubr`"));
        }
        flow.1.over.is_abr().then_some((
            &flow.0,
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
fn pools(plan: &Plan, name: &str, hops: &[Hop], at: &Path, problems: &mut Problems) {
    let too_small = hops
        .iter()
        .filter_map(|hop| Some((plan.credit_buffer(*hop)?, plan.vcs(*hop).len() as u64)))
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
fn checks(plan: &Plan, name: &str, hops: &[Hop], at: &Path, problems: &mut Problems) {
    let longest = hops.iter().filter_map(|hop| {
        let every = plan.credit_buffer(*hop)?.check?;
        let vcs = plan.vcs(*hop).len() as u64;
        let ways = 1 + u64::from(plan.credit_buffer(hop.back()).is_some());
        let cell = plan.cell_time(*hop);
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

fn switches(plan: &Plan, node: usize, index: usize, problems: &mut Problems) {
    let (name, switch) = &plan.spec.switch.0[index];
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
    let needed = plan.needed(node, &switch.buffer);
    if switch
        .buffer
        .in_cells(0, switch.memory(plan.cells()))
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
