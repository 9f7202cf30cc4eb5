//! Metrics of flows whose cells a host or an edge paces.

use kernel::{Duration, Network, Time};
use models::metrics::table::flow;
use models::metrics::{Measurement, PacedMeter};
use models::node::AnyNode;
use models::paced::Paced;
use models::wire::vc::Vc;

use crate::lower::{Plan, PlannedVc};

/// Metrics of each flow, over the `span` that ends at `end`; a flow that is not paced has none.
pub fn metrics(
    plan: &Plan,
    network: &mut Network<AnyNode>,
    end: Time,
    span: Duration,
) -> Vec<Vec<Measurement>> {
    let counts = counts(plan, network, end);
    let flows = counts.iter().enumerate();
    flows
        .map(|(number, count)| {
            let Some(there) = count.there else {
                return Vec::new();
            };
            let mut metrics = there.queue(end, span).to_vec();
            if plan.flow_spec(number).over.is_abr() {
                metrics.extend([
                    (flow::rm_cells_in_rate, there.in_rate as f64),
                    (flow::rm_cells_out_of_rate, there.out_of_rate as f64),
                    (flow::rm_cells_turned_around, count.turned_around as f64),
                    (flow::rm_cells_overwritten, count.overwritten as f64),
                    (flow::rm_cells_lost, count.lost as f64),
                ]);
            }
            metrics
        })
        .collect()
}

/// Counts of one flow.
#[derive(Clone, Copy, Default)]
struct Count {
    /// Counts at the first host or edge of the flow; none if it does not pace the cells of the
    /// flow.
    there: Option<PacedMeter>,
    /// RM cells that the last host or edge on the path of the cells turned around.
    turned_around: u64,
    /// RM cells that a later RM cell replaced before they were turned around.
    overwritten: u64,
    /// RM cells dropped, or lost on links, in both directions.
    lost: u64,
}

fn counts(plan: &Plan, network: &mut Network<AnyNode>, end: Time) -> Vec<Count> {
    let mut counts = vec![Count::default(); plan.paths.flows.len()];
    for (number, node) in network.nodes.iter_mut().enumerate() {
        let hops = plan.topology.outputs(number);
        match node {
            AnyNode::Host(host) => {
                for (hop, nic) in hops.iter().zip(host.nics.all_mut()) {
                    if let Some(paced) = &mut nic.paced {
                        of_vcs(plan.paths.vcs(*hop), paced, end, &mut counts);
                    }
                }
            }
            AnyNode::Edge(edge) => {
                for (output, port) in edge.cell_ports_mut() {
                    of_vcs(
                        plan.paths.vcs(hops[output]),
                        &mut port.paced,
                        end,
                        &mut counts,
                    );
                }
            }
            AnyNode::Switch(_) | AnyNode::Router(_) => {}
        }
        for (hop, port) in plan.topology.outputs(number).iter().zip(node.ports()) {
            let vcs = plan.paths.vcs(*hop);
            for (planned, dropped) in vcs.zip(port.meter().rm_dropped()) {
                counts[planned.flow].lost += dropped;
            }
        }
        for (hop, end) in plan.topology.outputs(number).iter().zip(node.losses()) {
            let lost = end.into_iter().flat_map(|end| &end.meter.rm_lost);
            for (planned, lost) in plan.paths.vcs(*hop).zip(lost) {
                counts[planned.flow].lost += lost;
            }
        }
    }
    counts
}

/// Adds the counts of the host or edge that paces the cells of these VCs.
fn of_vcs(
    vcs: impl Iterator<Item = PlannedVc>,
    paced: &mut Paced,
    end: Time,
    counts: &mut [Count],
) {
    for (vc, planned) in (0u32..).map(Vc).zip(vcs) {
        let Some(meter) = paced.read(end, vc) else {
            continue;
        };
        let count = &mut counts[planned.flow];
        if planned.back {
            count.turned_around = meter.turned_around;
            count.overwritten = meter.overwritten;
        } else {
            count.there = Some(meter);
        }
    }
}
