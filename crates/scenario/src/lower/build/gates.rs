//! The packets that wait for credits or for the end of a pause, and the inputs of routers that hold them:
//! see `models::pause` and `models::credit`.

use models::host::waiting::WaitingPackets;
use models::link::credit::{CbfcReceiver, CbfcSender};
use models::link::gate::{PacketGate, PacketGateRule};
use models::link::pause::{PauseGate, PauseReceiver};
use models::output::scheduler::Scheduling;
use models::router::account::{CreditedInput, InputAccount};
use models::router::inputs::InputAccounts;

use super::Builder;
use crate::lower::Hop;
use crate::lower::inputs::share::{InputShare, PausedInput};

impl Builder<'_> {
    /// The gate at the near end of a hop; none if the hop is never paused.
    fn pause_gate(&self, hop: Hop) -> Option<PauseGate> {
        let demand = self.links.pause(hop)?;
        Some(PauseGate::new(self.links.rate(hop), demand.frames.response))
    }

    /// The gate of packets at the near end of a hop; none if the hop is never paused and has no
    /// credits.
    fn packet_gate(&self, hop: Hop) -> Option<PacketGate> {
        if let Some(terms) = self.links.packet_credit(hop) {
            let priorities = self.flows.priorities(hop).iter().copied().collect();
            let sender = CbfcSender::new(terms, priorities);
            return Some(PacketGate::new(PacketGateRule::Credit(sender)));
        }
        let gate = self.pause_gate(hop)?;
        Some(PacketGate::new(PacketGateRule::Pause(gate)))
    }

    /// The packets that wait at the interface of a host to a hop; none if the hop is never paused
    /// and its link has no credits and no retry.
    pub(super) fn waiting(&self, hop: Hop) -> Option<WaitingPackets> {
        let gate = self.packet_gate(hop);
        let back = hop.back();
        let receiver = self.links.packet_credit(back);
        let receiver = receiver.map(|terms| CbfcReceiver::new(terms, self.flows.priorities(back)));
        if gate.is_none() && receiver.is_none() && self.links.retry(hop).is_none() {
            return None;
        }
        let (rate, priorities) = (self.links.rate(hop), self.flows.priorities(hop));
        Some(WaitingPackets::new(
            gate,
            receiver,
            &priorities,
            rate,
            self.flows.cells,
        ))
    }

    /// The scheduler of an output of a router, of which `scheduling` is the one that was chosen: a
    /// router that `counts` what its inputs hold stores packets until they start.
    pub(super) fn storing(
        &self,
        hop: Hop,
        scheduling: Option<Scheduling>,
        counts: bool,
    ) -> Option<Scheduling> {
        if let Some(gate) = self.packet_gate(hop) {
            return Some(Scheduling::by_arrival(&self.flows.priorities(hop), gate));
        }
        if scheduling.is_none() && counts {
            return Some(Scheduling::one_by_one());
        }
        scheduling
    }

    /// The accounts of the inputs of a router; none if it pauses no link and none has credits.
    pub(super) fn input_accounts(&self, node: usize) -> Option<InputAccounts> {
        let division = self.inputs.of(node)?;
        let hops = self.topology.outputs(node);
        let inputs = hops
            .iter()
            .zip(&division.inputs)
            .map(|(hop, share)| match share {
                None => InputAccount::default(),
                Some(InputShare::Pause(PausedInput {
                    demand, thresholds, ..
                })) => {
                    let pause = PauseReceiver::new(*thresholds, demand.priorities, demand.frames);
                    InputAccount::paused(pause)
                }
                Some(InputShare::Credit(credit)) => {
                    let priorities = self.flows.priorities(hop.back());
                    let room = credit.room(priorities.iter().copied().collect());
                    let receiver = CbfcReceiver::new(credit.terms, priorities);
                    InputAccount::credited(CreditedInput::new(receiver, room))
                }
            });
        let priorities = hops.iter().map(|hop| self.flows.priorities(*hop)).collect();
        Some(InputAccounts::new(
            inputs.collect(),
            priorities,
            division.buffers.iter().map(|buffer| buffer.kept).collect(),
            division.shared,
        ))
    }
}
