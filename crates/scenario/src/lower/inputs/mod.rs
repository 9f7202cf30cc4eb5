//! The inputs of routers that pause links or give credits for packets, the packets that wait for either
//! at the near ends of these links, and the part of the buffers that is kept for them.

pub(in crate::lower) mod checks;
mod credited;
mod headroom;
pub(in crate::lower) mod share;
mod sizes;

use models::credit::{CbfcReceiver, CbfcSender};
use models::host::waiting::WaitingPackets;
use models::output::scheduler::Scheduling;
use models::output::{PacketGate, PacketGateRule};
use models::pause::PauseReceiver;
use models::router::RouterSpec;
use models::router::account::{CreditedInput, InputAccount};
use models::router::inputs::InputAccounts;
use models::wire::priority::{Priority, PrioritySet};

use crate::lower::build::routers;
use crate::lower::topology::NodeKind;
use crate::lower::{Hop, Plan};
use share::{InputShare, NodeInputs, PausedInput};

impl Plan {
    /// A node that forwards whole packets, as a router; none of any other node.
    pub(in crate::lower) fn router_spec(&self, node: usize) -> Option<RouterSpec> {
        let planned = self.topology.nodes[node];
        let index = planned.member.spec();
        match planned.kind {
            NodeKind::Router => Some(self.spec.router.0[index].1.clone()),
            NodeKind::Switch if !self.carries_cells(node) => {
                Some(routers::of_switch(&self.spec.switch.0[index].1))
            }
            NodeKind::Switch | NodeKind::Host | NodeKind::Edge => None,
        }
    }

    /// Priorities of the virtual channels of a hop.
    pub(crate) fn priorities(&self, hop: Hop) -> Box<[Priority]> {
        let vcs = self.vcs(hop);
        vcs.map(|planned| self.flow_spec(planned.flow).priority)
            .collect()
    }

    /// The priorities, with flows, that a hop may pause or whose packets need credits there.
    pub(crate) fn controlled_priorities(&self, hop: Hop) -> PrioritySet {
        let credits = self.packet_credit(hop).map(|terms| terms.priorities);
        let pauses = || self.pause_demand(hop).map(|demand| demand.priorities);
        let controlled = credits.or_else(pauses).unwrap_or_default();
        let with_flows: PrioritySet = self.priorities(hop).iter().copied().collect();
        controlled.and(with_flows)
    }

    /// The gate of packets at the near end of a hop; none if the hop is never paused and has no
    /// credits.
    fn packet_gate(&self, hop: Hop) -> Option<PacketGate> {
        if let Some(terms) = self.packet_credit(hop) {
            let priorities = self.priorities(hop).iter().copied().collect();
            let sender = CbfcSender::new(terms, priorities);
            return Some(PacketGate::new(PacketGateRule::Credit(sender)));
        }
        let gate = self.pause_gate(hop)?;
        Some(PacketGate::new(PacketGateRule::Pause(gate)))
    }

    /// The packets that wait at the interface of a host to a hop; none if the hop is never paused
    /// and its link has no credits and no retry.
    pub(in crate::lower) fn waiting(&self, hop: Hop) -> Option<WaitingPackets> {
        let gate = self.packet_gate(hop);
        let back = hop.back();
        let receiver = self.packet_credit(back);
        let receiver = receiver.map(|terms| CbfcReceiver::new(terms, self.priorities(back)));
        if gate.is_none() && receiver.is_none() && self.retry_limits(hop).is_none() {
            return None;
        }
        let (rate, priorities) = (self.rate(hop), self.priorities(hop));
        Some(WaitingPackets::new(
            gate,
            receiver,
            &priorities,
            rate,
            self.cells(),
        ))
    }

    /// True if a node counts what its inputs hold, since it pauses a link or a link has credits.
    pub(in crate::lower) fn counts_inputs(&self, node: usize) -> bool {
        let mut hops = self.topology.outputs(node).iter();
        hops.any(|hop| {
            let back = hop.back();
            self.pause_demand(back).is_some()
                || [*hop, back].map(|hop| self.packet_credit(hop)) != [None; 2]
        })
    }

    /// The scheduler of an output of a router, of which `scheduling` is the one that was chosen: a
    /// router that `counts` what its inputs hold stores packets until they start.
    pub(in crate::lower) fn storing(
        &self,
        hop: Hop,
        scheduling: Option<Scheduling>,
        counts: bool,
    ) -> Option<Scheduling> {
        if let Some(gate) = self.packet_gate(hop) {
            return Some(Scheduling::by_arrival(&self.priorities(hop), gate));
        }
        if scheduling.is_none() && counts {
            return Some(Scheduling::one_by_one());
        }
        scheduling
    }

    /// The accounts of the inputs of a router; none if it pauses no link and none has credits.
    pub(in crate::lower) fn input_accounts(&self, node: usize) -> Option<InputAccounts> {
        let NodeInputs {
            inputs,
            reserves,
            shared,
        } = self.node_inputs(node)?;
        let hops = self.topology.outputs(node);
        let inputs = hops.iter().zip(inputs).map(|(hop, share)| match share {
            None => InputAccount::default(),
            Some(InputShare::Pause(PausedInput {
                demand, thresholds, ..
            })) => {
                let pause = PauseReceiver::new(thresholds, demand.priorities, demand.frames);
                InputAccount::paused(pause)
            }
            Some(InputShare::Credit(credit)) => {
                let priorities = self.priorities(hop.back());
                let room = credit.room(priorities.iter().copied().collect());
                let receiver = CbfcReceiver::new(credit.terms, priorities);
                InputAccount::credited(CreditedInput::new(receiver, room))
            }
        });
        let priorities = hops.iter().map(|hop| self.priorities(*hop)).collect();
        Some(InputAccounts::new(
            inputs.collect(),
            priorities,
            reserves,
            shared,
        ))
    }
}
