//! Scheduled cells: outputs grant credit to inputs, and granted packets cross in cells that are
//! sprayed over the links of a fabric.
//!
//! Each input is an ingress with a virtual output queue for every output, and each output an egress
//! with a buffer and a scheduler of grants. An ingress asks for each packet that joins a queue, and sends
//! packets of the queue while its credit lasts; the egress grants credit at a rate, and only while what it
//! has granted fits into its buffer. So queues grow at the inputs, where packets wait, and never in
//! the fabric. Zilberman, Bracha and Schzukin, "Stardust: Divide and Conquer in the Data Center
//! Network", USENIX NSDI 2019, describe such a fabric; we have read the beginning of the paper. The
//! rules below that it leaves open there are our own, and `docs/concepts/scheduled-fabrics.md` states
//! them.
//!
//! A credit is positive or negative: an ingress sends while it is positive, so that the last packet
//! may overdraw it, and the next grants pay for that first. Otherwise packets of several inputs could
//! each wait for the rest of their credit while nothing more fits into the buffer.
//!
//! At one instant the events of the fabric have the order of [`FabricAct`]; cells that arrive at the inputs
//! at that instant come last. Each event has its effects later, so the order in which cells arrive at
//! several inputs at one instant does not matter, and neither do random ties.

mod events;
mod grants;
mod lane;
mod links;
mod outages;

use kernel::{Duration, Rate, Time};
use parameters::{BufferSize, Conflict, parameters};

use super::{Fabric, Inputs};
use crate::metrics::{Cause, CrossingMeter, CrossingReading};
use crate::output::service_times::ServiceTimes;
use crate::paths::spray::SprayChoice;
use crate::switch::arrivals::NextCell;
use crate::switch::crossing::Crossing;

use crate::wire::format::{CellFormat, CellFormatSpec};
use events::{FabricAct, FabricEvents};
use grants::Egress;
use lane::{ComingPackets, Lane};
use links::FabricLinks;
use outages::FabricOutage;

parameters! {
    /// Each output grants credit to the inputs that ask for it, and granted packets cross in cells
    /// that are sprayed over the links of a fabric.
    #[check(check)]
    pub struct ScheduledCells {
        /// Credit of one grant; a size in cells is in those of the network.
        pub grant: BufferSize,
        /// Buffer of an egress: the most credit that it has granted for packets that have not left.
        #[alias("buffer")]
        pub egress: BufferSize,
        /// Rate of the grants of an egress over the rate of its output.
        #[range(0.1, 100)]
        pub speedup: f64 = 1.0,
        /// Time that a request takes to the egress, and a grant to the ingress.
        #[range("1 ns", "1 s")]
        pub control_delay: Duration,
        /// Links from each ingress to the fabric, and from the fabric to each egress.
        #[range(1, 1024)]
        pub links: u32,
        /// Rate of a link of the fabric.
        pub link_rate: Rate,
        /// Propagation delay of the first link of each ingress and egress.
        #[range("0 s", "1 s")]
        pub link_delay: Duration = "0 s",
        /// Difference between the propagation delays of a link and the next.
        #[range("0 s", "1 s")]
        pub skew: Duration = "0 s",
        /// Choice of the link of a cell.
        pub spray: SprayChoice = "in_turn",
        /// Cells of the fabric, into which the cells of a packet are cut; if not given, each cell of
        /// the network crosses as it is.
        pub cell: Option<CellFormatSpec>,
        /// Times in which links are down, for each link in order; if not given, none.
        pub outages: Option<Vec<FabricOutage>>,
        /// Time from the start, and from the end, of an outage until the inputs know of it.
        #[range("0 s", "1000 h")]
        pub detection: Duration = "0 s",
        /// Time for which an egress waits for a packet that has lost a cell, from the time at which its
        /// input sent it into the fabric; longer than a packet takes to cross.
        #[range("1 ns", "1000 h")]
        pub reassembly_timeout: Duration = "10 ms",
    }
}

/// Octets of a size in a network with cells of this format.
pub fn octets(size: BufferSize, cells: CellFormat) -> u64 {
    match size {
        BufferSize::Cells(count) => count.saturating_mul(cells.octets()),
        BufferSize::Bytes(octets) => octets,
    }
}

