//! Units in flight between nodes, for drawing. Positions are our own: they are computed from times
//! of arrival, since a link keeps no positions.

use kernel::{Duration, Network, Time};
use models::node::AnyNode;
use models::wire::cell::Train;
use models::wire::unit::{PacketUnit, Unit};

use crate::lower::{Hop, Plan};

/// Units of one kind that follow one another on a link.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Moving {
    /// Link and direction: twice the number of the link, plus one for the direction from its second
    /// node to its first.
    pub hop: u32,
    /// Flow of the units, by its number in the scenario.
    pub flow: u32,
    /// True if the units travel from the receiving host to the sending host.
    pub back: bool,
    /// True if the units carry data; false for RM cells and credits.
    pub data: bool,
    /// Cells, or one packet.
    pub units: u32,
    /// Position of the first unit, from 0 at the start of the link to 1 at its end; larger if the
    /// unit has arrived, and others that belong to it have not.
    pub head: f64,
    /// Position of the last unit; negative if it has not started.
    pub tail: f64,
}

/// Limit of the entries of a snapshot. A long link may have millions of units in flight: listing them
/// would take longer than the computing between two pauses, and a page cannot draw them.
const MOST_MOVING: usize = 3000;

/// The units on their way at `now`, link by link, as far as their transmission has begun: the first
/// [`MOST_MOVING`] of them.
pub fn moving(plan: &Plan, network: &Network<AnyNode>, now: Time) -> Vec<Moving> {
    let all = network.links().iter().flat_map(|link| {
        let view = View {
            plan,
            hop: plan.topology.outputs(link.to)[link.input as usize].back(),
            propagation: link.propagation,
            now,
        };
        let arrivals = link.arrivals();
        arrivals.filter_map(move |(arrival, unit)| view.unit(arrival, unit))
    });
    all.take(MOST_MOVING).collect()
}

/// A link at an instant.
struct View<'a> {
    plan: &'a Plan,
    hop: Hop,
    propagation: Duration,
    now: Time,
}

impl View<'_> {
    fn unit(&self, arrival: Time, unit: &Unit) -> Option<Moving> {
        match unit {
            Unit::Cells(train) => self.cells(arrival, train),
            // Control frames are not seen: they are short and belong to no flow.
            other => self.packet(arrival, other.seen()?),
        }
    }

    fn packet(&self, arrival: Time, packet: &PacketUnit) -> Option<Moving> {
        let rate = self.plan.links.rate(self.hop);
        let time = rate.transmission(u64::from(packet.octets) * 8);
        self.seen(packet.vc.index(), 1, true, [arrival - time, arrival])
    }

    fn cells(&self, arrival: Time, train: &Train) -> Option<Moving> {
        let after = train.cells - 1;
        // A link delivers the gathered cells of a PDU together with the last cell; they are drawn
        // as if they were sent back to back.
        let is_gathered = train.spacing == Duration::ZERO;
        let ends = if is_gathered {
            let cell_time = self.plan.links.cell_time(self.hop);
            [arrival - cell_time * u64::from(after), arrival]
        } else {
            [arrival, arrival + train.spacing * u64::from(after)]
        };
        let is_data = train.part().is_some();
        self.seen(train.vc.index(), train.cells, is_data, ends)
    }

    /// Units that arrive between two instants; none if no unit is in flight.
    fn seen(&self, vc: usize, units: u32, data: bool, [first, last]: [Time; 2]) -> Option<Moving> {
        let came = |arrival: Time| {
            let left = arrival.ps() as f64 - self.now.ps() as f64;
            1.0 - left / self.propagation.ps().max(1) as f64
        };
        let (head, tail) = (came(first), came(last));
        if head <= 0.0 || tail >= 1.0 {
            return None;
        }
        let planned = self.plan.paths.vcs(self.hop).nth(vc)?;
        Some(Moving {
            hop: self.hop.number(),
            flow: planned.flow as u32,
            back: planned.back,
            data,
            units,
            head,
            tail,
        })
    }
}
