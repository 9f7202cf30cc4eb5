//! Checks of rates: links must carry the rates of sources, transports and bearers.

use kernel::{Duration, Rate};
use models::bearer::{self, StatedRate};
use models::flow::FlowSpec;
use models::traffic::{SourceRate, SourceSpec};
use models::wire::format::CellFormat;
use parameters::{Path, Problem, Problems};

use super::{loads, messages};
use crate::lower::routes::first_links::FirstLinks;
use crate::lower::{Flows, Hop, PlannedFlow, PlannedLinks, Topology};
use crate::spec::ScenarioSpec;

/// Longest time to write one packet, as a multiple of the mean on time of the source.
const MOST_PERIODS: u64 = 1000;

/// Reports rates that links cannot carry, once for each flow table.
pub fn check(
    spec: &ScenarioSpec,
    topology: &Topology,
    flows: Flows<'_>,
    links: &PlannedLinks,
    problems: &mut Problems,
) {
    for (index, (name, flow)) in flows.tables.iter().enumerate() {
        let at = Path::root().key("flow").key(name);
        endless(flow, &at, problems);
        unopened(flow, &at, problems);
        let is_right = writes(spec, flow, &at, problems);
        let members = flows.paths.flows.iter();
        let members = members.filter(|flow| flow.member.spec() == index);
        let slowest = |hops: &mut dyn Iterator<Item = Hop>| hops.min_by_key(|hop| links.rate(*hop));
        let first = first_links(spec, topology, links, members.clone());
        let slowest = slowest(&mut members.flat_map(PlannedFlow::hops));
        if let (Some(first), Some(slowest)) = (first, slowest) {
            promises(
                spec,
                topology,
                links,
                flow,
                [first.slowest, slowest],
                &at,
                problems,
            );
            tagged(spec, topology, links, flow, first.slowest, &at, problems);
            unpaced(spec, topology, flows, flow, &first, &at, problems);
            if is_right {
                loads::check(spec, topology, flows, flow, &first, &at, problems);
            }
        }
    }
    if problems.is_empty() {
        loads::together(spec, topology, flows, links, problems);
    }
}

/// Reports the writes of a source that cannot be simulated; returns true if there are none.
fn writes(spec: &ScenarioSpec, flow: &FlowSpec, at: &Path, problems: &mut Problems) -> bool {
    let before = problems.len();
    if let Some(pace) = flow.source.pace() {
        let at = at.key("source").key(flow.source.kind());
        source(flow, pace, spec.cells(), &at, problems);
    }
    messages::check(flow, spec.cells(), at, problems);
    problems.len() == before
}

/// The first problem of a flow whose source has this rate, as [`check`] reports it; none if a
/// scenario may have the rate.
pub fn refusal(
    spec: &ScenarioSpec,
    topology: &Topology,
    flows: Flows<'_>,
    links: &PlannedLinks,
    flow: usize,
    rate: Rate,
) -> Option<Problem> {
    let mut changed = flows.spec(flow).clone();
    match &mut changed.source {
        SourceSpec::ConstantRate(source) => source.rate = Some(rate),
        SourceSpec::OnOff(source) => source.rate = Some(rate),
        SourceSpec::Poisson(source) => {
            (source.rate, source.load, source.gap) = (Some(rate), None, None);
        }
        _ => return None,
    }
    let at = Path::root().key("flow").key(&flows.name(flow));
    let mut problems = Problems::default();
    if writes(spec, &changed, &at, &mut problems) {
        let first = FirstLinks::new(spec, topology, links, &flows.paths.flows[flow]);
        loads::check(spec, topology, flows, &changed, &first, &at, &mut problems);
    }
    problems.iter().next().cloned()
}

/// The first links of the flows of a table: the slowest of them, and the least number that share the
/// packets of one flow.
fn first_links<'a>(
    spec: &ScenarioSpec,
    topology: &Topology,
    links: &PlannedLinks,
    flows: impl Iterator<Item = &'a PlannedFlow>,
) -> Option<FirstLinks> {
    let all = flows.map(|flow| FirstLinks::new(spec, topology, links, flow));
    all.reduce(|one, other| {
        let slowest = [one.slowest, other.slowest].into_iter();
        let slowest = slowest.min_by_key(|hop| links.rate(*hop));
        let sharing = one.sharing.min(other.sharing);
        FirstLinks::sharing(links, slowest.unwrap_or(one.slowest), sharing)
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
    spec: &ScenarioSpec,
    topology: &Topology,
    links: &PlannedLinks,
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
            bearer::Links::First => first,
            bearer::Links::All => slowest,
        };
        let rate = links.rate(hop);
        let Some(promise) = promise.filter(|promise| *promise > rate) else {
            continue;
        };
        let at = at.key("over").key(flow.over.kind()).key(parameter);
        let link = topology.link_name(spec, hop.link());
        let problem = format!("`{promise}` is more than the `{rate}` of link `{link}` on the path");
        let hint = format!("write at most `\"{rate}\"`, headers of cells included");
        problems.add(Problem::new(&at, None, problem).hint(hint));
    }
}

/// Reports ABR sources whose first link carries less than their `tcr`.
fn tagged(
    spec: &ScenarioSpec,
    topology: &Topology,
    links: &PlannedLinks,
    flow: &FlowSpec,
    first: Hop,
    at: &Path,
    problems: &mut Problems,
) {
    let Some(abr) = flow.over.rate_control() else {
        return;
    };
    let link = format!("link `{}`", topology.link_name(spec, first.link()));
    if let Some(excess) = abr.excess_tcr(links.rate(first), &link) {
        let at = at.key("over").key(flow.over.kind()).key(excess.name);
        problems.add(Problem::new(&at, None, excess.problem).hint(excess.hint));
    }
}

/// Reports a transport or bearer whose rate exceeds the first link, so that it never limits.
fn unpaced(
    spec: &ScenarioSpec,
    topology: &Topology,
    flows: Flows<'_>,
    flow: &FlowSpec,
    first: &FirstLinks,
    at: &Path,
    problems: &mut Problems,
) {
    let facts = flow.transport.facts();
    let Some(limit) = facts.rate_limit else {
        return;
    };
    let (counted, of) = if limit.counts_wire {
        let over = flow.over.wrapping(flows.cells);
        (over.on_wire(facts.full_packet) * 8, "")
    } else {
        (facts.full_packet * 8, " of packets")
    };
    let bits = flow
        .packets_where(flows.paths.is_in_cells(first.slowest), flows.cells)
        .bits(facts.full_payload);
    let capacity = first.capacity;
    let most = u128::from(capacity.bits_per_second()) * u128::from(counted) / bits;
    if u128::from(limit.rate.bits_per_second()) <= most {
        return;
    }
    let at = at.key("transport").key(flow.transport.kind()).key("rate");
    let taker = first.name(spec, topology);
    let problem = format!(
        "`{}`{of} is more than {taker} carries at `{capacity}`",
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
