//! The nodes of a table of the scenario, and the packets that leave them.

use super::Plan;
use crate::scope::Name;

impl Plan {
    /// The nodes of one table.
    pub fn nodes_of(&self, family: &str, name: &str) -> impl Iterator<Item = usize> + Clone {
        let is_member = move |node: &usize| {
            let kind = self.topology.nodes[*node].kind;
            kind.word() == family && Name::of_node(self, *node).group == name
        };
        (0..self.topology.nodes.len()).filter(is_member)
    }

    /// Octets on the link of the longest packet that leaves a node whole; zero if none does.
    pub fn longest_packet(&self, node: usize) -> u32 {
        let whole = self.leaving(node).filter(|planned| !planned.in_cells);
        let octets = whole.map(|planned| {
            let flow = self.flow_spec(planned.flow);
            flow.wrap(false, flow.transport.facts().full_packet, self.cells())
                .0
        });
        let longest = octets.max().unwrap_or(0);
        u32::try_from(longest).expect("a packet has at most 64 KiB and its framing")
    }
}
