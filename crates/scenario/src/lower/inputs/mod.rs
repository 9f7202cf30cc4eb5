//! The inputs of routers that pause links or give credits for packets, and the part of the buffers that is
//! kept for what they hold.

pub(in crate::lower) mod checks;
mod credited;
pub(in crate::lower) mod headroom;
pub(in crate::lower) mod share;
mod sizes;

use std::collections::BTreeMap;

use super::build::routers;
use super::{Flows, Hop, PlannedLinks, Topology};
use crate::spec::ScenarioSpec;
use share::{InputShare, MemoryDivision, PausedInput};

/// The inputs of the routers that count what their inputs hold, by node.
#[derive(Clone, Debug)]
pub struct PlannedInputs(BTreeMap<usize, MemoryDivision>);

impl PlannedInputs {
    /// The inputs of all routers that pause a link or have a link with credits.
    pub(in crate::lower) fn new(
        spec: &ScenarioSpec,
        topology: &Topology,
        flows: Flows<'_>,
        links: &PlannedLinks,
    ) -> PlannedInputs {
        let nodes = 0..topology.nodes.len();
        let counting = nodes.filter(|node| {
            flows.paths.is_router(topology, *node) && links.counts_inputs(topology, *node)
        });
        let divided = counting.filter_map(|node| {
            let router = routers::of_node(spec, topology, node)?;
            let division = MemoryDivision::new(&router, topology, flows, links, node);
            Some((node, division))
        });
        PlannedInputs(divided.collect())
    }

    /// The division of the memory of a node; none if it pauses no link and none has credits.
    pub(in crate::lower) fn of(&self, node: usize) -> Option<&MemoryDivision> {
        self.0.get(&node)
    }

    /// The inputs behind these hops whose links may be paused.
    pub(in crate::lower) fn paused(
        &self,
        topology: &Topology,
        hops: impl Iterator<Item = Hop>,
    ) -> impl Iterator<Item = PausedInput> {
        hops.filter_map(|hop| {
            let division = self.of(topology.head(hop))?;
            match division.inputs[topology.output(hop.back())]? {
                InputShare::Pause(paused) => Some(paused),
                InputShare::Credit(_) => None,
            }
        })
    }
}
