//! Links with retry: the limits of each, and checks that it can work. The checks are our own: a limit
//! below what one packet or one round trip needs would only ever replay and give up.

use models::credit::CreditSpec;
use models::retry::{RetriedLink, RetryEnd, RetryLimits};
use parameters::{Path, Problem, Problems};

use super::{Hop, NodeKind, Plan};

impl Plan {
    /// The limits of retry on a hop; none unless its link has retry and carries flows.
    pub fn retry_limits(&self, hop: Hop) -> Option<RetryLimits> {
        let retry = self.link_spec(hop.link()).retry.as_ref()?;
        Some(retry.build(&self.retried_link(hop)?))
    }

    /// A link as retry sees it; none if it carries no flow.
    fn retried_link(&self, hop: Hop) -> Option<RetriedLink> {
        let (_, largest) = self.packet_sizes(hop)?;
        let link = self.link_spec(hop.link());
        let control = [hop, hop.back()].map(|hop| self.control_frames(hop).max());
        Some(RetriedLink {
            rate: link.rate,
            propagation: link.delay.0,
            largest,
            control: control.into_iter().flatten().max().unwrap_or(0),
        })
    }

    /// Link-level retry at the beginning of a hop.
    pub(in crate::lower) fn retry_end(&self, hop: Hop) -> Option<RetryEnd> {
        Some(RetryEnd::new(self.retry_limits(hop)?, self.rate(hop)))
    }
}

/// Reports links on which retry cannot work.
pub fn check(plan: &Plan, problems: &mut Problems) {
    for (spec, (name, link)) in plan.spec.link.iter().enumerate() {
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
        } else if let Some((problem, hint)) = unfit(plan, spec, name) {
            problems.add(Problem::new(&at, None, problem).hint(hint));
        } else {
            limits(plan, spec, name, &at, problems);
        }
    }
}

/// The reason for which a link cannot have retry, and a hint.
fn unfit(plan: &Plan, spec: usize, name: &str) -> Option<(String, &'static str)> {
    plan.hops_of_table(spec).find_map(|hop| {
        let ends = [hop, hop.back()].map(|hop| plan.topology.head(hop));
        let is_edge = |node: &&usize| plan.topology.nodes[**node].kind == NodeKind::Edge;
        if let Some(edge) = ends.iter().find(is_edge) {
            let problem = format!("`{name}` leads to the edge `{}`", plan.node_name(*edge));
            let hint = "retry works between hosts, routers and switches; leave `retry` out";
            return Some((problem, hint));
        }
        let cells = plan.vcs(hop).find(|planned| planned.in_cells)?;
        let flow = &plan.spec.flow.0[plan.flows[cells.flow].member.spec()].0;
        let problem = format!("flow `{flow}` sends cells over `{name}`");
        let hint = "retry is for whole packets: carry the flow `over.packet`, or leave `retry` out";
        Some((problem, hint))
    })
}

/// Reports a replay buffer without space for a packet, and a replay timer that expires before an
/// acknowledgment can arrive.
fn limits(plan: &Plan, spec: usize, name: &str, at: &Path, problems: &mut Problems) {
    let links = plan.hops_of_table(spec).filter_map(|hop| {
        let limits = plan.retry_limits(hop)?;
        Some((limits, plan.retried_link(hop)?))
    });
    let links: Vec<(RetryLimits, RetriedLink)> = links.collect();
    let small = links
        .iter()
        .filter(|(limits, _)| limits.octets < limits.largest);
    if let Some(largest) = small.map(|(limits, _)| limits.largest).max() {
        let problem = format!("the replay buffer is smaller than a packet on `{name}`");
        let hint = format!("write at least `\"{largest} B\"`, or leave `octets` out");
        problems.add(Problem::new(&at.key("octets"), None, problem).hint(hint));
    }
    let needed = links.iter().filter_map(|(limits, link)| {
        let longest = link.longest_answer(limits.spacing);
        (limits.timer < longest).then_some(longest)
    });
    if let Some(longest) = needed.max() {
        let problem = format!("acknowledgments on `{name}` may take longer than the replay timer");
        let hint = format!("write at least `\"{longest}\"`, or leave `timer` out");
        problems.add(Problem::new(&at.key("timer"), None, problem).hint(hint));
    }
}
