//! Links that may be paused: the thresholds of each input of a router, and the part of its buffers
//! that is kept for packets that are paused instead of dropped (`models::pause`).

pub(in crate::lower) mod checks;
mod share;

use models::host::pausable::PausablePackets;
use models::output::scheduler::Scheduling;
use models::pause::{PauseDemand, PauseGate, PauseReceiver, PausedLink};
use models::router::RouterSpec;
use models::router::inputs::{InputAccount, InputAccounts};
use models::wire::priority::Priority;
use parameters::Path;

use crate::lower::build::routers;
use crate::lower::topology::NodeKind;
use crate::lower::{Hop, Plan};
use share::NodePauses;

impl Plan {
    /// The pauses of a hop by the router at its far end; none if nothing is paused there.
    pub fn pause_demand(&self, hop: Hop) -> Option<PauseDemand> {
        let link = self.link_spec(hop.link());
        let pause = link.pause.as_ref()?;
        self.router_spec(self.topology.head(hop))?;
        let (smallest, largest) = self.packet_sizes(hop)?;
        Some(pause.build(&PausedLink {
            rate: link.rate,
            propagation: link.delay.0,
            largest,
            smallest,
            against: largest,
        }))
    }

    /// A node that forwards whole packets, as a router; none of any other node.
    fn router_spec(&self, node: usize) -> Option<RouterSpec> {
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
    fn priorities(&self, hop: Hop) -> Box<[Priority]> {
        let vcs = self.vcs(hop);
        vcs.map(|planned| self.flow_spec(planned.flow).priority)
            .collect()
    }

    /// Bits of the pause frames that pass a hop, if any do.
    pub(in crate::lower) fn pause_frame_bits(&self, hop: Hop) -> Option<u64> {
        let demand = self.pause_demand(hop.back())?;
        Some(u64::from(demand.frames.octets) * 8)
    }

    /// The gate at the near end of a hop; none if the hop is never paused.
    fn pause_gate(&self, hop: Hop) -> Option<PauseGate> {
        let demand = self.pause_demand(hop)?;
        Some(PauseGate::new(self.rate(hop), demand.frames.response))
    }

    /// The packets that wait at the interface of a host to a hop; none if the hop is never paused.
    pub(in crate::lower) fn pausable(&self, hop: Hop) -> Option<PausablePackets> {
        let gate = self.pause_gate(hop)?;
        Some(PausablePackets::new(gate, self.priorities(hop)))
    }

    /// True if a node pauses a link.
    fn pauses(&self, node: usize) -> bool {
        let mut hops = self.topology.outputs(node).iter();
        hops.any(|hop| self.pause_demand(hop.back()).is_some())
    }

    /// The scheduler of an output of a router, of which `scheduling` is the one that was chosen: a
    /// router that pauses links stores packets until they start.
    pub(in crate::lower) fn storing(
        &self,
        hop: Hop,
        scheduling: Option<Scheduling>,
    ) -> Option<Scheduling> {
        if let Some(gate) = self.pause_gate(hop) {
            return Some(Scheduling::by_arrival(&self.priorities(hop), gate));
        }
        let node = self.topology.head(hop.back());
        if scheduling.is_none() && self.pauses(node) {
            return Some(Scheduling::one_by_one());
        }
        scheduling
    }

    /// The accounts of the inputs of a router; none if it pauses no link.
    pub(in crate::lower) fn input_accounts(&self, node: usize) -> Option<InputAccounts> {
        let NodePauses { inputs, reserves } = self.node_pauses(node)?;
        let inputs = inputs.iter().map(|paused| {
            InputAccount::new(paused.as_ref().map(|paused| {
                let demand = &paused.demand;
                PauseReceiver::new(paused.thresholds, demand.priorities, demand.frames)
            }))
        });
        let outputs = self.topology.outputs(node).iter();
        let priorities = outputs.map(|hop| self.priorities(*hop)).collect();
        Some(InputAccounts::new(inputs.collect(), priorities, reserves))
    }

    /// Values of the parameters of pauses that the scenario leaves out: thresholds in octets of
    /// memory, and response times.
    pub(in crate::lower) fn pause_parameters(&self) -> Vec<(String, String)> {
        let links = self.spec.link.iter().enumerate();
        let of_links = links.filter_map(|(index, (name, link))| {
            let pause = link.pause.as_ref()?;
            let at = Path::root().key("link").key(name).key("pause");
            Some(self.told_of_pauses(index, &at.key(pause.kind())))
        });
        of_links.flatten().collect()
    }
}
