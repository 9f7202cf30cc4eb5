//! Values of parameters that the scenario leaves out and that follow from the network, and what
//! named encapsulations add.

use std::collections::BTreeSet;
use std::fmt::Display;

use models::link::credit::CreditSpec;
use models::link::retry::{RetryLimits, RetrySpec};
use models::transport::TransportSpec;
use parameters::Path;

use crate::lower::inputs::PlannedInputs;
use crate::lower::{Flows, PlannedLinks, Topology};
use crate::spec::ScenarioSpec;

/// Values that the scenario leaves out and the network determines: paths and values of parameters of
/// credits, of pauses and of retry, what named encapsulations add to full packets, and the hosts
/// that a preset of TCP stands for.
pub(in crate::lower) fn computed(
    spec: &ScenarioSpec,
    topology: &Topology,
    flows: Flows<'_>,
    links: &PlannedLinks,
    inputs: &PlannedInputs,
) -> Vec<(String, String)> {
    let mut computed = encapsulations(flows);
    computed.extend(presets(flows));
    computed.extend(credit_parameters(spec, topology, links));
    computed.extend(super::packet_credit::packet_credit_parameters(
        spec, topology, links,
    ));
    computed.extend(super::pause::pause_parameters(spec, topology, inputs));
    computed.extend(retry_parameters(spec, topology, links));
    computed
}

/// The replay timer, and the octets of the replay buffer, of links that state none.
fn retry_parameters(
    spec: &ScenarioSpec,
    topology: &Topology,
    links: &PlannedLinks,
) -> Vec<(String, String)> {
    let mut computed = Vec::new();
    for (spec, (name, link)) in spec.link.iter().enumerate() {
        let Some(RetrySpec::Llr(llr)) = &link.retry else {
            continue;
        };
        let at = Path::root().key("link").key(name).key("retry").key("llr");
        let limits = topology.hops_of_table(spec);
        let limits = limits.filter_map(|hop| links.retry(hop));
        let limits: Vec<RetryLimits> = limits.collect();
        let octets = limits.iter().map(|limits| limits.octets).collect();
        let octets = told(&octets).filter(|_| llr.octets.is_none());
        let timer = limits.iter().map(|limits| limits.timer).collect();
        let timer = told(&timer).filter(|_| llr.timer.is_none());
        let told = [
            octets.map(|octets| (at.key("octets"), format!("{octets} octets"))),
            timer.map(|timer| (at.key("timer"), timer)),
        ];
        let told = told.into_iter().flatten();
        computed.extend(told.map(|(at, told)| (at.to_string(), told)));
    }
    computed
}

/// The hosts that the presets of TCP stand for.
fn presets(flows: Flows<'_>) -> Vec<(String, String)> {
    let tables = flows.tables.iter();
    tables
        .filter_map(|(name, flow)| {
            let TransportSpec::Tcp(tcp) = &flow.transport else {
                return None;
            };
            let at = Path::root().key("flow").key(name).key("transport");
            let at = at.key("tcp").key("preset");
            Some((at.to_string(), tcp.preset?.hosts().to_string()))
        })
        .collect()
}

/// The headers of named encapsulations, and the size of a full packet with them.
fn encapsulations(flows: Flows<'_>) -> Vec<(String, String)> {
    let tables = flows.tables.iter();
    tables
        .filter_map(|(name, flow)| {
            let (parameter, stack) = flow.over.named_headers()?;
            let at = Path::root().key("flow").key(name).key("over");
            let at = at.key(flow.over.kind()).key(parameter);
            let packet = flow.transport.facts().full_packet;
            let size = match flow.over.wrap(packet, flows.cells) {
                (octets, 0) => format!("{octets} octets"),
                (_, cells) => format!("{cells} cells"),
            };
            let told = format!("{}; a packet of {packet} octets takes {size}", stack.sum());
            Some((at.to_string(), told))
        })
        .collect()
}

fn credit_parameters(
    spec: &ScenarioSpec,
    topology: &Topology,
    links: &PlannedLinks,
) -> Vec<(String, String)> {
    let tables = spec.link.iter().enumerate();
    tables
        .filter_map(|(index, (name, link))| {
            let credit = link.credit.as_ref()?;
            let parameter = match credit {
                CreditSpec::N23(n23) if n23.n3.is_none() => "n3",
                CreditSpec::Adaptive(adaptive) if adaptive.pool.is_none() => "pool",
                _ => return None,
            };
            let at = Path::root().key("link").key(name).key("credit");
            let at = at.key(credit.kind()).key(parameter);
            Some((at.to_string(), told(&promised_on(topology, links, index))?))
        })
        .collect()
}

/// N3, or the capacity of the pool, in cells, on each controlled hop of the links of a group.
fn promised_on(topology: &Topology, links: &PlannedLinks, group: usize) -> BTreeSet<u32> {
    topology
        .hops_of_table(group)
        .filter_map(|hop| links.cell_credit(hop))
        .map(|buffer| match &buffer.pool {
            Some(pool) => pool.cells,
            None => buffer.cells - buffer.batch,
        })
        .collect()
}

/// The number if all numbers are equal, otherwise the smallest and the largest.
pub(in crate::lower) fn told<N: Ord + Display>(numbers: &BTreeSet<N>) -> Option<String> {
    let (least, most) = (numbers.first()?, numbers.last()?);
    Some(if least == most {
        least.to_string()
    } else {
        format!("{least} to {most}")
    })
}
