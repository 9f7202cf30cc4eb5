//! What of each flow was dropped, where, and why.

use kernel::Network;
use models::cell::CELL_OCTETS;
use models::loss::LossyEnd;
use models::node::Node;
use models::output::Port;

use super::{Name, Place, Scope};
use crate::lower::{Hop, Plan, PlannedVc};

/// Each flow at each output before which, at which or beyond which something of it was dropped, and
/// what was counted there. What never happened is left out.
pub fn metrics(plan: &Plan, network: &Network<Node>) -> Vec<(Scope, Vec<(&'static str, f64)>)> {
    let mut dropped = Vec::new();
    for (number, node) in network.nodes.iter().enumerate() {
        let outputs = Outputs::of(node);
        for (output, hop) in plan.topology.outputs(number).iter().enumerate() {
            let counts = outputs.counts(plan, *hop, output);
            dropped.extend(counts.map(|(channel, metrics)| {
                let flow = Name::of_flow(plan, channel.flow);
                (Scope::Drop(flow, Place::of(plan, number, output)), metrics)
            }));
        }
    }
    dropped
}

/// What there is at the outputs of a node, which may be thousands.
struct Outputs<'a> {
    ports: Vec<&'a dyn Port>,
    losses: Vec<Option<&'a LossyEnd>>,
    node: &'a Node,
}

impl<'a> Outputs<'a> {
    fn of(node: &'a Node) -> Outputs<'a> {
        Outputs {
            ports: node.ports(),
            losses: node.losses(),
            node,
        }
    }

    fn counts(
        &self,
        plan: &'a Plan,
        hop: Hop,
        output: usize,
    ) -> impl Iterator<Item = (PlannedVc, Vec<(&'static str, f64)>)> + use<'a> {
        let port = self.ports.get(output).copied();
        let link = self.losses.get(output).copied().flatten();
        let policers = match self.node {
            Node::Switch(switch) => {
                let policers = switch.outputs.policers.as_ref();
                policers.and_then(|policers| policers.get(output))
            }
            _ => None,
        };
        let channels = plan.channels(hop).enumerate();
        channels.filter_map(move |(vc, channel)| {
            let mut octets = Vec::new();
            if let Some(port) = port {
                let unit = port.capacity().octets;
                let causes = port.meter().causes(vc);
                octets.extend(causes.map(|(cause, units)| (cause, units * unit)));
            }
            let policer = policers.and_then(|policers| policers[vc].as_ref());
            octets.extend(policer.map(|policer| ("policed", policer.meter.dropped * CELL_OCTETS)));
            let lost = link.and_then(|link| link.meter.octets_lost.get(vc));
            octets.extend(lost.map(|lost| ("lost", *lost)));
            octets.retain(|(_, octets)| *octets > 0);
            let cells = |octets: &u64| *octets as f64 / CELL_OCTETS as f64;
            let metrics = octets.iter().map(|(name, octets)| (*name, cells(octets)));
            (!octets.is_empty()).then(|| (channel, metrics.collect()))
        })
    }
}
