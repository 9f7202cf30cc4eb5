//! Series, by name.

use std::collections::BTreeMap;

use kernel::{Network, Time};
use models::cell::CELL_OCTETS;
use models::metrics::Series;
use models::node::Node;

use super::{Recorded, port_name};
use crate::lower::Plan;

/// Everything that was recorded until `end`.
pub fn recorded(plan: &Plan, network: &mut Network<Node>, end: Time) -> BTreeMap<String, Recorded> {
    let mut all = BTreeMap::new();
    let mut add = |name: String, unit, series: &Series, reading: &dyn Fn(f64) -> f64| {
        let times = series.times.iter().map(|time| time.seconds()).collect();
        let values = series.values.iter().map(|value| reading(*value)).collect();
        all.insert(
            name,
            Recorded {
                unit,
                times,
                values,
            },
        );
    };
    let as_is = |value: f64| value;
    let flow = |node: usize, output: usize| {
        let channels = plan.channels(plan.topology.outputs(node)[output]);
        move |vc: f64| channels[vc as usize].flow as f64
    };
    for (number, node) in network.nodes.iter_mut().enumerate() {
        for (output, port) in node.ports_mut().into_iter().enumerate() {
            let name = port_name(plan, number, output);
            let cells = port.capacity().octets as f64 / CELL_OCTETS as f64;
            if let Some(queue) = port.recorded_queue(end) {
                let in_cells = |units| units * cells;
                let name = format!("port {name}");
                add(format!("{name} queue"), "cells", &queue.all, &in_cells);
                let channels = plan.channels(plan.topology.outputs(number)[output]);
                for (channel, of_vc) in channels.iter().zip(&queue.by_vc) {
                    let flow = &plan.flows[channel.flow].name;
                    let name = format!("{name} of {flow} queue");
                    add(name, "cells", of_vc, &in_cells);
                }
            }
            if let Some(drops) = &port.meter().drops {
                let flow_of = flow(number, output);
                let name = format!("port {name}");
                add(format!("{name} drops"), "flow", &drops.vcs, &flow_of);
                add(format!("{name} dropped_pdus"), "pdu", &drops.pdus, &as_is);
            }
        }
        for (output, end) in node.losses().iter().enumerate() {
            if let Some(drops) = end.as_ref().and_then(|end| end.meter.drops.as_ref()) {
                let name = port_name(plan, number, output);
                let flow_of = flow(number, output);
                let name = format!("link {name}");
                add(format!("{name} drops"), "flow", &drops.vcs, &flow_of);
                add(format!("{name} dropped_pdus"), "pdu", &drops.pdus, &as_is);
            }
        }
        let Node::Host(host) = node else { continue };
        for sender in &mut host.senders {
            sender.catch_up(end);
            let name = &plan.flows[sender.flow].name;
            let Some(series) = &sender.series else {
                continue;
            };
            add(format!("flow {name} cwnd"), "B", &series.cwnd, &as_is);
            add(
                format!("flow {name} ssthresh"),
                "B",
                &series.ssthresh,
                &as_is,
            );
            add(format!("flow {name} srtt"), "s", &series.srtt, &as_is);
            add(format!("flow {name} rto"), "s", &series.rto, &as_is);
        }
        for receiver in &mut host.receivers {
            let Some(delivered) = &mut receiver.delivered else {
                continue;
            };
            delivered.catch_up(end);
            let name = format!("flow {} delivered", plan.flows[receiver.flow].name);
            add(name, "B", &delivered.series, &as_is);
        }
    }
    all
}
