//! Greedy flows that the window of their receiver holds back, although the links of their path have
//! room for more.

use kernel::Duration;
use models::metrics::{FlowReading, Limit};
use models::transport::TransportSpec;

use super::warnings::Warning;
use crate::lower::{Hop, Plan};

/// Share of the measured time from which the window of a receiver is said to hold a flow back.
const MOSTLY: f64 = 0.5;

/// Share of the rate of a link that its flows use, from which the link holds them back: a larger
/// window would fill its buffer only.
const FULL: f64 = 0.9;

/// The largest window of hosts of today, as users write it, and its octets: `preset.linux`.
const OF_TODAY: (&str, u64) = ("5.4 MB", 5_400_000);

/// The warnings about such flows.
pub fn of(plan: &Plan, flows: &[FlowReading], span: Duration) -> Vec<Warning> {
    let held = flows.iter().enumerate().filter(|(flow, reading)| {
        let limited = reading.limited.time(Limit::ReceiverWindow, span);
        limited.seconds() > MOSTLY * span.seconds()
            && plan.flow_spec(*flow).source.is_greedy()
            && tcp(plan, *flow).is_some()
    });
    let held: Vec<usize> = held.map(|(flow, _)| flow).collect();
    if held.is_empty() {
        return Vec::new();
    }
    let used = used(plan, flows);
    let is_full = |hop: Hop| {
        let most = plan.links.rate(hop).bits_per_second() as f64 * span.seconds();
        used[hop.number() as usize] as f64 * 8.0 > FULL * most
    };
    let held = held
        .into_iter()
        .filter(|flow| !plan.paths.flows[*flow].hops().any(is_full));
    held.filter_map(|flow| {
        let (window, grows) = tcp(plan, flow)?;
        let size = if grows {
            format!(", at most `{window} B`,")
        } else {
            format!(" (`{window} B`)")
        };
        let says = format!("the receiver's window{size} held it back most of the time");
        let (largest, octets) = OF_TODAY;
        let hint = if window < octets {
            format!("; `window = \"{largest}\"` is what Linux grows to")
        } else {
            String::new()
        };
        Some(Warning::of_flow(plan, flow, "window_limited", says + &hint))
    })
    .collect()
}

/// The window that the receiver of a flow over TCP advertises, and true if it grows to that.
fn tcp(plan: &Plan, flow: usize) -> Option<(u64, bool)> {
    match &plan.flow_spec(flow).transport {
        TransportSpec::Tcp(tcp) => Some((tcp.advertised(), tcp.window.first().is_some())),
        _ => None,
    }
}

/// Octets of data that each hop has carried, with their headers.
fn used(plan: &Plan, flows: &[FlowReading]) -> Vec<u64> {
    let mut used = vec![0; 2 * plan.topology.links.len()];
    for (planned, reading) in plan.paths.flows.iter().zip(flows) {
        let receiver = &reading.receiver;
        for hop in planned.hops() {
            used[hop.number() as usize] += receiver.useful + receiver.duplicate + receiver.damaged;
        }
    }
    used
}
