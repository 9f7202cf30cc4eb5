//! The drops and losses of each flow, by place and cause.

use kernel::Network;
use models::link::loss::LossyEnd;
use models::metrics::{Cause, Measurement};
use models::node::AnyNode;
use models::output::Port;
use models::police::Policer;

use super::{Name, Place, Scope};
use crate::lower::{Hop, Plan, PlannedVc};

/// Cells of each flow that were dropped at an output, by the policer before it or on the link
/// beyond it; causes without drops are left out.
pub fn metrics(plan: &Plan, network: &Network<AnyNode>) -> Vec<(Scope, Vec<Measurement>)> {
    let mut dropped = Vec::new();
    for (number, node) in network.nodes.iter().enumerate() {
        let outputs = Outputs::of(node);
        for (output, hop) in plan.topology.outputs(number).iter().enumerate() {
            let counts = outputs.counts(plan, *hop, output);
            let mut of_output: Vec<(Scope, Vec<Measurement>)> = Vec::new();
            for (planned, metrics) in counts {
                let flow = Name::of_flow(plan, planned.flow);
                let scope = Scope::Drop(flow, Place::of(plan, number, output));
                // A flow with several paths may pass an output in both directions.
                match of_output.last_mut().filter(|(last, _)| *last == scope) {
                    Some((_, known)) => add(known, metrics),
                    None => of_output.push((scope, metrics)),
                }
            }
            dropped.extend(of_output);
        }
    }
    dropped
}

/// Adds the counts of another VC of a flow.
fn add(known: &mut Vec<Measurement>, metrics: Vec<Measurement>) {
    for (metric, cells) in metrics {
        match known.iter_mut().find(|(other, _)| *other == metric) {
            Some((_, sum)) => *sum += cells,
            None => known.push((metric, cells)),
        }
    }
}

/// The ports and the lossy links of a node, which may have thousands of outputs.
struct Outputs<'a> {
    ports: Vec<&'a dyn Port>,
    losses: Vec<Option<&'a LossyEnd>>,
    /// The policers before each output, by VC; empty if no flow is policed.
    policers: Vec<&'a [Option<Box<Policer>>]>,
}

impl<'a> Outputs<'a> {
    fn of(node: &'a AnyNode) -> Outputs<'a> {
        Outputs {
            ports: node.ports(),
            losses: node.losses(),
            policers: match node {
                AnyNode::Switch(switch) => switch.policers_by_output().collect(),
                _ => Vec::new(),
            },
        }
    }

    fn counts(
        &self,
        plan: &'a Plan,
        hop: Hop,
        output: usize,
    ) -> impl Iterator<Item = (PlannedVc, Vec<Measurement>)> + use<'a> {
        let port = self.ports.get(output).copied();
        let link = self.losses.get(output).copied().flatten();
        let policers = self.policers.get(output).copied();
        let format = plan.cells();
        let vcs = plan.paths.vcs(hop).enumerate();
        vcs.filter_map(move |(vc, planned)| {
            let mut octets = Vec::new();
            if let Some(port) = port {
                let unit = port.unit().octets;
                let causes = port.meter().causes(vc);
                octets.extend(causes.map(|(cause, units)| (cause, units * unit)));
            }
            let policer = policers.and_then(|policers| policers[vc].as_ref());
            octets.extend(
                policer.map(|policer| (Cause::Policed, policer.meter.dropped * format.octets())),
            );
            let lost = link.and_then(|link| link.meter.octets_lost.get(vc));
            octets.extend(lost.map(|lost| (Cause::Lost, *lost)));
            octets.retain(|(_, octets)| *octets > 0);
            let cells = |octets: &u64| *octets as f64 / format.octets() as f64;
            let metrics = octets
                .iter()
                .filter_map(|(cause, octets)| cause.metric().map(|metric| (metric, cells(octets))));
            (!octets.is_empty()).then(|| (planned, metrics.collect()))
        })
    }
}
