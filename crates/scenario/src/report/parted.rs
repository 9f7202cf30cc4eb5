//! The part of a flow that passes one of several paths.
//!
//! Our own estimate: nothing counts which path a packet took before it arrived. The octets of a flow are
//! divided among the links at one distance from the sending host as the nodes before them forwarded
//! them, as if all had the same fates. The shares of these links add up to those of the flow.

use models::metrics::VcShare;
use models::wire::vc::Vc;

use super::reader::{OutputReading, Readings};
use crate::lower::routes::paths::{FlowHop, Mesh};
use crate::lower::{Hop, Plan, PlannedVc};

/// The part of a flow, in one direction, that passes a hop.
pub struct FlowAtHop {
    /// Octets that passed this hop.
    octets: u64,
    /// Octets that passed the hops at this distance.
    of: u64,
    /// Octets, of those that passed the hop, that were dropped or lost further on.
    pub undelivered_beyond: u64,
}

impl FlowAtHop {
    /// The part of a flow that passes `hop` on the VC `planned`.
    pub fn of(
        plan: &Plan,
        mesh: &Mesh,
        planned: PlannedVc,
        hop: Hop,
        readings: &Readings,
    ) -> FlowAtHop {
        let towards = if planned.back { hop.back() } else { hop };
        let here = mesh.label(towards).expect("a VC has a label");
        // The output that units of this direction take to pass a label.
        let at = |label: &FlowHop| {
            let hop = if planned.back {
                label.hop.back()
            } else {
                label.hop
            };
            let tail = plan.topology.head(hop.back());
            (tail, plan.topology.output(hop), label.vc)
        };
        // A reading of an output; none at a host, which drops nothing.
        let read = |label: &FlowHop, read: &dyn Fn(&OutputReading, Vc) -> u64| {
            let (tail, output, vc) = at(label);
            let output = readings.outputs[tail].get(output);
            output.map_or(0, |output| read(output, vc))
        };
        let passed = |label: &FlowHop| {
            let (tail, output, vc) = at(label);
            let forwarded = readings.forwarded[tail][output][vc.index()];
            // A switch tells only whether it uses the VC.
            let dropped = |output: &OutputReading, vc: Vc| {
                let dropped = output.reading.dropped_by_vc[vc.index()] * output.unit.octets;
                if output.unit.is_cells() { 0 } else { dropped }
            };
            forwarded.saturating_sub(read(label, &dropped))
        };
        let alike = mesh.labels.iter().filter(|label| label.level == here.level);
        let mut part = FlowAtHop {
            octets: passed(&here),
            of: alike.map(passed).sum(),
            undelivered_beyond: 0,
        };
        let is_beyond = |label: &&FlowHop| {
            if planned.back {
                label.level < here.level
            } else {
                label.level > here.level
            }
        };
        let beyond = mesh.labels.iter().filter(is_beyond);
        let undelivered = beyond.map(|label| read(label, &OutputReading::undelivered));
        part.undelivered_beyond = part.scale(undelivered.sum());
        part
    }

    /// The fate of the octets that passed the hop, where all octets of the flow had these fates.
    pub fn share(&self, all: VcShare) -> VcShare {
        VcShare {
            user: self.scale(all.user),
            useful: self.scale(all.useful),
            other: self.scale(all.other),
            control: self.scale(all.control),
            dead: self.scale(all.dead),
            ..all
        }
    }

    fn scale(&self, octets: u64) -> u64 {
        let scaled = u128::from(octets) * u128::from(self.octets);
        (scaled / u128::from(self.of.max(1))) as u64
    }
}
