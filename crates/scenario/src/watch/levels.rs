//! The buffer of each output for drawing: its capacity, and the queue lengths at which policies
//! begin to act.

use models::output::buffer::BufferSpec;
use models::output::discard::{Buffer, DiscardSpec};
use models::output::mark::MarkSpec;
use models::output::memory::Memory;
use models::switch::rate::AllocatorSpec;
use parameters::path::PathStep;
use parameters::{Parameter, Path};

use crate::lower::{NodeKind, Plan};

/// The buffer of an output.
#[derive(Clone, Debug, PartialEq)]
pub struct BufferLevels {
    /// Number of the output, as in [`super::PduDrop`].
    pub hop: u32,
    /// Unit of the capacity and the levels: cells, or octets of whole packets.
    pub unit: &'static str,
    /// Capacity.
    pub capacity: f64,
    /// True if all outputs of the node share the buffer.
    pub shared: bool,
    /// Queue lengths at which a policy begins to act, each with the policy and its parameter.
    pub levels: Vec<Level>,
}

/// A queue length at which a policy begins to act.
#[derive(Clone, Debug, PartialEq)]
pub struct Level {
    /// Name of the policy.
    pub policy: &'static str,
    /// Parameter that states the level.
    pub parameter: String,
    /// Length of the queue, in the unit of the buffer.
    pub length: f64,
}

/// The buffers of all outputs of switches and routers with a single buffer. Outputs with a buffer
/// for each class or VC are left out, because no single queue length fills them.
pub fn buffer_levels(plan: &Plan) -> Vec<BufferLevels> {
    let mut found = Vec::new();
    for (node, planned) in plan.topology.nodes.iter().enumerate() {
        let place = planned.member.spec();
        let policies = match planned.kind {
            NodeKind::Switch => {
                let switch = &plan.spec.switch.0[place].1;
                let memory = switch.memory(plan.cells());
                let memory = memory.passed_by(plan.flows().longest_packet(&plan.topology, node));
                let in_octets = !plan.paths.carries_cells(node);
                Policies::new(&switch.buffer, memory, &switch.discard, in_octets)
                    .with(switch.mark.as_ref(), switch.rate.as_ref())
            }
            NodeKind::Router => {
                let router = &plan.spec.router.0[place].1;
                let memory = router.memory(plan.cells());
                let memory = memory.passed_by(plan.flows().longest_packet(&plan.topology, node));
                Policies::new(&router.buffer, memory, &router.discard, true)
                    .with(router.mark.as_ref(), None)
            }
            NodeKind::Host | NodeKind::Edge => continue,
        };
        let Some((capacity, levels)) = policies.levels() else {
            continue;
        };
        let hops = plan.topology.outputs(node).iter();
        found.extend(hops.map(|hop| BufferLevels {
            hop: hop.number(),
            unit: if policies.in_octets { "B" } else { "cells" },
            capacity,
            shared: policies.buffer.is_shared(),
            levels: levels.clone(),
        }));
    }
    found
}

/// A buffer and the policies that guard it.
struct Policies<'a> {
    buffer: &'a BufferSpec,
    memory: Memory,
    discard: &'a DiscardSpec,
    mark: Option<&'a MarkSpec>,
    rate: Option<&'a AllocatorSpec>,
    /// True if the buffer holds whole packets, and counts octets.
    in_octets: bool,
}

impl<'a> Policies<'a> {
    fn new(
        buffer: &'a BufferSpec,
        memory: Memory,
        discard: &'a DiscardSpec,
        in_octets: bool,
    ) -> Policies<'a> {
        Policies {
            buffer,
            memory,
            discard,
            mark: None,
            rate: None,
            in_octets,
        }
    }

    fn with(self, mark: Option<&'a MarkSpec>, rate: Option<&'a AllocatorSpec>) -> Policies<'a> {
        Policies { mark, rate, ..self }
    }

    fn levels(&self) -> Option<(f64, Vec<Level>)> {
        let has_one = !self.buffer.is_per_class() && !self.buffer.is_per_vc();
        has_one.then(|| {
            let buffer = if self.in_octets {
                self.buffer.in_octets(0, self.memory)
            } else {
                self.buffer.in_cells(0, self.memory)
            };
            let of_each = [
                (self.discard.kind(), of_discard(self.discard, &buffer)),
                self.mark
                    .map_or(NONE, |mark| (mark.kind(), stated(mark, &buffer))),
                self.rate
                    .map_or(NONE, |rate| (rate.kind(), stated(rate, &buffer))),
            ];
            let levels = of_each.into_iter().flat_map(|(policy, levels)| {
                levels.into_iter().map(move |(parameter, units)| Level {
                    policy,
                    parameter,
                    length: units as f64,
                })
            });
            (buffer.capacity as f64, levels.collect())
        })
    }
}

/// Parameters that state levels, each with the units of the buffer.
type Levels = Vec<(String, u64)>;

/// A buffer without a discard policy has no levels.
const NONE: (&str, Levels) = ("", Vec::new());

fn of_discard(discard: &DiscardSpec, buffer: &Buffer) -> Levels {
    let levels = discard.drop_levels(buffer).into_iter();
    levels
        .map(|(parameter, units)| (parameter.to_string(), units))
        .collect()
}

/// The levels that the parameters of a policy state, from the lowest.
fn stated(policy: &impl Parameter, buffer: &Buffer) -> Levels {
    let mut levels = Vec::new();
    policy.levels(&Path::root(), &mut levels);
    let levels = levels.into_iter();
    let mut levels: Levels = levels
        .filter_map(|(at, level)| match at.steps().last()? {
            PathStep::Key(parameter) => Some((parameter.clone(), buffer.units(level))),
            PathStep::Index(_) => None,
        })
        .collect();
    levels.sort_by_key(|(_, units)| *units);
    levels
}
