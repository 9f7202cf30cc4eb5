//! Checks of links that may be paused. The checks are our own: a pause must have an effect, and last
//! until it is refreshed.

use kernel::Duration;
use models::link::control::SETS_BEFORE_CONTROL;
use models::pause::{DynamicLevel, PauseDemand, PauseLevel, PauseSpec, ResumeLevel};
use parameters::{Path, Problem, Problems};

use crate::lower::topology::NodeKind;
use crate::lower::{Hop, Plan};

/// Reports links that cannot be paused.
pub fn check(plan: &Plan, problems: &mut Problems) {
    for (index, (name, link)) in plan.spec.link.iter().enumerate() {
        if let Some(pause) = &link.pause {
            let at = Path::root().key("link").key(name).key("pause");
            links(plan, index, pause, &at.key(pause.kind()), problems);
        }
    }
}

/// Reports a table of links that cannot be paused; the first problem only.
fn links(plan: &Plan, table: usize, pause: &PauseSpec, at: &Path, problems: &mut Problems) {
    let (name, link) = &plan.spec.link.0[table];
    let kinds = |hop: Hop| plan.topology.nodes[plan.topology.head(hop)].kind;
    let found = if link.credit.is_some() {
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
    } else if plan
        .hops_of_table(table)
        .any(|hop| kinds(hop) == NodeKind::Edge)
    {
        Some((
            format!("an end of `{name}` is an edge router, which neither pauses nor is paused"),
            "join routers, or a router and a host, or leave `pause` out",
        ))
    } else if plan.vcs_of(table).any(|planned| planned.in_cells) {
        Some((
            format!("`{name}` carries cells, and only whole packets are paused"),
            "carry the flows `over.packet`, or control the link by `credit`",
        ))
    } else if plan.vcs_of(table).next().is_some()
        && plan
            .hops_of_table(table)
            .all(|hop| plan.pause_demand(hop).is_none())
    {
        Some((
            format!("neither end of `{name}` is a router"),
            "only routers pause, and hosts obey; leave `pause` out",
        ))
    } else {
        None
    };
    if let Some((problem, hint)) = found {
        problems.add(Problem::new(at, None, problem).hint(hint));
        return;
    }
    thresholds(plan, table, at, problems);
    frames(plan, table, pause, at, problems);
}

/// Reports thresholds that would resume an input above the level at which it is paused.
fn thresholds(plan: &Plan, table: usize, at: &Path, problems: &mut Problems) {
    let inputs = plan.paused_inputs(plan.hops_of_table(table));
    let highest = inputs
        .iter()
        .filter_map(|input| match input.thresholds.level {
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
fn frames(plan: &Plan, table: usize, pause: &PauseSpec, at: &Path, problems: &mut Problems) {
    let PauseSpec::Pfc(pfc) = pause;
    let short = plan.hops_of_table(table).find_map(|hop| {
        let demand: PauseDemand = plan.pause_demand(hop)?;
        let rate = plan.rate(hop);
        let (_, largest) = plan.packet_sizes(hop)?;
        let sets = plan.link_spec(hop.link()).retry.as_ref();
        let sets = sets.map_or(0, |_| SETS_BEFORE_CONTROL);
        let waits = rate.transmission((largest.max(u64::from(demand.frames.octets)) + sets) * 8);
        // The frame that refreshes may wait for a packet, in the half of the pause that is left.
        let least = waits + Duration::from_ps(1);
        let quantum = demand
            .frames
            .lasts
            .ps()
            .div_ceil(u64::from(pfc.quanta))
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

impl Plan {
    /// The VCs of the links of a table.
    fn vcs_of(&self, table: usize) -> impl Iterator<Item = crate::lower::PlannedVc> {
        self.hops_of_table(table).flat_map(|hop| self.vcs(hop))
    }
}
