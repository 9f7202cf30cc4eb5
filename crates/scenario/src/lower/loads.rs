//! What sources write in the mean, against what takes it from their hosts.

use kernel::Rate;
use models::flow::FlowSpec;
use models::traffic::{OnLink, Packets};
use parameters::{Path, Problem, Problems};

use super::{Hop, Plan, PlannedFlow};

/// A load that exceeds what carries it by less than this does so by rounding.
const ROUNDING: f64 = 1e-6;

const HINT: &str = "write at a lower rate: otherwise the queue in the host grows without bound";

/// What a source makes on a link.
struct Offered {
    /// Parameter that says so.
    key: &'static str,
    /// Bits a second in the mean, headers and padding included; no less than these, where packets
    /// are not cut where messages end.
    wire: f64,
}

/// The load of the source of a flow where its data is carried so, if it writes whatever becomes of it.
fn offered(flow: &FlowSpec, packets: &Packets) -> Option<Offered> {
    let (key, wire) = flow.source.load(&OnLink {
        packets: *packets,
        at_host: flow.packets(),
        keeps_messages: flow.transport.keeps_messages(),
    })?;
    Some(Offered { key, wire })
}

/// The same, on its first link.
fn offered_on(plan: &Plan, flow: &FlowSpec, first: Hop) -> Option<Offered> {
    offered(flow, &flow.packets_where(plan.is_in_cells(first)))
}

fn exceeds(wire: f64, room: Rate) -> bool {
    wire > room.bits_per_second() as f64 * (1.0 + ROUNDING)
}

fn said(what: &str, wire: f64, taker: &str, room: Rate) -> String {
    let wire = Rate::from_bits_per_second(wire.ceil() as u64);
    format!("{what} `{wire}` on the wire, and {taker} carries `{room}`")
}

/// What is wrong with the source of a flow, if more comes from it than anything takes from the host,
/// and the parameter that says so.
fn overload(plan: &Plan, flow: &FlowSpec, first: Hop) -> Option<(&'static str, String)> {
    let (Offered { key, wire }, room, taker) = match flow.over.sustained() {
        Some(sustained) => {
            let taker = format!("`over.{}`", flow.over.kind());
            (offered(flow, &flow.packets())?, sustained, taker)
        }
        None => (
            offered_on(plan, flow, first)?,
            plan.rate(first),
            link(plan, first),
        ),
    };
    exceeds(wire, room).then(|| (key, said("the source writes", wire, &taker, room)))
}

fn link(plan: &Plan, hop: Hop) -> String {
    format!("link `{}`", plan.link_name(hop.link()))
}

/// Reports data that comes faster, in the mean, than anything takes it from the host, where nothing
/// holds the flow back.
pub fn check(plan: &Plan, flow: &FlowSpec, first: Hop, at: &Path, problems: &mut Problems) {
    if flow.transport.has_flow_control() {
        return;
    }
    if let Some((key, problem)) = overload(plan, flow, first) {
        let at = at.key("source").key(flow.source.kind()).key(key);
        problems.add(Problem::new(&at, None, problem).hint(HINT));
    }
}

/// Reports such flows of one host that are too much only together.
pub fn together(plan: &Plan, problems: &mut Problems) {
    let mut sums = vec![0.0; 2 * plan.topology.links.len()];
    for members in plan.written() {
        let (name, spec) = &plan.spec.flow.0[members[0].member.spec()];
        if spec.transport.has_flow_control() {
            continue;
        }
        let Some(Offered { key, wire }) = offered_on(plan, spec, members[0].path[0]) else {
            continue;
        };
        let firsts = members.iter().map(|flow| flow.path[0]);
        let over = firsts.filter(|hop| {
            let sum = &mut sums[hop.0 as usize];
            *sum += wire;
            *sum > wire && exceeds(*sum, plan.rate(*hop))
        });
        // Told once of what was written once.
        if let Some(hop) = over.last() {
            let at = Path::root().key("flow").key(name);
            let at = at.key("source").key(spec.source.kind()).key(key);
            let host = plan.node_name(plan.topology.head(hop.back()));
            let what = format!("the flows from `{host}` write");
            let sum = sums[hop.0 as usize];
            let problem = said(&what, sum, &link(plan, hop), plan.rate(hop));
            problems.add(Problem::new(&at, None, problem).hint(HINT));
        }
    }
}

impl Plan {
    /// Its flows, by what they were written as.
    fn written(&self) -> impl Iterator<Item = &[PlannedFlow]> {
        let spec = |flow: &PlannedFlow| flow.member.spec();
        self.flows
            .chunk_by(move |one, next| spec(one) == spec(next))
    }

    /// What there is to say of sources whose transport leaves waiting what does not fit: the number
    /// of the first flow of each, and that.
    pub fn overloads(&self) -> impl Iterator<Item = (usize, String)> {
        self.firsts().filter_map(|(number, flow)| {
            let (_, problem) = overload(self, self.flow_spec(number), flow.path[0])?;
            Some((number, problem))
        })
    }

    /// The first of the flows that were written as one, and its number.
    pub(super) fn firsts(&self) -> impl Iterator<Item = (usize, &PlannedFlow)> {
        self.written().scan(0, |number, members| {
            let first = (*number, &members[0]);
            *number += members.len();
            Some(first)
        })
    }
}
