//! Gauges: numbers that are read again and again, always the same in the same order.

use kernel::{Network, Seed, Time};
use models::cell::CELL_OCTETS;
use models::host::{Host, SendingEnd};
use models::node::Node;
use models::port::Port;

use crate::lower::Plan;
use crate::report::port_name;

/// A number that is read again and again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gauge {
    /// What it describes, as in reports: `port s1->receiver`, `flow bulk[3]`.
    pub scope: String,
    /// The link that an output leads to and its direction, as in [`super::Drop`]; or the number of the flow.
    pub place: u32,
    /// What it is.
    pub quantity: &'static str,
    /// SI unit, or cells.
    pub unit: &'static str,
}

/// Where a gauge is read.
#[derive(Clone, Copy)]
enum Place {
    Output { node: usize, output: usize },
    Flow(usize),
}

/// A quantity, its unit and its value.
type Reading = (&'static str, &'static str, f64);

/// What the numbers of a row are: of all outputs, node by node, and of all flows, host by host.
pub fn gauges(plan: &Plan) -> Vec<Gauge> {
    let seed = Seed {
        seed: plan.spec.seed,
        replication: 0,
    };
    let mut gauges = Vec::new();
    let mut network = plan.network(seed);
    each(&mut network, Time::ZERO, |place, (quantity, unit, _)| {
        let (scope, place) = match place {
            Place::Output { node, output } => {
                let hop = plan.topology.outputs(node)[output];
                (
                    format!("port {}", port_name(plan, node, output)),
                    hop.number(),
                )
            }
            Place::Flow(flow) => (format!("flow {}", plan.flow_name(flow)), flow as u32),
        };
        gauges.push(Gauge {
            scope,
            place,
            quantity,
            unit,
        });
    });
    gauges
}

/// Adds a row of gauges as they stand at `now`, before which everything has happened.
pub fn read(network: &mut Network<Node>, now: Time, row: &mut Vec<f64>) {
    each(network, now, |_, (_, _, value)| row.push(value));
}

fn each(network: &mut Network<Node>, now: Time, mut see: impl FnMut(Place, Reading)) {
    for (node, found) in network.nodes.iter_mut().enumerate() {
        for (output, port) in found.ports_mut().into_iter().enumerate() {
            for reading in of_port(port, now) {
                see(Place::Output { node, output }, reading);
            }
        }
    }
    for found in &mut network.nodes {
        if let Node::Host(host) = found {
            of_host(host, now, &mut see);
        }
    }
}

/// What waits at an output, and what was sent and dropped there since the start.
fn of_port(port: &mut dyn Port, now: Time) -> [Reading; 3] {
    let cells = port.capacity().octets as f64 / CELL_OCTETS as f64;
    let in_cells = |units: u64| units as f64 * cells;
    let waiting = port.backlog(now).waiting;
    let meter = port.meter();
    let sent = meter.accepted_ever().units - waiting;
    [
        ("queue", "cells", in_cells(waiting)),
        ("sent", "cells", in_cells(sent)),
        ("dropped", "cells", in_cells(meter.refused_ever().units)),
    ]
}

fn of_host(host: &mut Host, now: Time, see: &mut impl FnMut(Place, Reading)) {
    for sender in &mut host.senders {
        let place = Place::Flow(sender.flow as usize);
        for reading in of_flow(sender) {
            see(place, reading);
        }
        for (quantity, value) in sender.state(now).iter().flat_map(|state| state.0) {
            see(place, (quantity, value.unit(), value.value()));
        }
        let paced = host.nic.paced.as_ref();
        if let Some(level) = paced.and_then(|paced| paced.level(sender.vc)) {
            see(place, ("source_queue", "cells", level.waiting as f64));
            if let Some(acr) = level.acr {
                see(place, ("acr", "cells/s", acr));
            }
        }
    }
}

/// What a flow has brought over, and what that took; all but the first since counting began.
fn of_flow(sender: &mut SendingEnd) -> [Reading; 4] {
    let acknowledged = sender.acknowledged() as f64;
    let meter = sender.meter();
    [
        ("acknowledged", "B", acknowledged),
        ("resent", "packets", (meter.packets - meter.distinct) as f64),
        ("timeouts", "1", meter.timeouts as f64),
        ("fast_retransmits", "1", meter.fast_retransmits as f64),
    ]
}
