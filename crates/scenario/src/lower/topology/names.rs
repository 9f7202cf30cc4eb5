//! Names of flows, nodes and outputs; those of a plan are hidden in the documentation, since the crate
//! `cellrelay` shows names without plans.

use parameters::Named;

use super::Topology;
use crate::lower::{Hop, Plan, TableMember};
use crate::scope::{Name, Place};
use crate::spec::ScenarioSpec;

impl Name {
    /// The name of a flow.
    #[doc(hidden)]
    pub fn of_flow(plan: &Plan, flow: usize) -> Name {
        Name::of(plan.paths.flows[flow].member, &plan.spec.flow)
    }

    /// The name of a node.
    #[doc(hidden)]
    pub fn of_node(plan: &Plan, node: usize) -> Name {
        plan.topology.node(&plan.spec, node)
    }

    /// The name of a member of a table.
    pub(in crate::lower) fn of<T>(member: TableMember, written: &Named<T>) -> Name {
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

    /// The output that leads to a hop.
    #[doc(hidden)]
    pub fn before(plan: &Plan, hop: Hop) -> Place {
        plan.topology.place(&plan.spec, hop)
    }
}

impl Topology {
    /// The name of a node in two parts, that of its table and its number.
    pub(in crate::lower) fn node(&self, spec: &ScenarioSpec, node: usize) -> Name {
        Name {
            group: self.table(spec, node).to_string(),
            number: self.nodes[node].member.number(),
        }
    }

    /// The output that leads to a hop. Where several links join two nodes, its name holds the far end
    /// and the table of the link, with the number of the far end, such as `s1->server/rail[3]`.
    pub(in crate::lower) fn place(&self, spec: &ScenarioSpec, hop: Hop) -> Place {
        let mut to = self.node(spec, self.head(hop));
        if self.is_parallel(hop.link()) {
            let table = self.links[hop.link()].member.spec();
            to.group = format!("{}/{}", to.group, spec.link.0[table].0);
        }
        Place {
            node: self.node(spec, self.head(hop.back())),
            to,
        }
    }
}