impl ScheduledCells {
    fn check(&self) -> Option<Conflict> {
        outages::conflict(self.outages.as_deref().unwrap_or_default(), self.links)
    }

    /// The fabric of one switch.
    pub fn build(&self, inputs: &Inputs) -> Box<dyn Fabric> {
        let mut ways: Vec<(usize, usize)> = inputs.routed.to_vec();
        ways.sort_unstable_by_key(|(input, output)| (*output, *input));
        let mut lane_of = vec![None; inputs.inputs * inputs.outputs];
        for (lane, (input, output)) in ways.iter().enumerate() {
            lane_of[input * inputs.outputs + output] = Some(lane as u32);
        }
        let egresses = (0..inputs.outputs).map(|output| {
            let lanes = ways.iter().enumerate();
            let lanes = lanes.filter(|(_, way)| way.1 == output);
            Egress::new(self, inputs, output, lanes.map(|(lane, _)| lane as u32))
        });
        Box::new(State {
            heads: vec![None; inputs.inputs].into(),
            arrivals: ServiceTimes::new(inputs.inputs),
            coming: ComingPackets::new(inputs),
            egresses: egresses.collect(),
            meters: vec![CrossingMeter::default(); inputs.outputs].into(),
            links: FabricLinks::new(self, inputs, ways.len()),
            lanes: ways.into_iter().map(Lane::new).collect(),
            lane_of: lane_of.into(),
            outputs: inputs.outputs,
            events: FabricEvents::default(),
            control_delay: self.control_delay,
            reassembly_timeout: self.reassembly_timeout,
            cell: inputs.cells.octets(),
            cells: 0,
        })
    }
}

struct State {
    /// The next cell of each input.
    heads: Box<[Option<NextCell>]>,
    /// Their arrivals.
    arrivals: ServiceTimes,
    coming: ComingPackets,
    /// The pairs of an input and an output that VCs use, by output and then by input.
    lanes: Box<[Lane]>,
    /// The lane of each input and output.
    lane_of: Box<[Option<u32>]>,
    /// Number of outputs.
    outputs: usize,
    /// The egress of each output.
    egresses: Box<[Egress]>,
    links: FabricLinks,
    events: FabricEvents,
    /// Counts by output.
    meters: Box<[CrossingMeter]>,
    control_delay: Duration,
    reassembly_timeout: Duration,
    /// Octets of a cell of the network.
    cell: u64,
    /// Cells of the network taken from the inputs and not moved to an output.
    cells: u64,
}

impl Fabric for State {
    fn next_wake(&self) -> Time {
        self.events.next().min(self.arrivals.next())
    }

    fn expect(&mut self, input: usize, next: NextCell) {
        self.heads[input] = Some(next);
        self.arrivals.set(input, next.arrival);
    }

    fn forget(&mut self, input: usize) {
        self.heads[input] = None;
        self.arrivals.set(input, Time::NEVER);
    }

    fn advance(&mut self, crossing: &mut Crossing<'_, '_>) {
        loop {
            let now = self.next_wake();
            if crossing.is_closed(now) {
                return;
            }
            if let Some(act) = self.events.take(now) {
                self.act(now, act, crossing);
            } else if let Some(input) = self.arrivals.due(now) {
                self.take(now, input, crossing);
            }
        }
    }

    fn cells(&self) -> u64 {
        self.cells
    }

    fn begin_counting(&mut self, now: Time) {
        self.meters.iter_mut().for_each(|meter| meter.begin(now));
        self.egresses.iter_mut().for_each(Egress::begin_counting);
    }

    fn read(&self, output: usize, now: Time) -> Option<CrossingReading> {
        if output == 0 {
            self.assert_conservation();
        }
        let egress = &self.egresses[output];
        egress.assert_conservation(&self.lanes, self.cell);
        egress.is_used().then(|| CrossingReading {
            reordering: Some(egress.most_reordering() * self.links.octets()),
            ..self.meters[output].read(now)
        })
    }
}

