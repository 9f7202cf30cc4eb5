//! Reasons to distrust the results of a run.
//!
//! A warning has no numbers, so that many runs have the same text. The conditions are our own:
//! under each of them a number may be an artefact of the setting.

use std::fmt::{self, Display, Formatter};

use kernel::Duration;
use models::metrics::{FlowReading, Limit};

use super::{Name, Place, Scope, narrow, phases};
use crate::lower::{About, Plan};

/// Number of timeouts or loss events from which a warning is due. A single event may be the end of
/// slow start, which may cost half of a window.
const OFTEN: u32 = 5;

/// Share of retransmissions from which a warning is due. A sender that has found the capacity of
/// its path loses a packet or two in as many round trips as its window has packets.
const MUCH: f64 = 0.05;

/// Retransmissions per new packet from which the transport itself is their cause: one, less the
/// packets sent before the retransmissions began.
const AS_MUCH: f64 = 0.9;

/// Smallest number of packets from which the share of retransmissions is judged; with fewer, the
/// share is largely random.
const FEW: u64 = 1000;

/// Share of the measured time from which a silence at its end is told.
const LONG: f64 = 0.25;

/// A reason to distrust the results of a run.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Warning {
    /// Word that stays the same in each text of this warning.
    pub code: &'static str,
    /// The flow, the group of flows, the port, the link or the network that the warning is about.
    pub scope: Scope,
    /// Description of the problem with the flow.
    pub says: String,
}

impl Warning {
    /// A warning about one flow.
    #[doc(hidden)]
    pub fn of_flow(plan: &Plan, flow: usize, code: &'static str, says: String) -> Warning {
        Warning {
            code,
            scope: Scope::Flow(Name::of_flow(plan, flow)),
            says,
        }
    }
}

impl Display for Warning {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        write!(out, "{}: {}", self.scope, self.says)
    }
}

/// The warnings about a run, and those about its scenario.
pub fn of(plan: &Plan, flows: &[FlowReading], span: Duration) -> Vec<Warning> {
    let parted = phases::parted(plan, flows);
    let is_explained = |flow| {
        parted
            .iter()
            .any(|group| group.starved.binary_search(&flow).is_ok())
    };
    let starved = flows.iter().enumerate().filter(|(flow, reading)| {
        let is_greedy = plan.flow_spec(*flow).source.is_greedy();
        is_greedy && reading.receiver.user == 0 && !is_explained(*flow)
    });
    let starved = starved.map(|(flow, _)| (flow, ("starved", "nothing arrived")));
    let circling = flows.iter().enumerate().filter_map(|(flow, reading)| {
        let what = circles(reading, &Path::of(plan, flow))?;
        Some((flow, what))
    });
    let waiting = flows
        .iter()
        .enumerate()
        .filter(|(_, reading)| waits(reading, span));
    let waiting = waiting.map(|(flow, _)| (flow, WAITS));
    let gave_up = flows.iter().enumerate();
    let gave_up = gave_up.filter(|(_, reading)| reading.sender.gave_up);
    let gave_up = gave_up.map(|(flow, _)| (flow, GAVE_UP));
    let said = starved.chain(circling).chain(waiting).chain(gave_up);
    let of_flows =
        said.map(|(flow, (code, says))| Warning::of_flow(plan, flow, code, says.to_string()));
    let of_groups = parted.iter().map(|group| group.warning.clone());
    let narrow = narrow::of(plan, flows, span);
    let of_run = of_groups.chain(of_flows).chain(narrow);
    of_run.chain(of_scenario(plan)).collect()
}

/// The warnings about a scenario, each for the first flow or link of its table.
pub fn of_scenario(plan: &Plan) -> impl Iterator<Item = Warning> {
    let warnings = plan.warnings().into_iter();
    warnings.map(|warning| Warning {
        code: warning.code,
        scope: match warning.about {
            About::Flow(flow) => Scope::Flow(Name::of_flow(plan, flow)),
            About::Link(hop) => Scope::Link(Place::before(plan, hop)),
            About::Network => Scope::Network,
        },
        says: format!("{}; {}", warning.says, warning.hint),
    })
}

/// Properties of the path of a flow that explain losses.
struct Path {
    /// True if no other flow uses its links.
    alone: bool,
    /// True if packets are carried whole, so that one drop damages one packet.
    whole: bool,
    /// True if a lossy link or a policer explains losses.
    lossy: bool,
}

impl Path {
    fn of(plan: &Plan, flow: usize) -> Path {
        let spec = plan.flow_spec(flow);
        let mut hops = plan.paths.flows[flow].hops();
        let loses = |link| {
            let spec = plan.link_spec(link);
            spec.loss.is_some() || spec.outages.is_some()
        };
        Path {
            alone: hops.clone().all(|hop| plan.paths.vcs(hop).len() == 1),
            whole: !spec.over.is_cells(),
            lossy: spec.police.is_some() || hops.any(|hop| loses(hop.link())),
        }
    }
}

/// Code and text of a warning.
type Said = (&'static str, &'static str);

/// The warning about a flow that [`waits`].
const WAITS: Said = (
    "timer_pending",
    "it was still waiting for its retransmission timer when the run ended",
);

/// The warning about a flow whose sender has given up.
const GAVE_UP: Said = (
    "gave_up",
    "the sender gave up, because the receiver no longer answered, and sent nothing more",
);

/// True if the end of a long silence, which the retransmission timer would end, lies beyond the end
/// of the run. More of the silence would have been measured in a longer run, unless silences that
/// the timer did end are as long.
fn waits(reading: &FlowReading, span: Duration) -> bool {
    let silence = reading.silence;
    let ended = reading.limited.time(Limit::Timeout, span) - silence;
    silence.seconds() > LONG * span.seconds() && silence > ended
}

/// The warning about a transport that sends the same data again and again.
///
/// A flow in cells that shares its path may retransmit many packets, as TCP Tahoe does over plain
/// ATM. A transport with as many retransmissions as new packets, however, causes the
/// retransmissions itself, also over plain ATM.
fn circles(reading: &FlowReading, path: &Path) -> Option<Said> {
    let sender = &reading.sender;
    let again = sender.packets - sender.distinct;
    if sender.packets < FEW {
        return None;
    }
    if again as f64 > AS_MUCH * sender.distinct as f64 {
        return Some((
            "repeats_all",
            "it sent almost as many retransmissions as new packets, or more",
        ));
    }
    if path.lossy {
        return None;
    }
    let expires = sender.timeouts >= OFTEN;
    let much = again as f64 > MUCH * sender.packets as f64;
    if !path.alone {
        return (path.whole && expires && much).then_some((
            "expires_and_repeats",
            "its timer expired repeatedly, and it retransmitted much of its data",
        ));
    }
    if expires {
        return Some((
            "expires_alone",
            "its timer expired repeatedly, although no other flow uses its path",
        ));
    }
    (much && sender.loss_events >= OFTEN).then_some((
        "repeats_alone",
        "it retransmitted much of its data, although no other flow uses its path",
    ))
}
