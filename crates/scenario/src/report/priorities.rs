//! The metrics of the priorities of links that may be paused or have credits for packets, each
//! direction by itself, from the counts at both of its ends: `models::metrics::table` gives the names
//! of SAI 1.18.

use kernel::Network;
use models::link::credit::{CbfcReceiver, CbfcSender, ReceivedVcCredits};
use models::link::gate::{PacketGate, PacketGateRule};
use models::link::pause::{PauseGate, PauseReceiver};
use models::metrics::Measurement;
use models::metrics::table::priority as of;
use models::node::AnyNode;
use models::wire::priority::Priority;

use super::links::receivers_by_input;
use super::reader::MeterReader;
use super::{Place, Scope};
use crate::lower::Hop;

impl MeterReader<'_> {
    /// The metrics of each priority, with flows, that a link may pause or that needs credits there, by
    /// direction.
    pub fn priorities(&self, network: &Network<AnyNode>) -> Vec<(Scope, Vec<Measurement>)> {
        let mut all = Vec::new();
        let receivers = receivers_by_input(network);
        for (number, node) in network.nodes.iter().enumerate() {
            for (output, gate) in node.packet_gates().into_iter().enumerate() {
                let Some(gate) = gate else {
                    continue;
                };
                let hop = self.plan.topology.outputs(number)[output];
                let place = Place::of(self.plan, number, output);
                let far = self.plan.topology.head(hop);
                let far = (&network.nodes[far], &receivers[far][..]);
                let metrics = self.of_hop(gate, hop, far).into_iter();
                all.extend(metrics.map(|(priority, metrics)| {
                    (Scope::Priority(priority, place.clone()), metrics)
                }));
            }
        }
        all
    }

    /// The metrics of the priorities of a hop with this gate, which leads to a node with `receivers`
    /// of credits.
    fn of_hop(
        &self,
        gate: &PacketGate,
        hop: Hop,
        (far, receivers): (&AnyNode, &[Option<&CbfcReceiver>]),
    ) -> Vec<(Priority, Vec<Measurement>)> {
        let input = self.plan.topology.output(hop.back());
        let controlled = self.plan.links.controlled_priorities(hop).iter();
        match &gate.rule {
            PacketGateRule::Pause(pauses) => {
                let AnyNode::Router(router) = far else {
                    unreachable!("only routers pause links");
                };
                let receiver = router.inputs()[input].pause.as_ref();
                let receiver = receiver.expect("the far end of such a gate pauses the link");
                controlled
                    .map(|one| (one, self.paused_priority(gate, pauses, receiver, one)))
                    .collect()
            }
            PacketGateRule::Credit(sender) => {
                let receiver = receivers[input];
                controlled
                    .map(|vc| (vc, self.credited_vc(gate, sender, receiver, vc)))
                    .collect()
            }
        }
    }

    /// The metrics of the packets of a priority at a gate.
    fn started(&self, gate: &PacketGate, priority: Priority) -> [Measurement; 2] {
        let at = priority.index();
        let held_back = gate.meter.held_back[at].at(self.end).seconds();
        [
            (of::packets_sent, gate.meter.started[at] as f64),
            (of::held_back_share, held_back / self.span.seconds()),
        ]
    }

    fn paused_priority(
        &self,
        gate: &PacketGate,
        pauses: &PauseGate,
        receiver: &PauseReceiver,
        priority: Priority,
    ) -> Vec<Measurement> {
        let at = priority.index();
        let (near, far) = (&pauses.meter, &receiver.meter);
        let time = near.paused_of[at].at(self.end).seconds();
        let mut metrics = self.started(gate, priority).to_vec();
        metrics.extend([
            (of::pause_frames, far.sent_of[at] as f64),
            (of::pause_frames_received, near.received_of[at] as f64),
            (of::priority_paused_share, time / self.span.seconds()),
            (of::priority_paused_time, time),
            (of::headroom::max, far.headroom[at] as f64),
            (of::headroom_drops, far.dropped[at] as f64),
        ]);
        metrics
    }

    fn credited_vc(
        &self,
        gate: &PacketGate,
        sender: &CbfcSender,
        receiver: Option<&CbfcReceiver>,
        vc: Priority,
    ) -> Vec<Measurement> {
        let near = sender.meter.vcs[vc.index()];
        let far = receiver.map_or(ReceivedVcCredits::default(), |receiver| {
            receiver.meter.vcs[vc.index()]
        });
        let mut metrics = self.started(gate, vc).to_vec();
        metrics.extend([
            (of::credits_used::last, f64::from(sender.used(vc))),
            (
                of::credits_used::mean,
                sender.mean_used(self.end, self.span, vc),
            ),
            (of::credits_used::max, f64::from(near.most_used)),
            (of::credits_consumed, near.consumed as f64),
            (of::credits_freed, near.freed as f64),
            (of::credits_received, far.consumed as f64),
            (of::credits_released, far.freed as f64),
            (of::credits_recovered, far.recovered as f64),
        ]);
        metrics
    }
}
