//! The times of a flow on its path, and the idle path: what its slowest link carries, and the time
//! that data takes on it. The slowest link is the one that carries the least user data in full
//! packets. The definitions are ours, so that loads and slowdowns do not depend on a transport's
//! windows.

use kernel::{Duration, Rate};
use models::connections::IdlePath;
use models::paced::Pacer;
use models::traffic::PacketSizes;

use super::Flows;
use crate::lower::links::PlannedLinks;
use crate::lower::{Hop, PlannedVc};

impl Flows<'_> {
    /// Transmission time of a full packet of a flow on the slowest link of its paths.
    pub fn packet_time(&self, links: &PlannedLinks, flow: usize) -> Duration {
        let (spec, planned) = (self.spec(flow), self.planned(flow));
        let full = spec.transport.facts().full_packet;
        let times = planned.hops().enumerate().map(|(place, hop)| {
            let in_cells = if planned.has_several_paths() {
                !planned.in_cells().is_empty()
            } else {
                planned.in_cells().contains(&place)
            };
            match spec.wrap(in_cells, full, self.cells) {
                (octets, 0) => links.rate(hop).transmission(octets * 8),
                (_, cells) => links.cell_time(hop) * u64::from(cells),
            }
        });
        times.max().unwrap_or(Duration::ZERO)
    }

    /// Round-trip time of one cell on the idle part of the path that a flow passes in cells; with
    /// several paths, on the slowest link at each distance from the sending host.
    fn round_trip_of_cells(&self, links: &PlannedLinks, flow: usize) -> Duration {
        let planned = self.planned(flow);
        let time = |hop: Hop| (links.cell_time(hop) + links.delay(hop)) * 2;
        if let Some(mesh) = &planned.mesh {
            return mesh.longest(time);
        }
        let times = planned.path[planned.in_cells()].iter();
        let times = times.map(|hop| time(*hop));
        times.fold(Duration::ZERO, |sum, time| sum + time)
    }

    /// The pacer of the cells of a VC at a host whose link has the rate `line`; none if they
    /// are sent back to back.
    pub(in crate::lower) fn pacer(
        &self,
        links: &PlannedLinks,
        planned: PlannedVc,
        line: Rate,
    ) -> Option<Pacer> {
        let over = &self.spec(planned.flow).over;
        match over.rate_control() {
            Some(abr) if planned.back && !abr.controls_reverse() => Some(Pacer::Immediate),
            Some(abr) => {
                let round_trip = self.round_trip_of_cells(links, planned.flow);
                Some(Pacer::abr(abr.contract(line, round_trip, self.cells)))
            }
            None => Some(Pacer::shaped(&over.descriptor()?, self.cells)),
        }
    }

    /// The time between two pulls of a flow, on the last link of its path; none unless its receiver
    /// pulls packets.
    pub(in crate::lower) fn pull_time(
        &self,
        links: &PlannedLinks,
        flow: usize,
    ) -> Option<Duration> {
        let spec = self.spec(flow);
        let packet = spec.transport.facts().pulled_packet?;
        let last = self.planned(flow).path.last()?;
        let bits = spec.bits_of(packet, self.cells) as u64;
        Some(links.rate(*last).transmission(bits))
    }

    /// User octets per second that the slowest link on the path of a flow carries in full packets.
    pub(in crate::lower) fn carried(&self, links: &PlannedLinks, flow: usize) -> f64 {
        let octets = self.packets(flow).map(|(hop, packets)| {
            links.rate(hop).bits_per_second() as f64 / bits_of_octet(&packets)
        });
        octets.fold(f64::INFINITY, f64::min)
    }

    /// The time that data takes on the idle path of a flow.
    pub(in crate::lower) fn idle_path(&self, links: &PlannedLinks, flow: usize) -> IdlePath {
        let mut idle = IdlePath {
            propagation: 0.0,
            octet_on_all: 0.0,
            octet_on_slowest: 0.0,
            payload: self.spec(flow).transport.facts().full_payload,
        };
        for (hop, packets) in self.packets(flow) {
            let rate = links.rate(hop).bits_per_second() as f64;
            let octet = bits_of_octet(&packets) / rate;
            idle.propagation += links.delay(hop).seconds();
            idle.octet_on_all += octet;
            idle.octet_on_slowest = idle.octet_on_slowest.max(octet);
        }
        idle
    }

    /// The time of a full packet on the idle path of a flow, and of the acknowledgment back.
    pub(crate) fn idle_round_trip(&self, links: &PlannedLinks, flow: usize) -> Duration {
        let idle = self.idle_path(links, flow);
        idle.time(idle.payload)
    }

    /// The hops of a flow, each with the sizes of its packets there.
    fn packets(&self, flow: usize) -> impl Iterator<Item = (Hop, PacketSizes)> {
        let (spec, planned) = (self.spec(flow), self.planned(flow));
        let hops = planned.path.iter().copied().enumerate();
        hops.map(move |(place, hop)| {
            let in_cells = planned.in_cells().contains(&place);
            (hop, spec.packets_where(in_cells, self.cells))
        })
    }
}

/// Bits on a link for each user octet in full packets.
fn bits_of_octet(packets: &PacketSizes) -> f64 {
    packets.bits(packets.payload) as f64 / packets.payload as f64
}
