//! The discard policy of each output in words, for the reason of a drop.

use models::output::discard::DiscardSpec;
use parameters::Parameter;
use parameters::shape::Shape;

use super::levels::Level;
use crate::lower::{NodeKind, Plan};

/// The rule by which an output drops units.
#[derive(Clone, Debug, PartialEq)]
pub struct DropRule {
    /// Number of the output, as in [`super::PduDrop`].
    pub hop: u32,
    /// True if the output queues cells, false if it queues packets.
    pub has_cells: bool,
    /// Name of the discard policy.
    pub policy: &'static str,
    /// The rule of the policy, in a sentence.
    pub help: String,
    /// The rule by which the inputs drop cells for the output; none if they have no limit.
    pub input: Option<InputRule>,
}

/// The rule by which the inputs of a switch drop cells.
#[derive(Clone, Debug, PartialEq)]
pub struct InputRule {
    /// Name of the discard policy.
    pub policy: &'static str,
    /// The rule of the policy, in a sentence.
    pub help: String,
    /// Capacity of a buffer, in cells.
    pub capacity: f64,
    /// Queue lengths from which the policy drops cells.
    pub levels: Vec<Level>,
}

/// The rules of all outputs of switches, routers and edges.
pub fn drop_rules(plan: &Plan) -> Vec<DropRule> {
    let mut rules = Vec::new();
    for (node, planned) in plan.topology.nodes.iter().enumerate() {
        let place = planned.member.spec();
        let discard = match planned.kind {
            NodeKind::Host => continue,
            NodeKind::Switch => &plan.spec.switch.0[place].1.discard,
            NodeKind::Router => &plan.spec.router.0[place].1.discard,
            NodeKind::Edge => &plan.spec.edge.0[place].1.discard,
        };
        let hops = plan.topology.outputs(node).iter();
        rules.extend(hops.map(|hop| DropRule {
            hop: hop.number(),
            has_cells: planned.kind == NodeKind::Switch && plan.paths.carries_cells(node),
            policy: discard.kind(),
            help: help::<DiscardSpec>(discard.kind()),
            input: of_inputs(plan, node),
        }));
    }
    rules
}

/// The rule of the inputs of a node; none if they have no limit.
fn of_inputs(plan: &Plan, node: usize) -> Option<InputRule> {
    let planned = &plan.topology.nodes[node];
    if planned.kind != NodeKind::Switch || !plan.paths.carries_cells(node) {
        return None;
    }
    let input = plan.spec.switch.0[planned.member.spec()].1.fabric.input()?;
    let buffer = input.buffer_for(0, plan.cells());
    let policy = input.discard.kind();
    let levels = input.discard.drop_levels(&buffer).into_iter();
    Some(InputRule {
        policy,
        help: help::<DiscardSpec>(policy),
        capacity: buffer.capacity as f64,
        levels: levels
            .map(|(parameter, cells)| Level {
                policy,
                parameter: parameter.to_string(),
                length: cells as f64,
            })
            .collect(),
    })
}

/// The help of a member of a family; empty if the family does not list it.
pub(super) fn help<T: Parameter>(member: &str) -> String {
    let Shape::Family(family) = T::shape() else {
        unreachable!("a family has the shape of one");
    };
    let mut kinds = family.kinds.into_iter();
    let found = kinds.find(|kind| kind.name == member);
    found.map_or_else(String::new, |kind| kind.help)
}
