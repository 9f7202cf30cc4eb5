//! Checks of rates: links must carry the rates of sources, transports and bearers.

use kernel::{Duration, Rate};
use models::bearer::{Links, StatedRate};
use models::flow::FlowSpec;
use models::traffic::{SourceRate, SourceSpec};
use models::wire::format::CellFormat;
use parameters::{Path, Problem, Problems};

use super::{loads, messages};
use crate::lower::routes::first_links::FirstLinks;
use crate::lower::{Hop, Plan, PlannedFlow};

/// Longest time to write one packet, as a multiple of the mean on time of the source.
const MOST_PERIODS: u64 = 1000;

/// Reports rates that links cannot carry, once for each flow table.
pub fn check(plan: &Plan, problems: &mut Problems) {
    for (index, (name, flow)) in plan.spec.flow.iter().enumerate() {
        let at = Path::root().key("flow").key(name);
        endless(flow, &at, problems);
        unopened(flow, &at, problems);
        let is_right = writes(plan, flow, &at, problems);
        let members = plan.flows.iter();
        let members = members.filter(|flow| flow.member.spec() == index);
        let slowest = |hops: &mut dyn Iterator<Item = Hop>| hops.min_by_key(|hop| plan.rate(*hop));
        let first = first_links(plan, members.clone());
        let slowest = slowest(&mut members.flat_map(PlannedFlow::hops));
        if let (Some(first), Some(slowest)) = (first, slowest) {
            promises(plan, flow, [first.slowest, slowest], &at, problems);
            tagged(plan, flow, first.slowest, &at, problems);
            unpaced(plan, flow, &first, &at, problems);
            if is_right {
                loads::check(plan, flow, &first, &at, problems);
            }
        }
    }
    if problems.is_empty() {
        loads::together(plan, problems);
    }
}

/// Reports the writes of a source that cannot be simulated; returns true if there are none.
fn writes(plan: &Plan, flow: &FlowSpec, at: &Path, problems: &mut Problems) -> bool {
    let before = problems.len();
    if let Some(pace) = flow.source.pace() {
        let at = at.key("source").key(flow.source.kind());
        source(flow, pace, plan.cells(), &at, problems);
    }
    messages::check(flow, plan.cells(), at, problems);
    problems.len() == before
}

/// The first problem of a flow whose source has this rate, as [`check`] reports it; none if a
/// scenario may have the rate.
pub fn refusal(plan: &Plan, flow: usize, rate: Rate) -> Option<Problem> {
    let mut spec = plan.flow_spec(flow).clone();
    match &mut spec.source {
        SourceSpec::ConstantRate(source) => source.rate = Some(rate),
        SourceSpec::OnOff(source) => source.rate = Some(rate),
        SourceSpec::Poisson(source) => {
            (source.rate, source.load, source.gap) = (Some(rate), None, None);
        }
        _ => return None,
    }
    let at = Path::root().key("flow").key(&plan.flow_name(flow));
    let mut problems = Problems::default();
    if writes(plan, &spec, &at, &mut problems) {
        let first = plan.first_links(&plan.flows[flow]);
        loads::check(plan, &spec, &first, &at, &mut problems);
    }
    problems.iter().next().cloned()
}

/// The first links of the flows of a table: the slowest of them, and the least number that share the
/// packets of one flow.
fn first_links<'a>(
    plan: &Plan,
    flows: impl Iterator<Item = &'a PlannedFlow>,
) -> Option<FirstLinks> {
    let all = flows.map(|flow| plan.first_links(flow));
    all.reduce(|one, other| FirstLinks {
        slowest: [one.slowest, other.slowest]
            .into_iter()
            .min_by_key(|hop| plan.rate(*hop))
            .unwrap_or(one.slowest),
        sharing: one.sharing.min(other.sharing),
    })
}

/// Reports a greedy source, or one that waits for acknowledgments, over a transport without flow
/// control.
fn endless(flow: &FlowSpec, at: &Path, problems: &mut Problems) {
    if flow.transport.facts().has_flow_control {
        return;
    }
    let kind = flow.transport.kind();
    if flow.source.takes_turns() {
        let problem =
            format!("each message waits for the one before it, and `{kind}` acknowledges nothing");
        let hint = "send by `transport.tcp`, or write `source.poisson`, which does not wait";
        problems
            .add(Problem::new(&at.key("source").key(flow.source.kind()), None, problem).hint(hint));
    }
    if flow.source.is_greedy() {
        let problem = format!(
            "a greedy source never stops, and `{kind}` sends its data without flow control"
        );
        let hint = "write for example `source.constant_rate = { rate = \"10 Mbit/s\" }`";
        problems.add(Problem::new(&at.key("source"), None, problem).hint(hint));
    }
}

