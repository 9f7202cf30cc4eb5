//! What hosts and edges counted of the flows whose cells they pace.

use kernel::{Duration, Network, Time};
use models::host::paced::Paced;
use models::metrics::PacedMeter;
use models::node::Node;
use models::vc::Vc;

use crate::lower::{Plan, PlannedVc};

/// Metrics by name.
type Metrics = Vec<(&'static str, f64)>;

/// Metrics of each flow, over the `span` that ends at `end`; none of one that is not paced.
pub fn metrics(
    plan: &Plan,
    network: &mut Network<Node>,
    end: Time,
    span: Duration,
) -> Vec<Metrics> {
    let counts = counts(plan, network, end);
    let flows = counts.iter().enumerate();
    flows
        .map(|(flow, count)| {
            let Some(there) = count.there else {
                return Metrics::new();
            };
            let mut metrics = there.queue(end, span).to_vec();
            if plan.flow_spec(flow).over.is_abr() {
                metrics.extend([
                    ("rm_cells_in_rate", there.in_rate as f64),
                    ("rm_cells_out_of_rate", there.out_of_rate as f64),
                    ("rm_cells_turned_around", count.turned_around as f64),
                    ("rm_cells_overwritten", count.overwritten as f64),
                    ("rm_cells_lost", count.lost as f64),
                ]);
            }
            metrics
        })
        .collect()
}

/// What was counted of one flow.
#[derive(Clone, Copy, Default)]
struct Count {
    /// Where its cells begin, if they are paced there.
    there: Option<PacedMeter>,
    /// Where they end.
    turned_around: u64,
    overwritten: u64,
    /// RM cells refused or lost on links, in both directions.
    lost: u64,
}

fn counts(plan: &Plan, network: &mut Network<Node>, end: Time) -> Vec<Count> {
    let mut counts = vec![Count::default(); plan.flows.len()];
    for (number, node) in network.nodes.iter_mut().enumerate() {
        let hops = plan.topology.outputs(number);
        match node {
            Node::Host(host) => {
                if let Some(paced) = &mut host.nic.paced {
                    of_channels(plan.channels(hops[0]), paced, end, &mut counts);
                }
            }
            Node::Edge(edge) => {
                for (output, port) in edge.cell_ports_mut() {
                    of_channels(
                        plan.channels(hops[output]),
                        &mut port.paced,
                        end,
                        &mut counts,
                    );
                }
            }
            Node::Switch(_) | Node::Router(_) => {}
        }
        for (hop, port) in plan.topology.outputs(number).iter().zip(node.ports()) {
            let channels = plan.channels(*hop);
            for (channel, refused) in channels.zip(port.meter().rm_refused()) {
                counts[channel.flow].lost += refused;
            }
        }
        for (hop, end) in plan.topology.outputs(number).iter().zip(node.losses()) {
            let lost = end.into_iter().flat_map(|end| &end.meter.rm_lost);
            for (channel, lost) in plan.channels(*hop).zip(lost) {
                counts[channel.flow].lost += lost;
            }
        }
    }
    counts
}

/// What was counted where the cells of these channels are paced.
fn of_channels(
    channels: impl Iterator<Item = PlannedVc>,
    paced: &mut Paced,
    end: Time,
    counts: &mut [Count],
) {
    for (vc, channel) in (0u32..).map(Vc).zip(channels) {
        let Some(meter) = paced.read(end, vc) else {
            continue;
        };
        let count = &mut counts[channel.flow];
        if channel.back {
            count.turned_around = meter.turned_around;
            count.overwritten = meter.overwritten;
        } else {
            count.there = Some(meter);
        }
    }
}