impl State {
    fn act(&mut self, now: Time, act: FabricAct, crossing: &mut Crossing<'_, '_>) {
        match act {
            FabricAct::Reassemble { lane, packet } => {
                let of = &mut self.lanes[lane as usize];
                if of.arrive(packet) {
                    self.egresses[of.output].join();
                    self.release(now, lane, crossing);
                }
            }
            FabricAct::Expire { lane, packet } => {
                self.lanes[lane as usize].expire(packet);
                self.release(now, lane, crossing);
            }
            FabricAct::Forward { link, lane, packet } => {
                let output = self.lanes[lane as usize].output;
                match self.links.forward(now, output, link) {
                    Some(arrival) => self
                        .events
                        .add(arrival, FabricAct::Reassemble { lane, packet }),
                    None => self.lose(now, lane, packet),
                }
            }
            FabricAct::Request { lane, octets } => {
                let of = &mut self.lanes[lane as usize];
                of.on_request(octets);
                if of.asks() {
                    let output = of.output;
                    let due = self.egresses[output].on_request(now);
                    self.schedule(output, due);
                }
            }
            FabricAct::Schedule { output } => self.grant(now, output as usize, crossing),
            FabricAct::Grant { lane } => {
                let of = &mut self.lanes[lane as usize];
                of.on_grant(self.egresses[of.output].grant());
                self.send(now, lane as usize);
            }
        }
    }

    /// Takes the next cell of an input; the packet that it ends joins its virtual output queue.
    fn take(&mut self, now: Time, input: usize, crossing: &mut Crossing<'_, '_>) {
        let (cell, next) = crossing.take(input);
        let head = std::mem::replace(&mut self.heads[input], next);
        let arrival = next.map_or(Time::NEVER, |next| next.arrival);
        self.arrivals.set(input, arrival);
        let output = head.expect("a cell is expected").output as usize;
        self.cells += 1;
        self.meters[output].join(now);
        let lane = self.lane_of[input * self.outputs + output]
            .expect("VCs run between this input and this output");
        let of = &mut self.lanes[lane as usize];
        let Some(cells) = self.coming.collect(output, cell, now, of) else {
            return;
        };
        let octets = u64::from(cells) * self.cell;
        let request = FabricAct::Request { lane, octets };
        self.events.add(now + self.control_delay, request);
        self.send(now, lane as usize);
    }

    /// Sends the packets of a virtual output queue into the fabric while its credit is positive.
    fn send(&mut self, now: Time, lane: usize) {
        loop {
            let of = &mut self.lanes[lane];
            let Some(sent) = of.send(now, self.cell, |cells| self.links.cut(cells)) else {
                return;
            };
            let meter = &mut self.meters[of.output];
            for (_, arrival) in of.cells_of(&sent) {
                meter.cross(now, now.since(*arrival));
            }
            let (input, packet) = (of.input, sent.number);
            for _ in 0..sent.parts {
                let (link, arrival) = self.links.spray(now, input, lane);
                let lane = lane as u32;
                match arrival {
                    Some(arrival) => {
                        self.events
                            .add(arrival, FabricAct::Forward { link, lane, packet });
                    }
                    None => self.lose(now, lane, packet),
                }
            }
        }
    }

    /// A link loses a cell of a packet.
    fn lose(&mut self, now: Time, lane: u32, packet: u64) {
        if let Some(sent) = self.lanes[lane as usize].lose(packet) {
            let due = sent + self.reassembly_timeout;
            self.events
                .add(due.max(now), FabricAct::Expire { lane, packet });
        }
    }

    /// The first packets of a lane that are complete move to the output, and those that have lost a
    /// cell are dropped when their time is over.
    fn release(&mut self, now: Time, lane: u32, crossing: &mut Crossing<'_, '_>) {
        let lane = &mut self.lanes[lane as usize];
        let output = lane.output;
        let egress = &mut self.egresses[output];
        let mut due = None;
        while let Some(packet) = lane.release() {
            egress.leave(packet.arrived(), u64::from(packet.cells) * self.cell);
            due = due.or(egress.on_release(now));
            self.cells -= u64::from(packet.cells);
            for (cell, arrival) in lane.take(packet.cells) {
                if packet.is_whole() {
                    crossing.offer(now, arrival, output, cell);
                } else {
                    crossing.drop_taken(now, output, &cell, Cause::Fabric);
                }
            }
        }
        egress.note();
        self.schedule(output, due);
    }

