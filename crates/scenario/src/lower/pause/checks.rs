//! Checks of links that may be paused. The checks are our own: a pause must have an effect, and last
//! until it is refreshed.

use kernel::Duration;
use models::link::control::SETS_BEFORE_CONTROL;
use models::link::pause::{DynamicLevel, PauseDemand, PauseLevel, ResumeLevel};
use parameters::{Path, Problem, Problems};

use crate::lower::inputs::PlannedInputs;
use crate::lower::{Hop, NodeKind, PlannedLinks, Topology};
use crate::spec::ScenarioSpec;

/// Reports links that cannot be paused.
pub fn check(
    spec: &ScenarioSpec,
    topology: &Topology,
    links: &PlannedLinks,
    inputs: &PlannedInputs,
    problems: &mut Problems,
) {
    for (table, (name, link)) in spec.link.iter().enumerate() {
        let Some(pause) = &link.pause else {
            continue;
        };
        let at = Path::root().key("link").key(name).key("pause");
        let at = at.key(pause.kind());
        if let Some((problem, hint)) = unfit(spec, topology, links, table) {
            problems.add(Problem::new(&at, None, problem).hint(hint));
        } else {
            thresholds(topology, inputs, table, &at, problems);
            frames(topology, links, table, &at, problems);
        }
    }
}

/// The reason for which a table of links cannot be paused, and a hint.
fn unfit(
    spec: &ScenarioSpec,
    topology: &Topology,
    links: &PlannedLinks,
    table: usize,
) -> Option<(String, &'static str)> {
    let (name, link) = &spec.link.0[table];
    let kinds = |hop: Hop| topology.nodes[topology.head(hop)].kind;
    if link.credit.is_some() {
        Some((
            "`credit` is given too".to_string(),
            "a link is controlled by credits or by pauses, and not by both: leave one out",
        ))
    } else if link.retry.is_none() && (link.loss.is_some() || link.outages.is_some()) {
        Some((
            format!(
                "`{name}` loses packets although it may be paused, and nothing sends them again"
            ),
            "give the link `retry`, or leave out `loss` and `outages`, or leave out `pause`",
        ))
    } else if topology
        .hops_of_table(table)
        .any(|hop| kinds(hop) == NodeKind::Edge)
    {
        Some((
            format!("an end of `{name}` is an edge router, which neither pauses nor is paused"),
            "join routers, or a router and a host, or leave `pause` out",
        ))
    } else if topology
        .hops_of_table(table)
        .any(|hop| links.carries_cells(hop))
    {
        Some((
            format!("`{name}` carries cells, and only whole packets are paused"),
            "carry the flows `over.packet`, or control the link by `credit`",
        ))
    } else if topology
        .hops_of_table(table)
        .any(|hop| links.packet_sizes(hop).is_some())
        && topology
            .hops_of_table(table)
            .all(|hop| links.pause(hop).is_none())
    {
        Some((
            format!("neither end of `{name}` is a router"),
            "only routers pause, and hosts obey; leave `pause` out",
        ))
    } else {
        None
    }
}

/// Reports thresholds that would resume an input above the level at which it is paused.
fn thresholds(
    topology: &Topology,
    inputs: &PlannedInputs,
    table: usize,
    at: &Path,
    problems: &mut Problems,
) {
    let paused = inputs.paused(topology, topology.hops_of_table(table));
    let highest = paused.filter_map(|input| match input.thresholds.level {
        PauseLevel::Static { xoff, xon } => (xon > xoff).then_some((xoff, "`xoff`")),
        PauseLevel::Dynamic(DynamicLevel { resume, .. }) => match resume {
            ResumeLevel::At { xon, .. } => {
                (xon > input.alone).then_some((input.alone, "the highest threshold"))
            }
            ResumeLevel::Half => None,
        },
    });
    if let Some((most, of)) = highest.min() {
        let problem = format!("`xon` is above {of}, which is {most} octets of memory");
        let default = if of == "`xoff`" {
            " for half of `xoff`"
        } else {
            ""
        };
        let hint = format!("write at most `\"{most} B\"`, or leave `xon` out{default}");
        problems.add(Problem::new(&at.key("xon"), None, problem).hint(hint));
    }
}

/// Reports pauses that may end before they are refreshed.
fn frames(
    topology: &Topology,
    links: &PlannedLinks,
    table: usize,
    at: &Path,
    problems: &mut Problems,
) {
    let short = topology.hops_of_table(table).find_map(|hop| {
        let demand: PauseDemand = links.pause(hop)?;
        let rate = links.rate(hop);
        let [_, largest] = links.packet_sizes(hop)?;
        let sets = links.retry(hop).map_or(0, |_| SETS_BEFORE_CONTROL);
        let waits = rate.transmission((largest.max(u64::from(demand.frames.octets)) + sets) * 8);
        // The frame that refreshes may wait for a packet, in the half of the pause that is left.
        let least = waits + Duration::from_ps(1);
        let quantum = demand
            .frames
            .lasts
            .ps()
            .div_ceil(u64::from(demand.frames.quanta))
            .max(1);
        (demand.frames.refresh() <= least).then(|| least.ps() * 2 / quantum + 2)
    });
    if let Some(quanta) = short {
        let problem = "a pause may end before it is refreshed behind a full packet";
        let hint = if quanta > 65_535 {
            "send smaller packets, or choose a faster link".to_string()
        } else {
            format!("write at least `{quanta}`")
        };
        problems.add(Problem::new(&at.key("quanta"), None, problem).hint(hint));
    }
}
