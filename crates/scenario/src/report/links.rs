//! The metrics of links, each direction by itself, from the counts at both of its ends: SAI 1.18 has
//! those of credits and retry, and `models::metrics::table` gives its names.

use kernel::Network;
use models::link::credit::{CbfcReceiver, CbfcSender};
use models::link::pause::PauseGate;
use models::metrics::Measurement;
use models::metrics::table::link;
use models::node::AnyNode;
use models::wire::priority::ByPriority;

use super::reader::MeterReader;
use super::{Place, Scope};

impl MeterReader<'_> {
    /// The metrics of every link that may be paused, by direction.
    pub fn pauses(&self, network: &Network<AnyNode>) -> Vec<(Scope, Vec<Measurement>)> {
        let nodes = network.nodes.iter().enumerate();
        let gates = nodes.flat_map(|(number, node)| {
            let gates = node.packet_gates().into_iter().enumerate();
            gates.filter_map(move |(output, gate)| Some((number, output, gate?.pause()?)))
        });
        gates
            .map(|(node, output, gate)| {
                let hop = self.plan.topology.outputs(node)[output];
                let far = &network.nodes[self.plan.topology.head(hop)];
                let metrics = self.paused(gate, far, self.plan.topology.output(hop.back()));
                (Scope::Link(Place::of(self.plan, node, output)), metrics)
            })
            .collect()
    }

    /// The metrics of a link that `gate` obeys, and whose far end is the input of a node.
    fn paused(&self, gate: &PauseGate, far: &AnyNode, input: usize) -> Vec<Measurement> {
        let paused = gate.meter.paused.at(self.end);
        let mut metrics = vec![
            (link::pause_frames_received, gate.meter.received as f64),
            (
                link::link_paused_share,
                paused.seconds() / self.span.seconds(),
            ),
        ];
        if let AnyNode::Router(router) = far
            && let Some(pause) = &router.inputs()[input].pause
        {
            metrics.insert(0, (link::pause_frames, pause.meter.sent as f64));
            let headroom = pause.meter.headroom.into_iter().max().unwrap_or(0);
            let dropped: u64 = pause.meter.dropped.iter().sum();
            metrics.push((link::headroom::max, headroom as f64));
            metrics.push((link::headroom_drops, dropped as f64));
        }
        metrics
    }

    /// The metrics of every link with credits for packets, by direction.
    pub fn packet_credits(&self, network: &Network<AnyNode>) -> Vec<(Scope, Vec<Measurement>)> {
        let nodes = network.nodes.iter().enumerate();
        let senders = nodes.flat_map(|(number, node)| {
            let gates = node.packet_gates().into_iter().enumerate();
            gates.filter_map(move |(output, gate)| Some((number, output, gate?.credit()?)))
        });
        let receivers = receivers_by_input(network);
        senders
            .map(|(node, output, sender)| {
                let hop = self.plan.topology.outputs(node)[output];
                let far = self.plan.topology.head(hop);
                let receiver = receivers[far][self.plan.topology.output(hop.back())];
                let metrics = credited(sender, receiver);
                (Scope::Link(Place::of(self.plan, node, output)), metrics)
            })
            .collect()
    }

    /// The metrics of every link that loses or has retry, by direction.
    pub fn links(&self, network: &Network<AnyNode>) -> Vec<(Scope, Vec<Measurement>)> {
        let nodes = network.nodes.iter().enumerate();
        let ends = nodes.flat_map(|(number, node)| {
            let ends = node.losses().into_iter().zip(node.retries()).enumerate();
            ends.filter_map(move |(output, (end, retry))| Some((number, output, end?, retry)))
        });
        ends.map(|(number, output, end, retry)| {
            let mut metrics = end.meter.metrics();
            if let Some(retry) = retry {
                metrics.extend(retry.meter.metrics(self.end, self.span));
            }
            (Scope::Link(Place::of(self.plan, number, output)), metrics)
        })
        .collect()
    }
}

/// The receivers of credits for packets of each node, by input; read once, since a node may have
/// thousands of inputs.
pub(super) fn receivers_by_input(network: &Network<AnyNode>) -> Vec<Vec<Option<&CbfcReceiver>>> {
    let nodes = network.nodes.iter();
    nodes.map(AnyNode::credit_receivers).collect()
}

/// The sum of a count over all priorities.
fn sum<T>(counts: &ByPriority<T>, count: impl Fn(&T) -> u64) -> u64 {
    counts.iter().map(count).sum()
}

/// The metrics of a link with credits for packets, from both of its ends.
fn credited(sender: &CbfcSender, receiver: Option<&CbfcReceiver>) -> Vec<Measurement> {
    let near = sender.meter;
    let far = receiver.map(|receiver| receiver.meter).unwrap_or_default();
    let counts = [
        (link::credits_used::last, u64::from(sender.used_by_all())),
        (link::credits_used::max, u64::from(near.most_used)),
        (link::credits_consumed, sum(&near.vcs, |vc| vc.consumed)),
        (link::credits_freed, sum(&near.vcs, |vc| vc.freed)),
        (link::credits_recovered, sum(&far.vcs, |vc| vc.recovered)),
        (link::cf_updates_sent, far.sent),
        (link::cf_updates_received, near.received),
        (link::cc_updates_sent, near.sent),
        (link::cc_updates_received, far.received),
    ];
    counts.map(|(metric, count)| (metric, count as f64)).into()
}
