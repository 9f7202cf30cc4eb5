//! Checks of links whose rate changes, or with a shaper in front of them. The checks are our own: what a link carries must be able to
//! follow its rate.

use models::link::loss::LossSpec;
use models::shaper::ShaperSpec;
use parameters::{Path, Problem, Problems};

use crate::lower::{Flows, NodeKind, PlannedLinks, Topology};
use crate::spec::ScenarioSpec;

/// Reports links whose rate cannot change, and shapers that cannot work or never do.
pub fn check(
    spec: &ScenarioSpec,
    topology: &Topology,
    flows: Flows<'_>,
    links: &PlannedLinks,
    problems: &mut Problems,
) {
    for (index, (name, link)) in spec.link.iter().enumerate() {
        shaper(spec, topology, flows, links, index, problems);
        if link.rate_direction.is_some() && link.rate_changes.is_none() {
            let at = Path::root().key("link").key(name).key("rate_direction");
            let problem = "`rate_changes` is not given, so the rate stays in both directions";
            let hint = "leave `rate_direction` out";
            problems.add(Problem::new(&at, None, problem).hint(hint));
        }
        if let Some(changes) = &link.rate_changes
            && let Some((problem, hint)) = found(spec, topology, flows, index)
        {
            let at = Path::root().key("link").key(name).key("rate_changes");
            let hint = format!("{hint}leave `rate_changes` out");
            problems.add(Problem::new(&at.key(changes.kind()), None, problem).hint(hint));
        }
    }
}

/// The reason why the rate of a table of links cannot change, and the beginning of a hint.
fn found(
    spec: &ScenarioSpec,
    topology: &Topology,
    flows: Flows<'_>,
    table: usize,
) -> Option<(String, &'static str)> {
    let link = &spec.link.0[table].1;
    let guards = [
        ("credit", link.credit.is_some()),
        ("pause", link.pause.is_some()),
        ("retry", link.retry.is_some()),
    ];
    if let Some((guard, _)) = guards.into_iter().find(|(_, is_given)| *is_given) {
        let problem = format!("`{guard}` is given too, whose times follow from one rate");
        return Some((problem, ""));
    }
    if link.outages.is_some() {
        let problem = "`outages` is given too, which loses packets by the times of one rate";
        return Some((
            problem.to_string(),
            "write a rate of zero instead of an outage, or ",
        ));
    }
    if link.shaper.is_some() {
        let problem = "`shaper` is given too, in front of a link of one rate";
        return Some((problem.to_string(), "leave `shaper` out, or "));
    }
    if matches!(link.loss, Some(LossSpec::FrameLoss(_))) {
        let problem = "`loss.frame` is given too, whose frames follow one another at one rate";
        return Some((problem.to_string(), ""));
    }
    carries_cells(spec, topology, flows, table)
}

/// The reason why a table of links cannot have a clock that only whole packets follow.
fn carries_cells(
    spec: &ScenarioSpec,
    topology: &Topology,
    flows: Flows<'_>,
    table: usize,
) -> Option<(String, &'static str)> {
    let name = &spec.link.0[table].0;
    let mut vcs = topology
        .hops_of_table(table)
        .flat_map(|hop| flows.paths.vcs(hop));
    if let Some(cells) = vcs.find(|planned| planned.in_cells) {
        let flow = flows.table(cells.flow);
        let problem = format!(
            "`{name}` carries cells of flow `{flow}`, whose times are planned ahead at one rate"
        );
        return Some((problem, "carry the flow `over.packet`, or "));
    }
    let kind = |hop| topology.nodes[topology.head(hop)].kind;
    if topology
        .hops_of_table(table)
        .any(|hop| kind(hop) == NodeKind::Edge)
    {
        let problem = format!("an end of `{name}` is an edge, which plans its times at one rate");
        return Some((problem, ""));
    }
    None
}

/// Reports a shaper that cannot work, or never does.
fn shaper(
    spec: &ScenarioSpec,
    topology: &Topology,
    flows: Flows<'_>,
    links: &PlannedLinks,
    table: usize,
    problems: &mut Problems,
) {
    let (name, link) = &spec.link.0[table];
    let at = Path::root().key("link").key(name);
    let Some(ShaperSpec::TokenBucket(bucket)) = &link.shaper else {
        if link.shaper_direction.is_some() {
            let problem = "`shaper` is not given";
            let hint = "leave `shaper_direction` out";
            problems.add(Problem::new(&at.key("shaper_direction"), None, problem).hint(hint));
        }
        return;
    };
    let at = at.key("shaper").key("token_bucket");
    let guards = [
        ("credit", link.credit.is_some()),
        ("pause", link.pause.is_some()),
        ("retry", link.retry.is_some()),
    ];
    let guard = guards.into_iter().find(|(_, is_given)| *is_given);
    let found = match guard {
        Some((guard, _)) => Some((
            format!("`{guard}` is given too, which sends messages at once"),
            "",
        )),
        None => carries_cells(spec, topology, flows, table),
    };
    if let Some((problem, hint)) = found {
        let hint = format!("{hint}leave `shaper` out");
        problems.add(Problem::new(&at, None, problem).hint(hint));
        return;
    }
    if bucket.rate >= link.rate {
        let rate = link.rate;
        let problem = format!("the link carries `{rate}`, so no packet waits for tokens");
        let hint = "leave `shaper` out, or choose a slower rate";
        problems.add(Problem::new(&at.key("rate"), None, problem).hint(hint));
    }
    let sizes = topology
        .hops_of_table(table)
        .filter_map(|hop| links.packet_sizes(hop));
    let largest = sizes.map(|[_, largest]| largest).max();
    if let Some(largest) = largest.filter(|largest| *largest > bucket.burst.0) {
        let problem = format!("a packet of {largest} octets would wait for ever");
        let hint = format!("write at least `\"{largest} B\"`");
        problems.add(Problem::new(&at.key("burst"), None, problem).hint(hint));
    }
}
