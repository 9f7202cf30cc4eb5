//! Names of the flows, nodes and outputs of a plan, hidden in the documentation: the crate
//! `cellrelay` shows names without plans.

use parameters::Named;

use crate::lower::{Hop, NodeKind, Plan, TableMember};
use crate::scope::{Name, Place};

impl Name {
    /// The name of a flow.
    #[doc(hidden)]
    pub fn of_flow(plan: &Plan, flow: usize) -> Name {
        Name::of(plan.flows[flow].member, &plan.spec.flow)
    }

    /// The name of a node.
    #[doc(hidden)]
    pub fn of_node(plan: &Plan, node: usize) -> Name {
        let planned = plan.topology.nodes[node];
        match planned.kind {
            NodeKind::Host => Name::of(planned.member, &plan.spec.host),
            NodeKind::Switch => Name::of(planned.member, &plan.spec.switch),
            NodeKind::Router => Name::of(planned.member, &plan.spec.router),
            NodeKind::Edge => Name::of(planned.member, &plan.spec.edge),
        }
    }

    fn of<T>(member: TableMember, written: &Named<T>) -> Name {
        Name {
            group: written.0[member.spec()].0.clone(),
            number: member.number(),
        }
    }
}

impl Place {
    /// An output of a node.
    #[doc(hidden)]
    pub fn of(plan: &Plan, node: usize, output: usize) -> Place {
        Place::before(plan, plan.topology.outputs(node)[output])
    }

    /// The output that leads to a hop. Where several links join two nodes, its name holds the far end
    /// and the table of the link, with the number of the far end, such as `s1->server/rail[3]`.
    #[doc(hidden)]
    pub fn before(plan: &Plan, hop: Hop) -> Place {
        let mut to = Name::of_node(plan, plan.topology.head(hop));
        if plan.topology.is_parallel(hop.link()) {
            let table = plan.topology.links[hop.link()].member.spec();
            to.group = format!("{}/{}", to.group, plan.spec.link.0[table].0);
        }
        Place {
            node: Name::of_node(plan, plan.topology.head(hop.back())),
            to,
        }
    }
}
