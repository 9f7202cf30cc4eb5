//! A run in which one drop is undone. Our own rule: the policy decides as it does otherwise, and the
//! output accepts the cells of one PDU all the same, as far as they fit. Since a run is deterministic,
//! it equals the run without the change up to the first such cell.

use kernel::Network;
use models::node::AnyNode;
use models::wire::vc::Vc;

use crate::lower::Plan;

/// A PDU that an output keeps although its discard policy drops it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeptPdu {
    /// Number of the output, as in [`super::PduDrop`].
    pub hop: u32,
    /// Number of the flow in the scenario.
    pub flow: u32,
    /// Number of the PDU in the flow.
    pub pdu: u32,
}

/// Makes an output keep a PDU from now on; false if it queues no cells of the flow, or has no discard
/// policy.
pub fn keep(plan: &Plan, network: &mut Network<AnyNode>, kept: KeptPdu) -> bool {
    for (number, node) in network.nodes.iter_mut().enumerate() {
        let hops = plan.topology.outputs(number);
        let Some(output) = hops.iter().position(|hop| hop.number() == kept.hop) else {
            continue;
        };
        let mut vcs = plan.paths.vcs(hops[output]);
        let Some(vc) = vcs.position(|vc| vc.flow == kept.flow as usize && vc.in_cells) else {
            return false;
        };
        let mut ports = node.ports_mut();
        let gates = ports[output].gates_mut();
        for gate in &mut *gates {
            gate.keep(Vc(vc as u32), kept.pdu);
        }
        return !gates.is_empty();
    }
    false
}
