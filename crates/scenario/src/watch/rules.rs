//! The discard policy of each output in words, for the reason of a drop.

use models::output::discard::DiscardSpec;
use parameters::Parameter;
use parameters::shape::Shape;

use crate::lower::{NodeKind, Plan};

/// The rule by which an output drops units.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DropRule {
    /// Number of the output, as in [`super::PduDrop`].
    pub hop: u32,
    /// True if the output queues cells, false if it queues packets.
    pub has_cells: bool,
    /// Name of the discard policy.
    pub policy: &'static str,
    /// The rule of the policy, in a sentence.
    pub help: String,
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
            has_cells: planned.kind == NodeKind::Switch && plan.carries_cells(node),
            policy: discard.kind(),
            help: help(discard.kind()),
        }));
    }
    rules
}

/// The help of a discard policy; empty if the family does not list it.
fn help(policy: &str) -> String {
    let Shape::Family(family) = DiscardSpec::shape() else {
        unreachable!("discard policies are a family");
    };
    let mut kinds = family.kinds.into_iter();
    let found = kinds.find(|kind| kind.name == policy);
    found.map_or_else(String::new, |kind| kind.help)
}
