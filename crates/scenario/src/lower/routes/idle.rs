//! The idle path of a flow: what its slowest link carries, and the time that data takes on it. The
//! slowest link is the one that carries the least user data in full packets. The definitions are
//! ours, so that loads and slowdowns do not depend on a transport's windows.

use kernel::Duration;
use models::connections::IdlePath;
use models::flow::Pairs;
use models::traffic::PacketSizes;

use crate::lower::{Hop, Plan};

impl Plan {
    /// User octets per second that the slowest link on the path of a flow carries in full packets.
    pub(in crate::lower) fn carried(&self, flow: usize) -> f64 {
        let octets = self.hops(flow).map(|(hop, packets)| {
            self.rate(hop).bits_per_second() as f64 / bits_of_octet(&packets)
        });
        octets.fold(f64::INFINITY, f64::min)
    }

    /// The number of flows of the same table from the same host, if all pairs of hosts have one.
    pub(in crate::lower) fn siblings(&self, flow: usize) -> u32 {
        if self.flow_spec(flow).pairs != Pairs::All {
            return 1;
        }
        let table = |flow: usize| self.flows[flow].member.spec();
        let host = self.hosts(flow)[0];
        // The flows of a host stand together.
        let is_sibling =
            |other: &usize| table(*other) == table(flow) && self.hosts(*other)[0] == host;
        let before = (0..flow).rev().take_while(is_sibling).count();
        let after = (flow..self.flows.len()).take_while(is_sibling).count();
        (before + after) as u32
    }

    /// The time that data takes on the idle path of a flow.
    pub(in crate::lower) fn idle_path(&self, flow: usize) -> IdlePath {
        let spec = self.flow_spec(flow);
        let mut idle = IdlePath {
            propagation: 0.0,
            octet_on_all: 0.0,
            octet_on_slowest: 0.0,
            payload: spec.transport.facts().full_payload,
        };
        for (hop, packets) in self.hops(flow) {
            let rate = self.rate(hop).bits_per_second() as f64;
            let octet = bits_of_octet(&packets) / rate;
            idle.propagation += self.link_spec(hop.link()).delay.0.seconds();
            idle.octet_on_all += octet;
            idle.octet_on_slowest = idle.octet_on_slowest.max(octet);
        }
        idle
    }

    /// The time of a full packet on the idle path of a flow, and of the acknowledgment back.
    pub(crate) fn idle_round_trip(&self, flow: usize) -> Duration {
        let idle = self.idle_path(flow);
        idle.time(idle.payload)
    }

    /// The hops of a flow, each with the sizes of its packets there.
    fn hops(&self, flow: usize) -> impl Iterator<Item = (Hop, PacketSizes)> {
        let (spec, planned) = (self.flow_spec(flow), &self.flows[flow]);
        let hops = planned.path.iter().copied().enumerate();
        hops.map(move |(place, hop)| {
            let in_cells = planned.in_cells().contains(&place);
            (hop, spec.packets_where(in_cells, self.cells()))
        })
    }
}

/// Bits on a link for each user octet in full packets.
fn bits_of_octet(packets: &PacketSizes) -> f64 {
    packets.bits(packets.payload) as f64 / packets.payload as f64
}
