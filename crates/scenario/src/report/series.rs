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
    let mut add = |name: String, unit, scale: f64, series: &Series| {
        let times = series.times.iter().map(|time| time.seconds()).collect();
        let values = series.values.iter().map(|value| value * scale).collect();
        all.insert(
            name,
            Recorded {
                unit,
                times,
                values,
            },
        );
    };
    for (number, node) in network.nodes.iter_mut().enumerate() {
        for (output, port) in node.ports_mut().into_iter().enumerate() {
            let name = port_name(plan, number, output);
            let cells = port.capacity().octets as f64 / CELL_OCTETS as f64;
            if let Some(queue) = port.recorded_queue(end) {
                add(format!("port {name} queue"), "cells", cells, queue);
            }
            if let Some(drops) = &port.meter().drops {
                add(format!("port {name} drops"), "vc", 1.0, drops);
            }
        }
        for (output, end) in node.losses().iter().enumerate() {
            if let Some(drops) = end.as_ref().and_then(|end| end.meter.drops.as_ref()) {
                let name = port_name(plan, number, output);
                add(format!("link {name} drops"), "vc", 1.0, drops);
            }
        }
        let Node::Host(host) = node else { continue };
        for sender in &mut host.senders {
            sender.catch_up(end);
            let name = &plan.flows[sender.flow].name;
            let Some(series) = &sender.series else {
                continue;
            };
            add(format!("flow {name} cwnd"), "B", 1.0, &series.cwnd);
            add(format!("flow {name} ssthresh"), "B", 1.0, &series.ssthresh);
            add(format!("flow {name} srtt"), "s", 1.0, &series.srtt);
            add(format!("flow {name} rto"), "s", 1.0, &series.rto);
        }
    }
    all
}