/// Reports connections that come and go over a transport that neither opens nor closes them, or that
/// gives them up, which no slot would notice.
fn unopened(flow: &FlowSpec, at: &Path, problems: &mut Problems) {
    let (transport, source) = (&flow.transport, &flow.source);
    if source.connections().is_some() && transport.facts().last_acknowledgment.is_none() {
        let kind = transport.kind();
        let problem = format!("connections come and go, and `{kind}` neither opens nor closes any");
        let hint = "send by `transport.tcp`, or write `source.poisson`";
        let at = at.key("source").key(source.kind());
        problems.add(Problem::new(&at, None, problem).hint(hint));
    }
    if source.connections().is_some() && transport.facts().may_give_up {
        let kind = source.kind();
        let problem = format!("connections of `{kind}` come and go, and never give up");
        let hint = "leave `give_up` out, or send by a source of one connection";
        let at = at.key("transport").key(transport.kind()).key("give_up");
        problems.add(Problem::new(&at, None, problem).hint(hint));
    }
}

/// Reports rates of a bearer that a link of the path cannot carry.
fn promises(
    plan: &Plan,
    flow: &FlowSpec,
    [first, slowest]: [Hop; 2],
    at: &Path,
    problems: &mut Problems,
) {
    for StatedRate {
        parameter,
        rate: promise,
        over,
    } in flow.over.rates()
    {
        let hop = match over {
            Links::First => first,
            Links::All => slowest,
        };
        let rate = plan.rate(hop);
        let Some(promise) = promise.filter(|promise| *promise > rate) else {
            continue;
        };
        let at = at.key("over").key(flow.over.kind()).key(parameter);
        let link = plan.link_name(hop.link());
        let problem = format!("`{promise}` is more than the `{rate}` of link `{link}` on the path");
        let hint = format!("write at most `\"{rate}\"`, headers of cells included");
        problems.add(Problem::new(&at, None, problem).hint(hint));
    }
}

/// Reports ABR sources whose first link carries less than their `tcr`.
fn tagged(plan: &Plan, flow: &FlowSpec, first: Hop, at: &Path, problems: &mut Problems) {
    let Some(abr) = flow.over.rate_control() else {
        return;
    };
    let link = format!("link `{}`", plan.link_name(first.link()));
    if let Some(excess) = abr.excess_tcr(plan.rate(first), &link) {
        let at = at.key("over").key(flow.over.kind()).key(excess.name);
        problems.add(Problem::new(&at, None, excess.problem).hint(excess.hint));
    }
}

/// Reports a transport or bearer whose rate exceeds the first link, so that it never limits.
fn unpaced(plan: &Plan, flow: &FlowSpec, first: &FirstLinks, at: &Path, problems: &mut Problems) {
    let facts = flow.transport.facts();
    let Some(limit) = facts.rate_limit else {
        return;
    };
    let (counted, of) = if limit.counts_wire {
        let over = flow.over.wrapping(plan.cells());
        (over.on_wire(facts.full_packet) * 8, "")
    } else {
        (facts.full_packet * 8, " of packets")
    };
    let bits = flow
        .packets_where(plan.is_in_cells(first.slowest), plan.cells())
        .bits(facts.full_payload);
    let capacity = first.capacity(plan);
    let most = u128::from(capacity.bits_per_second()) * u128::from(counted) / bits;
    if u128::from(limit.rate.bits_per_second()) <= most {
        return;
    }
    let at = at.key("transport").key(flow.transport.kind()).key("rate");
    let links = first.name(plan);
    let problem = format!(
        "`{}`{of} is more than {links} carries at `{capacity}`",
        limit.rate
    );
    let hint = match u64::try_from(most) {
        Ok(most @ 1..) => format!("write at most `\"{}\"`", Rate::from_bits_per_second(most)),
        _ => "choose a faster link".to_string(),
    };
    problems.add(Problem::new(&at, None, problem).hint(hint));
}

/// Reports a source without a rate, or with so low a rate that little or nothing is ever sent.
fn source(
    flow: &FlowSpec,
    pace: SourceRate,
    format: CellFormat,
    at: &Path,
    problems: &mut Problems,
) {
    let gap = match (pace.rate, flow.message_time(format)) {
        (Some(rate), _) => rate.transmission(flow.transport.facts().full_payload * 8),
        (None, Some(time)) => time,
        (None, None) => {
            let problem = format!("`over.{}` has no rate of its own", flow.over.kind());
            let hint = "write `rate = \"10 Mbit/s\"` here, or carry the flow `over.cbr` or \
                        `over.vbr`";
            problems.add(Problem::new(at, None, problem).hint(hint));
            return;
        }
    };
    gaps(gap, pace.on, at, problems);
}

/// Reports messages that are too close or too far apart to be simulated.
fn gaps(gap: Duration, on: Option<Duration>, at: &Path, problems: &mut Problems) {
    messages::too_close("packets", gap.seconds(), at, problems);
    if let Some(on) = on
        && gap / MOST_PERIODS > on
    {
        let problem = format!("a packet takes `{gap}` to write, and the mean on time is `{on}`");
        let hint = "choose a longer on time, or smaller packets at a higher rate";
        problems.add(Problem::new(&at.key("on"), None, problem).hint(hint));
    }
}
