//! The buffer of each output as a picture shows it: its capacity, and the queue lengths at which
//! policies begin to act.

use models::cell::CELL_OCTETS;
use models::output::buffer::BufferSpec;
use models::output::discard::{Buffer, DiscardSpec};
use models::output::mark::MarkSpec;
use models::switch::rate::AllocatorSpec;
use parameters::Amount;

use crate::lower::{NodeKind, Plan};

/// The buffer of an output.
#[derive(Clone, Debug, PartialEq)]
pub struct BufferLevels {
    /// The output, as in [`super::Drop`].
    pub hop: u32,
    /// Cells that it holds.
    pub capacity: f64,
    /// It belongs to all outputs of the node together.
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
    pub parameter: &'static str,
    /// Cells in the queue.
    pub cells: f64,
}

/// The buffers of all outputs of switches and routers that have one length that fills them; where
/// classes or channels have a buffer each there is none.
pub fn buffer_levels(plan: &Plan) -> Vec<BufferLevels> {
    let mut found = Vec::new();
    for (node, planned) in plan.topology.nodes.iter().enumerate() {
        let place = planned.member.spec();
        let policies = match planned.kind {
            NodeKind::Switch => {
                let switch = &plan.spec.switch.0[place].1;
                let buffer = &switch.buffer;
                let in_octets = !plan.carries_cells(node);
                Policies::new(buffer, &switch.discard, switch.mark.as_ref(), in_octets)
                    .with(switch.rate.as_ref())
            }
            NodeKind::Router => {
                let router = &plan.spec.router.0[place].1;
                Policies::new(&router.buffer, &router.discard, router.mark.as_ref(), true)
            }
            NodeKind::Host | NodeKind::Edge => continue,
        };
        let Some((capacity, levels)) = policies.levels() else {
            continue;
        };
        let hops = plan.topology.outputs(node).iter();
        found.extend(hops.map(|hop| BufferLevels {
            hop: hop.number(),
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
    discard: &'a DiscardSpec,
    mark: Option<&'a MarkSpec>,
    rate: Option<&'a AllocatorSpec>,
    /// It holds whole packets, and counts octets.
    in_octets: bool,
}

impl<'a> Policies<'a> {
    fn new(
        buffer: &'a BufferSpec,
        discard: &'a DiscardSpec,
        mark: Option<&'a MarkSpec>,
        in_octets: bool,
    ) -> Policies<'a> {
        Policies {
            buffer,
            discard,
            mark,
            rate: None,
            in_octets,
        }
    }

    fn with(self, rate: Option<&'a AllocatorSpec>) -> Policies<'a> {
        Policies { rate, ..self }
    }

    fn levels(&self) -> Option<(f64, Vec<Level>)> {
        let has_one = !self.buffer.is_per_class() && !self.buffer.is_per_vc();
        has_one.then(|| {
            let (buffer, octets) = if self.in_octets {
                (self.buffer.in_octets(0), CELL_OCTETS as f64)
            } else {
                (self.buffer.in_cells(0), 1.0)
            };
            let of_each = [
                (self.discard.kind(), discard_levels(self.discard, &buffer)),
                self.mark.map_or(("", Vec::new()), |mark| {
                    (mark.kind(), mark_levels(mark, &buffer))
                }),
                self.rate.map_or(("", Vec::new()), |rate| {
                    (rate.kind(), rate_levels(rate, &buffer))
                }),
            ];
            let levels = of_each.into_iter().flat_map(|(policy, levels)| {
                levels.into_iter().map(move |(parameter, units)| Level {
                    policy,
                    parameter,
                    cells: units as f64 / octets,
                })
            });
            (buffer.capacity as f64 / octets, levels.collect())
        })
    }
}

/// Parameters that are levels, and units of the buffer.
type Levels = Vec<(&'static str, u64)>;

fn discard_levels(discard: &DiscardSpec, buffer: &Buffer) -> Levels {
    let level = |name, amount: Amount| (name, buffer.units(amount));
    match discard {
        DiscardSpec::TailDrop(_) | DiscardSpec::PartialPacket(_) | DiscardSpec::PushOut(_) => {
            Vec::new()
        }
        DiscardSpec::EarlyPacket(policy) => vec![policy.level(buffer)],
        DiscardSpec::PartialBufferSharing(policy) => vec![level("threshold", policy.threshold)],
        DiscardSpec::SelectiveDrop(policy) => vec![level("threshold", policy.threshold)],
        DiscardSpec::FairBufferAllocation(policy) => vec![level("threshold", policy.threshold)],
        DiscardSpec::RandomEarly(policy) => {
            let threshold = policy.threshold.map(|amount| level("threshold", amount));
            let of_average = [
                level("minimum", policy.minimum),
                level("maximum", policy.maximum),
            ];
            threshold.into_iter().chain(of_average).collect()
        }
    }
}

fn mark_levels(mark: &MarkSpec, buffer: &Buffer) -> Levels {
    match mark {
        MarkSpec::Threshold(rule) => vec![("above", buffer.units(rule.above))],
    }
}

fn rate_levels(rate: &AllocatorSpec, buffer: &Buffer) -> Levels {
    let [low, high] = match rate {
        AllocatorSpec::Binary(rule) => [rule.low, rule.high],
        AllocatorSpec::Efci(rule) => [rule.low, rule.high],
        AllocatorSpec::Erica(_) => return Vec::new(),
    };
    vec![("low", buffer.units(low)), ("high", buffer.units(high))]
}
