//! The tables of a scenario that nodes and links belong to.

use models::link::LinkSpec;

use super::{NodeKind, Topology};
use crate::lower::Hop;
use crate::spec::ScenarioSpec;

impl Topology {
    /// Name of the table of a node.
    pub(in crate::lower) fn table<'a>(&self, spec: &'a ScenarioSpec, node: usize) -> &'a str {
        let planned = self.nodes[node];
        let number = planned.member.spec();
        match planned.kind {
            NodeKind::Host => &spec.host.0[number].0,
            NodeKind::Switch => &spec.switch.0[number].0,
            NodeKind::Router => &spec.router.0[number].0,
            NodeKind::Edge => &spec.edge.0[number].0,
        }
    }

    /// The table of a link.
    pub fn link_spec<'a>(&self, spec: &'a ScenarioSpec, link: usize) -> &'a LinkSpec {
        &spec.link.0[self.links[link].member.spec()].1
    }

    /// Name of a link.
    pub fn link_name(&self, spec: &ScenarioSpec, link: usize) -> String {
        self.links[link].member.name(&spec.link)
    }

    /// The nodes of a table.
    pub(in crate::lower) fn nodes_of(
        &self,
        spec: &ScenarioSpec,
        family: &str,
        name: &str,
    ) -> impl Iterator<Item = usize> + Clone {
        let is_member = move |node: &usize| {
            self.nodes[*node].kind.word() == family && self.table(spec, *node) == name
        };
        (0..self.nodes.len()).filter(is_member)
    }

    /// The hops over the links of a table, in both directions of each.
    pub(in crate::lower) fn hops_of_table(&self, table: usize) -> impl Iterator<Item = Hop> {
        let links = self.links.iter().enumerate();
        let members = links.filter(move |(_, link)| link.member.spec() == table);
        members.flat_map(|(link, _)| [false, true].map(|reverse| Hop::new(link, reverse)))
    }
}