    /// An egress grants credit to the next lane that asks, if what it has granted fits into its
    /// buffer then, and looks again after the time of a grant while any asks.
    fn grant(&mut self, now: Time, output: usize, crossing: &mut Crossing<'_, '_>) {
        let waiting = crossing.waiting(now, output) * self.cell;
        let egress = &mut self.egresses[output];
        if let Some(lane) = egress.grant_next(now, waiting, &mut self.lanes) {
            self.events
                .add(now + self.control_delay, FabricAct::Grant { lane });
        }
        let due = egress.due(&self.lanes);
        self.schedule(output, due);
    }

    fn schedule(&mut self, output: usize, due: Option<Time>) {
        if let Some(due) = due {
            let output = output as u32;
            self.events.add(due, FabricAct::Schedule { output });
        }
    }

    /// Asserts that each cell taken from an input waits for the rest of its packet, or belongs to a
    /// packet that waits at its ingress, crosses, or is being reassembled.
    fn assert_conservation(&self) {
        let of_lanes: u64 = self.lanes.iter().map(Lane::cells).sum();
        assert_eq!(
            self.coming.cells() + of_lanes,
            self.cells,
            "cells of a scheduled fabric"
        );
    }
}

#[cfg(test)]
mod tests {
    use parameters::{understand, value};

    use super::super::FabricSpec;
    use super::super::script::{Sent, order_of};
    use super::*;

    /// A fabric with one link, on which a cell takes 10 ps, as on the output; requests and grants take
    /// 100 ps.
    fn plain() -> ScheduledCells {
        ScheduledCells {
            grant: BufferSize::Cells(1),
            egress: BufferSize::Cells(1000),
            speedup: 1.0,
            control_delay: Duration::from_ps(100),
            links: 1,
            link_rate: Rate::from_bits_per_second(42_400_000_000_000),
            link_delay: Duration::ZERO,
            skew: Duration::ZERO,
            spray: SprayChoice::InTurn,
            cell: None,
            outages: None,
            detection: Duration::ZERO,
            reassembly_timeout: Duration::from_us(1),
        }
    }

    /// The start of each cell on the link of the output, and its input.
    fn left(spec: ScheduledCells, units: Vec<Vec<(u64, Sent)>>) -> Vec<(u64, u32)> {
        order_of(&FabricSpec::ScheduledCells(spec), units)
    }

    /// The starts alone.
    fn starts(spec: ScheduledCells, units: Vec<Vec<(u64, Sent)>>) -> Vec<u64> {
        left(spec, units).into_iter().map(|(at, _)| at).collect()
    }

    #[test]
    fn a_lone_packet_waits_for_a_grant_and_crosses_two_links() {
        let alone = |spec, cells| starts(spec, vec![vec![(13, Sent::Packet(cells))]]);
        assert_eq!(alone(plain(), 1), [13 + 100 + 100 + 10 + 10]);
        let link_delay = Duration::from_ps(7);
        let delayed = ScheduledCells {
            link_delay,
            ..plain()
        };
        assert_eq!(alone(delayed, 1), [13 + 100 + 100 + 17 + 17]);
        // The packet ends at 33. It has its first grant, which it overdraws, after 200; its last cell
        // is forwarded after 30, and arrives after 10.
        let first = 33 + 200 + 30 + 10;
        assert_eq!(alone(plain(), 3), [first, first + 10, first + 20]);
        // Two links carry two cells at a time.
        let first = 33 + 200 + 20 + 10;
        let two = ScheduledCells {
            links: 2,
            ..plain()
        };
        assert_eq!(alone(two, 3), [first, first + 10, first + 20]);
    }

    #[test]
    fn a_packet_is_cut_into_cells_of_the_fabric() {
        // Three cells of 53 octets take two cells of 106, of which 100 are payload: 20 ps each.
        let written = value!({ payload = "100 B", header = "6 B", adaptation = { none = {} } });
        let format = understand(&written).expect("a format");
        let cut = ScheduledCells {
            cell: Some(format),
            ..plain()
        };
        let first = 33 + 200 + 2 * 20 + 20;
        assert_eq!(
            starts(cut, vec![vec![(13, Sent::Packet(3))]]),
            [first, first + 10, first + 20]
        );
    }
}
