//! Trimmed packets that were dropped, so that receivers did not learn of the loss and only the timers
//! of senders tell of it. Handley et al., "Re-architecting datacenter networks and stacks for low
//! latency and high performance", SIGCOMM 2017, section 3.2: packets of which not even the header fits
//! go back to their senders instead.

use kernel::Duration;
use models::metrics::FlowReading;
use models::metrics::table::port;

use super::reader::PortMetrics;
use super::{Scope, Warning, phases};
use crate::lower::Plan;

/// A warning for each output that dropped trimmed packets, if a flow that passes it waits for its
/// retransmission timer at the end of the run.
pub fn of(plan: &Plan, flows: &[FlowReading], ports: &[PortMetrics]) -> Vec<Warning> {
    let dropping = ports
        .iter()
        .filter(|port| port.value(port::trimmed_dropped) > 0.0);
    let waits = |port: &PortMetrics| {
        let mut data = plan.paths.vcs(port.hop).filter(|planned| !planned.back);
        data.any(|planned| flows[planned.flow].silence > Duration::ZERO)
    };
    let dropping = dropping.filter(|port| waits(port));
    dropping.map(|port| warning(plan, port)).collect()
}

fn warning(plan: &Plan, port: &PortMetrics) -> Warning {
    let node = plan.topology.head(port.hop.back());
    let at = phases::path_of(plan, node).map_or(String::new(), |path| format!("{path}.discard."));
    let data = plan.paths.vcs(port.hop).map(|planned| planned.flow);
    let mut transports = data.map(|flow| &plan.flow_spec(flow).transport);
    let mend = if transports.all(|transport| transport.facts().takes_back) {
        format!("set `{at}trim.no_room = \"returned\"`")
    } else {
        format!("make `{at}trim.headers` larger")
    };
    Warning {
        code: "headers_dropped",
        scope: Scope::Port(port.place.clone()),
        says: format!(
            "it dropped trimmed packets for want of memory, so their receivers did not learn of the \
             losses, and senders were waiting for their timers when the run ended; {mend}"
        ),
    }
}
