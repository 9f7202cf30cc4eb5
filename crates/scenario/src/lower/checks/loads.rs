//! Checks of offered load: the mean rate of sources against the rate at which their hosts can send.
//! The check is our own: without flow control the queue of an overloaded host grows without bound,
//! so no result is a steady state (Kleinrock, "Queueing Systems", volume 1, 1975).

use kernel::Rate;
use models::flow::FlowSpec;
use models::traffic::{OnLink, PacketSizes};
use models::wire::format::CellFormat;
use parameters::{Hint, Path, Problem, Problems};

use super::warnings::{About, PlanWarning};
use crate::lower::routes::first_links::FirstLinks;
use crate::lower::{Flows, Hop, PlannedLinks, Topology};
use crate::spec::ScenarioSpec;

/// Largest relative excess of a load over the link rate that rounding can cause.
const ROUNDING: f64 = 1e-6;

/// The reason for a hint.
const WHY: &str = ": otherwise the queue in the host grows without bound";

/// The load of a source on a link.
struct Offered {
    /// Parameter that states the load.
    key: &'static str,
    /// Mean bits per second, headers and padding included; a lower bound where a message
    /// need not begin a new packet.
    wire: f64,
}

/// The load of the source of a flow with packets of these sizes; none if the source waits for the
/// network.
fn offered(flow: &FlowSpec, packets: &PacketSizes, format: CellFormat) -> Option<Offered> {
    let (key, wire) = flow.source.load(&OnLink {
        packets: *packets,
        at_host: flow.packets(format),
        keeps_messages: flow.transport.facts().keeps_messages,
    })?;
    Some(Offered { key, wire })
}

/// The load of the source of a flow on its first link; none if the source waits for the network.
fn offered_on(flows: Flows<'_>, flow: &FlowSpec, first: Hop) -> Option<Offered> {
    let format = flows.cells;
    let packets = flow.packets_where(flows.paths.is_in_cells(first), format);
    offered(flow, &packets, format)
}

/// The hint that lowers the load of a source to `share` of the present one.
fn lower(flow: &FlowSpec, share: f64, after: &str) -> String {
    let lowered = flow.source.stated_load();
    let hint = lowered.and_then(|stated| stated.lowered_to(share));
    let hint = hint.unwrap_or_else(|| Hint::words("write less"));
    hint.and(after).to_string()
}

fn exceeds(wire: f64, capacity: Rate) -> bool {
    wire > capacity.bits_per_second() as f64 * (1.0 + ROUNDING)
}

fn said(what: &str, wire: f64, taker: &str, capacity: Rate) -> String {
    let wire = Rate::from_bits_per_second(wire.ceil() as u64);
    format!("{what} `{wire}` on the wire, and {taker} carries `{capacity}`")
}

/// A source that writes more than its host can send.
struct Overload {
    /// Parameter that states the load.
    key: &'static str,
    problem: String,
    /// The share of the load that the host can send.
    share: f64,
}

fn overload(
    spec: &ScenarioSpec,
    topology: &Topology,
    flows: Flows<'_>,
    flow: &FlowSpec,
    first: &FirstLinks,
) -> Option<Overload> {
    let (Offered { key, wire }, capacity, taker) = match flow.over.sustained() {
        Some(sustained) => {
            let taker = format!("`over.{}`", flow.over.kind());
            let format = flows.cells;
            let offered = offered(flow, &flow.packets(format), format)?;
            (offered, sustained, taker)
        }
        None => (
            offered_on(flows, flow, first.slowest)?,
            first.capacity,
            first.name(spec, topology),
        ),
    };
    exceeds(wire, capacity).then(|| Overload {
        key,
        problem: said("the source writes", wire, &taker, capacity),
        share: capacity.bits_per_second() as f64 / wire,
    })
}

/// Reports sources that write more in the mean than their hosts can send, where the transport has
/// no flow control.
pub fn check(
    spec: &ScenarioSpec,
    topology: &Topology,
    flows: Flows<'_>,
    flow: &FlowSpec,
    first: &FirstLinks,
    at: &Path,
    problems: &mut Problems,
) {
    if flow.transport.facts().has_flow_control {
        return;
    }
    if let Some(over) = overload(spec, topology, flows, flow, first) {
        let at = at.key("source").key(flow.source.kind()).key(over.key);
        let hint = lower(flow, over.share, WHY);
        problems.add(Problem::new(&at, None, over.problem).hint(hint));
    }
}

/// Reports the flows of one host that exceed one of its links only in sum. Of several first links each
/// has an equal share of a flow in the mean, however they are chosen.
pub fn together(
    spec: &ScenarioSpec,
    topology: &Topology,
    flows: Flows<'_>,
    links: &PlannedLinks,
    problems: &mut Problems,
) {
    let mut sums = vec![0.0; 2 * topology.links.len()];
    for members in flows.paths.by_table() {
        let (name, written) = &flows.tables.0[members[0].member.spec()];
        if written.transport.facts().has_flow_control {
            continue;
        }
        let Some(Offered { key, wire }) = offered_on(flows, written, members[0].path[0]) else {
            continue;
        };
        let firsts = members.iter().flat_map(|flow| {
            let hops = flow.first_hops(topology);
            hops.iter().map(move |hop| (*hop, wire / hops.len() as f64))
        });
        let over = firsts.clone().filter(|(hop, wire)| {
            let sum = &mut sums[hop.number() as usize];
            *sum += wire;
            *sum > *wire && exceeds(*sum, links.rate(*hop))
        });
        // The flows of one table have the same problem, which is reported once.
        if let Some((hop, _)) = over.last() {
            let at = Path::root().key("flow").key(name);
            let at = at.key("source").key(written.source.kind()).key(key);
            let host = topology.name(spec, topology.head(hop.back()));
            let what = format!("the flows from `{host}` write");
            let sum = sums[hop.number() as usize];
            let link = format!("link `{}`", topology.link_name(spec, hop.link()));
            let problem = said(&what, sum, &link, links.rate(hop));
            // The flows of earlier tables keep their loads.
            let own = firsts.filter(|(first, _)| *first == hop);
            let own: f64 = own.map(|(_, wire)| wire).sum();
            let left = links.rate(hop).bits_per_second() as f64 - (sum - own);
            let hint = match left / own {
                share if share > 0.0 => lower(written, share, WHY),
                _ => format!("lower the loads of the flows from `{host}`{WHY}"),
            };
            problems.add(Problem::new(&at, None, problem).hint(hint));
        }
    }
}

/// Warnings about sources that write more than their transport can send, each for the first flow
/// of its table.
pub(in crate::lower) fn overloads(
    spec: &ScenarioSpec,
    topology: &Topology,
    flows: Flows<'_>,
    links: &PlannedLinks,
) -> impl Iterator<Item = PlanWarning> {
    flows.paths.firsts().filter_map(move |(number, flow)| {
        let written = flows.spec(number);
        let over = overload(
            spec,
            topology,
            flows,
            written,
            &FirstLinks::new(spec, topology, links, flow),
        )?;
        let source = flows.at(number).key("source");
        Some(PlanWarning {
            about: About::Flow(number),
            code: "overload",
            at: source.key(written.source.kind()).key(over.key),
            says: over.problem,
            hint: lower(written, over.share, ", or send over a faster link"),
        })
    })
}
