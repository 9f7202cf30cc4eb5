//! Links with credits for whole packets: see `models::credit`, and `inputs` for the nodes at their
//! ends.

use std::collections::BTreeSet;

use models::link::control::USED_UPDATE;
use models::link::credit::{CbfcTerms, CreditPool, CreditSpec};
use models::wire::cyclic_count::CyclicCount;
use parameters::{Path, Problem, Problems};

use super::computed::told;
use crate::lower::{Flows, Hop, NodeKind, PlannedLinks, Topology};
use crate::spec::ScenarioSpec;

/// The credit limits of links that state none, and the credits that virtual channels share.
pub(in crate::lower) fn packet_credit_parameters(
    spec: &ScenarioSpec,
    topology: &Topology,
    links: &PlannedLinks,
) -> Vec<(String, String)> {
    let mut computed = Vec::new();
    for (index, (name, link)) in spec.link.iter().enumerate() {
        let Some(CreditSpec::Cbfc(cbfc)) = &link.credit else {
            continue;
        };
        let hops = topology.hops_of_table(index);
        let terms: Vec<CbfcTerms> = hops.filter_map(|hop| links.packet_credit(hop)).collect();
        let limits: BTreeSet<u32> = terms.iter().map(|terms| terms.limit).collect();
        let limit = told(&limits).filter(|_| cbfc.limit.is_none());
        let limit = limit.map(|told| (at(name).key("limit"), format!("{told} credits")));
        let computed_of_link = limit.into_iter().chain(told_of_shared(&at(name), &terms));
        computed.extend(computed_of_link.map(|(at, told)| (at.to_string(), told)));
    }
    computed
}

/// The credits that virtual channels share, and what one of them alone may use; nothing if they share
/// none. `at` is the path of the credits of the link, and `terms` are those of its directions.
fn told_of_shared(at: &Path, terms: &[CbfcTerms]) -> Option<(Path, String)> {
    let shared = terms.iter().filter_map(|terms| terms.shared);
    let shared: Vec<CreditPool> = shared.collect();
    let of = |count: fn(&CreditPool) -> u64| told(&shared.iter().map(count).collect());
    let limit = of(|shared| u64::from(shared.port_limit))?;
    let (credits, alone) = (of(CreditPool::credits)?, of(CreditPool::alone)?);
    let told =
        format!("{limit} credits of the port, {credits} of them shared, up to {alone} by one");
    Some((at.key("shared"), told))
}

/// The path of the credits for packets of a link.
fn at(name: &str) -> Path {
    Path::root().key("link").key(name).key("credit").key("cbfc")
}

/// Reports links that cannot have credits for packets.
pub fn check(
    spec: &ScenarioSpec,
    topology: &Topology,
    flows: Flows<'_>,
    links: &PlannedLinks,
    problems: &mut Problems,
) {
    for (index, (name, link)) in spec.link.iter().enumerate() {
        if !matches!(link.credit, Some(CreditSpec::Cbfc(_))) {
            continue;
        }
        let at = at(name);
        if let Some((problem, hint)) = unfit(topology, flows, index, name) {
            problems.add(Problem::new(&at, None, problem).hint(hint));
        } else {
            limits(topology, links, index, name, &at, problems);
        }
    }
}

/// The reason for which a link cannot have credits for packets, and a hint.
fn unfit(
    topology: &Topology,
    flows: Flows<'_>,
    table: usize,
    name: &str,
) -> Option<(String, &'static str)> {
    let kind = |hop: Hop| topology.nodes[topology.head(hop)].kind;
    if topology
        .hops_of_table(table)
        .any(|hop| kind(hop) == NodeKind::Edge)
    {
        let problem = format!("an end of `{name}` is an edge router, which gives no credits");
        return Some((
            problem,
            "join hosts, routers and switches, or leave `credit` out",
        ));
    }
    let mut vcs = topology
        .hops_of_table(table)
        .flat_map(|hop| flows.paths.vcs(hop));
    if let Some(planned) = vcs.find(|planned| planned.in_cells) {
        let flow = flows.table(planned.flow);
        let problem = format!("flow `{flow}` sends cells over `{name}`");
        let hint = "these credits are for whole packets: write `credit.n23` for cells, or carry \
                    the flow `over.packet`";
        return Some((problem, hint));
    }
    None
}

/// Reports a limit below the credits of a packet, and `CC_Update`s that would take much of the link.
fn limits(
    topology: &Topology,
    links: &PlannedLinks,
    table: usize,
    name: &str,
    at: &Path,
    problems: &mut Problems,
) {
    let hops = topology.hops_of_table(table);
    let terms = hops.filter_map(|hop| Some((hop, links.packet_credit(hop)?)));
    let terms: Vec<(Hop, CbfcTerms)> = terms.collect();
    let needed = terms.iter().filter_map(|(hop, terms)| {
        let [_, largest] = links.packet_sizes(*hop)?;
        let cost = terms.cost.of(u32::try_from(largest).unwrap_or(u32::MAX));
        (terms.limit < cost).then_some(cost)
    });
    if let Some(needed) = needed.max() {
        let problem = format!("the largest packets on `{name}` cost more credits than the limit");
        let hint = format!("write at least `{needed}`, or leave `limit` out");
        problems.add(Problem::new(&at.key("limit"), None, problem).hint(hint));
    }
    let shared = terms.iter().filter_map(|(_, terms)| terms.shared);
    let above = shared.filter(|one| one.reserved > u64::from(one.port_limit));
    if let Some(reserved) = above.map(|one| one.reserved).max() {
        let problem = format!(
            "the limits of all virtual channels of `{name}` are {reserved} credits together, more \
             than the port may use"
        );
        let hint = if reserved <= u64::from(CyclicCount::LARGEST) {
            format!("lower `limit`, or write `port_limit`, at least `{reserved}`")
        } else {
            format!(
                "lower `limit`: a port has `{}` at most",
                CyclicCount::LARGEST
            )
        };
        problems.add(Problem::new(&at.key("shared"), None, problem).hint(hint));
    }
    let short = terms.iter().filter_map(|(hop, terms)| {
        let update = links.rate(*hop).transmission(8 * USED_UPDATE);
        // Rounded up to whole microseconds.
        let least = kernel::Duration::from_us((update.ps() * 2).div_ceil(1_000_000));
        (terms.cc_timer < least).then_some(least)
    });
    if let Some(least) = short.max() {
        let problem = format!("`CC_Update`s would take more than half of `{name}`");
        let hint = format!("write at least `\"{least}\"`");
        problems.add(Problem::new(&at.key("cc_timer"), None, problem).hint(hint));
    }
}
