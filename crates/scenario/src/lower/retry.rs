//! Links with retry: the limits of each, and checks that it can work. The checks are our own: a limit
//! below what one packet or one round trip needs would only ever replay and give up.

use models::link::credit::CreditSpec;
use models::link::retry::{RetriedLink, RetryLimits};
use parameters::{Path, Problem, Problems};

use crate::lower::{Flows, NodeKind, PlannedLinks, Topology};
use crate::spec::ScenarioSpec;

/// Reports links on which retry cannot work.
pub fn check(
    spec: &ScenarioSpec,
    topology: &Topology,
    flows: Flows<'_>,
    links: &PlannedLinks,
    problems: &mut Problems,
) {
    for (table, (name, link)) in spec.link.iter().enumerate() {
        let Some(retry) = &link.retry else {
            continue;
        };
        let at = Path::root().key("link").key(name).key("retry");
        let at = at.key(retry.kind());
        let is_for_cells = |credit: &CreditSpec| !matches!(credit, CreditSpec::Cbfc(_));
        if link.credit.as_ref().is_some_and(is_for_cells) {
            let problem = format!("`{name}` has `credit` too, which counts cells");
            let hint = "retry is for whole packets: leave `credit` out, or leave `retry` out";
            problems.add(Problem::new(&at, None, problem).hint(hint));
        } else if let Some((problem, hint)) = unfit(spec, topology, flows, table, name) {
            problems.add(Problem::new(&at, None, problem).hint(hint));
        } else {
            limits(topology, links, table, name, &at, problems);
        }
    }
}

/// The reason for which a link cannot have retry, and a hint.
fn unfit(
    spec: &ScenarioSpec,
    topology: &Topology,
    flows: Flows<'_>,
    table: usize,
    name: &str,
) -> Option<(String, &'static str)> {
    topology.hops_of_table(table).find_map(|hop| {
        let ends = [hop, hop.back()].map(|hop| topology.head(hop));
        let is_edge = |node: &&usize| topology.nodes[**node].kind == NodeKind::Edge;
        if let Some(edge) = ends.iter().find(is_edge) {
            let problem = format!(
                "`{name}` leads to the edge `{}`",
                topology.name(spec, *edge)
            );
            let hint = "retry works between hosts, routers and switches; leave `retry` out";
            return Some((problem, hint));
        }
        let cells = flows.paths.vcs(hop).find(|planned| planned.in_cells)?;
        let flow = flows.table(cells.flow);
        let problem = format!("flow `{flow}` sends cells over `{name}`");
        let hint = "retry is for whole packets: carry the flow `over.packet`, or leave `retry` out";
        Some((problem, hint))
    })
}

/// Reports a replay buffer without space for a packet, and a replay timer that expires before an
/// acknowledgment can arrive.
fn limits(
    topology: &Topology,
    links: &PlannedLinks,
    table: usize,
    name: &str,
    at: &Path,
    problems: &mut Problems,
) {
    let limits = topology
        .hops_of_table(table)
        .filter_map(|hop| links.retried(hop));
    let limits: Vec<(RetriedLink, RetryLimits)> = limits.collect();
    let small = limits
        .iter()
        .filter(|(_, limits)| limits.octets < limits.largest);
    if let Some(largest) = small.map(|(_, limits)| limits.largest).max() {
        let problem = format!("the replay buffer is smaller than a packet on `{name}`");
        let hint = format!("write at least `\"{largest} B\"`, or leave `octets` out");
        problems.add(Problem::new(&at.key("octets"), None, problem).hint(hint));
    }
    let needed = limits.iter().filter_map(|(link, limits)| {
        let longest = link.longest_answer(limits.spacing);
        (limits.timer < longest).then_some(longest)
    });
    if let Some(longest) = needed.max() {
        let problem = format!("acknowledgments on `{name}` may take longer than the replay timer");
        let hint = format!("write at least `\"{longest}\"`, or leave `timer` out");
        problems.add(Problem::new(&at.key("timer"), None, problem).hint(hint));
    }
}
