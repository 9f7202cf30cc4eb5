//! Series, by name.

use std::collections::BTreeMap;

use kernel::{Network, Time};
use models::cell::CELL_OCTETS;
use models::host::Host;
use models::metrics::{Drops, Series};
use models::node::Node;

use super::{Recorded, class_name, port_name};
use crate::lower::{Channel, Plan};

/// Everything that was recorded until `end`.
pub fn recorded(plan: &Plan, network: &mut Network<Node>, end: Time) -> BTreeMap<String, Recorded> {
    let mut recordings = Recordings::default();
    for (number, node) in network.nodes.iter_mut().enumerate() {
        recordings.add_outputs(plan, number, node, end);
        if let Node::Host(host) = node {
            recordings.add_flows(plan, host, end);
        }
    }
    recordings.0
}

/// Series by name.
#[derive(Default)]
struct Recordings(BTreeMap<String, Recorded>);

impl Recordings {
    /// Queues and drops of the outputs of a node, and drops of the links that they feed.
    fn add_outputs(&mut self, plan: &Plan, number: usize, node: &mut Node, end: Time) {
        for (output, port) in node.ports_mut().into_iter().enumerate() {
            let channels = plan.channels(plan.topology.outputs(number)[output]);
            let name = format!("port {}", port_name(plan, number, output));
            let cells = port.capacity().octets as f64 / CELL_OCTETS as f64;
            if let Some(queue) = port.recorded_queue(end) {
                let in_cells = |units| units * cells;
                self.add(format!("{name} queue"), "cells", &queue.all, in_cells);
                for (channel, of_vc) in channels.iter().zip(&queue.by_vc) {
                    let flow = &plan.flows[channel.flow].name;
                    let name = format!("{name} of {flow} queue");
                    self.add(name, "cells", of_vc, in_cells);
                }
                for (class, of_class) in &queue.by_class {
                    let class = class_name(*class, &port_name(plan, number, output));
                    self.add(format!("class {class} queue"), "cells", of_class, in_cells);
                }
            }
            if let Some(drops) = &port.meter().drops {
                self.add_drops(&name, drops, channels);
            }
        }
        for (output, link) in node.losses().iter().enumerate() {
            if let Some(drops) = link.as_ref().and_then(|link| link.meter.drops.as_ref()) {
                let channels = plan.channels(plan.topology.outputs(number)[output]);
                let name = format!("link {}", port_name(plan, number, output));
                self.add_drops(&name, drops, channels);
            }
        }
    }

    /// Windows and timers of the flows that a host sends, and what it has of those it receives.
    fn add_flows(&mut self, plan: &Plan, host: &mut Host, end: Time) {
        for sender in &mut host.senders {
            sender.catch_up(end);
            let Some(series) = &sender.series else {
                continue;
            };
            let name = &plan.flows[sender.flow].name;
            for (quantity, unit, series) in [
                ("cwnd", "B", &series.cwnd),
                ("ssthresh", "B", &series.ssthresh),
                ("srtt", "s", &series.srtt),
                ("rto", "s", &series.rto),
            ] {
                self.add(format!("flow {name} {quantity}"), unit, series, as_is);
            }
        }
        for receiver in &mut host.receivers {
            if let Some(delivered) = &mut receiver.delivered {
                delivered.catch_up(end);
                let name = &plan.flows[receiver.flow].name;
                let name = format!("flow {name} delivered");
                self.add(name, "B", &delivered.series, as_is);
            }
        }
    }

    fn add_drops(&mut self, name: &str, drops: &Drops, channels: &[Channel]) {
        let flow = |vc: f64| channels[vc as usize].flow as f64;
        self.add(format!("{name} drops"), "flow", &drops.vcs, flow);
        self.add(format!("{name} dropped_pdus"), "pdu", &drops.pdus, as_is);
    }

    fn add(
        &mut self,
        name: String,
        unit: &'static str,
        series: &Series,
        reading: impl Fn(f64) -> f64,
    ) {
        let times = series.times.iter().map(|time| time.seconds()).collect();
        let values = series.values.iter().map(|value| reading(*value)).collect();
        let recorded = Recorded {
            unit,
            times,
            values,
        };
        self.0.insert(name, recorded);
    }
}

fn as_is(value: f64) -> f64 {
    value
}
