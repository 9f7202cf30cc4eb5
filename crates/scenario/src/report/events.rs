//! The work of a run, for benchmarks.

use kernel::Network;
use models::node::AnyNode;

use super::Events;

/// Counts the cells and packets that entered links: those that hosts sent and ports accepted.
pub fn counted(network: &Network<AnyNode>, visits: u64) -> Events {
    let mut events = Events {
        visits,
        ..Events::default()
    };
    for node in &network.nodes {
        for port in node.ports() {
            let accepted = port.meter().accepted_ever();
            events.cell_hops += if port.unit().is_cells() {
                accepted.units
            } else {
                0
            };
            events.packet_hops += accepted.packets;
        }
        if let AnyNode::Host(host) = node {
            for nic in host.nics.all() {
                events.cell_hops += nic.cells_sent;
                events.packet_hops += nic.packets_sent;
            }
            events.heap_operations += host.heap_operations();
        }
    }
    events
}
