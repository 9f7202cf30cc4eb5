//! The network of a scenario: its nodes, its links, and its flows.

use kernel::Duration;
use scenario::lower::{Hop, NodeKind, Plan};
use scenario::scope::{Name, Place};

/// A node.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Node {
    /// Name of the node.
    pub name: Name,
    /// Kind of the node.
    pub kind: NodeKind,
}

/// A link, which carries units in both directions.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Link {
    /// Name of the link; links of a group have the name of their table, with a number.
    pub name: String,
    /// The two outputs that feed the link, one for each direction.
    pub outputs: [Place; 2],
    /// Rate of each direction, in bit/s.
    pub bits_per_second: u64,
    /// Propagation delay.
    pub delay: Duration,
}

/// A flow from one host to another.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Flow {
    /// Name of the flow.
    pub name: Name,
    /// The outputs on the path of the data, beginning with that of the sending host;
    /// acknowledgments return over the same links. Of several equal paths, the one written first.
    pub path: Vec<Place>,
}

impl Flow {
    /// The sending host.
    pub fn from(&self) -> &Name {
        &self.path[0].node
    }

    /// The receiving host.
    pub fn to(&self) -> &Name {
        &self.path[self.path.len() - 1].to
    }
}

pub(crate) fn nodes(plan: &Plan) -> Vec<Node> {
    let nodes = plan.topology.nodes.iter().enumerate();
    nodes
        .map(|(number, node)| Node {
            name: Name::of_node(plan, number),
            kind: node.kind,
        })
        .collect()
}

pub(crate) fn links(plan: &Plan) -> Vec<Link> {
    let links = plan.topology.links.iter().enumerate();
    links
        .map(|(number, _)| {
            let spec = plan.link_spec(number);
            let [there, back] =
                [false, true].map(|back| Place::before(plan, Hop::new(number, back)));
            Link {
                name: plan.link_name(number),
                outputs: [there, back],
                bits_per_second: spec.rate.bits_per_second(),
                delay: spec.delay.0,
            }
        })
        .collect()
}

pub(crate) fn flows(plan: &Plan) -> Vec<Flow> {
    let flows = plan.paths.flows.iter().enumerate();
    flows
        .map(|(number, flow)| Flow {
            name: Name::of_flow(plan, number),
            path: flow
                .path
                .iter()
                .map(|hop| Place::before(plan, *hop))
                .collect(),
        })
        .collect()
}
