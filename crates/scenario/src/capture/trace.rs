//! A trace of a run in progress: for each packet, the instants noted at taps, and its first drop.
//!
//! A flow, a direction and the number that the sending host assigns identify a packet. The packets
//! of one direction pass the same outputs in order, so the number is the index into the table of
//! that direction. Our own design: rows are joined here, because cells carry no history.

use kernel::{Duration, Network, Rate, Time};
use models::link::tap::{Fate, Journal, TappedPacket};
use models::metrics::{Cause, TimedDrop};
use models::node::AnyNode;
use models::wire::connection::LONGEST_CONNECTION;
use models::wire::contents::Contents;
use models::wire::format::CellFormat;

use super::listed_drops;
use super::packets::{PacketEnd, PacketHop, PacketRow, PacketTable};
use super::passages::{Passage, passages};
use super::points;
use super::transmission_times::TransmissionTimes;
use crate::lower::{NodeKind, Plan};
use crate::scope::{Name, Place};

/// A trace under way.
pub struct TraceRecorder {
    flows: Vec<Name>,
    /// For each flow the bits of a number that count the octets of its stream: each connection that
    /// comes and goes numbers a stream of its own.
    octets: Vec<u64>,
    outputs: Vec<Place>,
    points: Vec<Point>,
    /// Both directions of each flow.
    ways: Vec<[Way; 2]>,
    drops: listed_drops::Reader,
}

/// An output, with the flows whose packets pass it.
struct Point {
    kind: NodeKind,
    rate: Rate,
    /// Format of the cells of the network.
    cells: CellFormat,
    /// Propagation delay of the link behind it.
    delay: Duration,
    in_cells: bool,
    times: TransmissionTimes,
    /// The flow and position of each outgoing VC, and of each incoming one.
    passages: [Vec<Passage>; 2],
}

/// One direction of a flow.
#[derive(Default)]
struct Way {
    /// Taps along the path, or at all links of a flow with several paths.
    points: Vec<usize>,
    /// True if packets may overtake each other, since they have several paths.
    has_several_paths: bool,
    /// Packets by number, from one.
    packets: Vec<Entry>,
    /// Departure of each packet from each point, by packet and then by point; never if not noted. Empty
    /// if packets have several paths.
    departures: Vec<Time>,
    /// Points that each packet passed and its departures from them, if packets have several paths: one
    /// that is turned back by an outage may pass a point twice.
    passed: Vec<Vec<(usize, Time)>>,
}

#[derive(Clone, Copy)]
struct Entry {
    octets: u32,
    data: u32,
    cells: u32,
    sequence: u64,
    sent: Time,
    delivered: Time,
    /// First drop.
    dropped: Option<FirstDrop>,
    /// True if a tap noted that the PDU was damaged.
    is_damaged: bool,
}

#[derive(Clone, Copy)]
struct FirstDrop {
    at: Time,
    place: usize,
    cause: Cause,
}

impl Entry {
    /// A packet before its first note.
    const UNKNOWN: Entry = Entry {
        octets: 0,
        data: 0,
        cells: 0,
        sequence: 0,
        sent: Time::NEVER,
        delivered: Time::NEVER,
        dropped: None,
        is_damaged: false,
    };

    fn send(&mut self, contents: &Contents) {
        self.octets = contents.octets;
        self.data = contents.segment.len;
        self.sequence = contents.segment.number();
        self.sent = contents.sent;
    }

    /// The fate of the packet, as far as it is known before `until`.
    fn before(self, until: Time) -> Entry {
        Entry {
            dropped: self.dropped.filter(|first| first.at < until),
            ..self
        }
    }

    /// The outcome of the packet; `is_overtaken` is true if a later packet of its flow has arrived.
    fn end(&self, points: &[usize], is_overtaken: bool) -> PacketEnd {
        match self.dropped {
            _ if self.delivered < Time::NEVER => PacketEnd::Delivered(self.delivered),
            Some(first) => PacketEnd::Dropped {
                at: Some(first.at),
                output: Some(points[first.place] as u32),
                cause: first.cause,
            },
            // Packets keep their order, so one overtaken by a later packet was damaged.
            None if self.is_damaged || is_overtaken => PacketEnd::Dropped {
                at: None,
                output: None,
                cause: Cause::Merged,
            },
            None => PacketEnd::Underway,
        }
    }
}

impl Way {
    fn entry(&mut self, number: u32) -> &mut Entry {
        let index = number as usize - 1;
        if index >= self.packets.len() {
            self.packets.resize(index + 1, Entry::UNKNOWN);
            if self.has_several_paths {
                self.passed.resize(self.packets.len(), Vec::new());
            } else {
                let departures = self.packets.len() * self.points.len();
                self.departures.resize(departures, Time::NEVER);
            }
        }
        &mut self.packets[index]
    }

    fn departs(&mut self, number: u32, place: usize, at: Time) {
        let index = number as usize - 1;
        if self.has_several_paths {
            self.passed[index].push((place, at));
        } else {
            self.departures[index * self.points.len() + place] = at;
        }
    }

    /// The points that a packet passed before its first drop, in order, each with its departure.
    fn passed(&self, index: usize, entry: &Entry) -> Vec<(usize, Time)> {
        if self.has_several_paths {
            let mut passed = self.passed[index].clone();
            passed.sort_unstable_by_key(|(_, at)| *at);
            return passed;
        }
        let places = self.points.len();
        let departures = &self.departures[index * places..][..places];
        let mut passed: Vec<(usize, Time)> = departures.iter().copied().enumerate().collect();
        if let Some(first) = entry.dropped {
            passed.truncate(first.place);
        }
        passed
    }

    fn drops(&mut self, place: usize, drop: &TimedDrop) {
        let entry = self.entry(drop.pdu);
        if entry.dropped.is_none_or(|first| drop.at < first.at) {
            entry.dropped = Some(FirstDrop {
                at: drop.at,
                place,
                cause: drop.cause,
            });
        }
    }
}

impl TraceRecorder {
    /// A trace of a network before the first packet.
    pub fn begin(plan: &Plan, network: &mut Network<AnyNode>) -> TraceRecorder {
        let points: Vec<Point> = points::outputs(plan)
            .map(|(node, output)| {
                let hop = plan.topology.outputs(node)[output];
                Point {
                    kind: plan.topology.nodes[node].kind,
                    rate: plan.links.rate(hop),
                    cells: plan.cells(),
                    delay: plan.link_spec(hop.link()).delay.0,
                    in_cells: plan.paths.sends_cells(&plan.topology, hop),
                    times: TransmissionTimes::new(plan, hop),
                    passages: [hop, hop.back()].map(|hop| passages(plan, hop)),
                }
            })
            .collect();
        let ways = plan.paths.flows.iter().map(|flow| {
            [(); 2].map(|()| Way {
                points: vec![0; flow.hops().count()],
                has_several_paths: flow.mesh.is_some(),
                ..Way::default()
            })
        });
        let mut ways: Vec<[Way; 2]> = ways.collect();
        for (number, point) in points.iter().enumerate() {
            for passage in &point.passages[0] {
                way(&mut ways, *passage).points[passage.place] = number;
            }
        }
        let octets = (0..plan.paths.flows.len()).map(|flow| {
            let source = &plan.flow_spec(flow).source;
            source
                .connections()
                .map_or(u64::MAX, |_| LONGEST_CONNECTION)
        });
        let flows = 0..plan.paths.flows.len();
        TraceRecorder {
            flows: flows.map(|flow| Name::of_flow(plan, flow)).collect(),
            octets: octets.collect(),
            outputs: points::outputs(plan)
                .map(|(node, output)| Place::of(plan, node, output))
                .collect(),
            points,
            ways,
            drops: listed_drops::Reader::begin(network, plan.spec.record.is_some()),
        }
    }

    /// Adds the notes of the tap at a point.
    pub fn add(&mut self, point: usize, passing: &[TappedPacket], journal: &Journal) {
        let point = &mut self.points[point];
        for (vc, contents) in &journal.handed {
            let way = way(&mut self.ways, point.passages[0][vc.index()]);
            way.entry(contents.pdu).send(contents);
        }
        for packet in passing {
            let passages = &point.passages[usize::from(packet.inward)];
            let passage = passages[packet.vc.index()];
            point.pass(packet, passage.place, way(&mut self.ways, passage));
        }
        for end in &journal.ends {
            let passage = point.passages[0][end.vc.index()];
            let departed = end.start + point.cells.time(point.rate);
            way(&mut self.ways, passage).departs(end.pdu, passage.place, departed);
        }
    }

    /// Adds the drops since the last call.
    pub fn take_drops(&mut self, network: &mut Network<AnyNode>) {
        let TraceRecorder {
            points,
            ways,
            drops,
            ..
        } = self;
        drops.take(network, |point, drop| {
            let passage = points[point].passages[0][drop.vc as usize];
            // An RM cell belongs to no packet.
            if drop.pdu > 0 {
                way(ways, passage).drops(passage.place, drop);
            }
        });
    }

    /// The rows of a run that has ended at `end`.
    pub fn end(self, network: &mut Network<AnyNode>, end: Time) -> PacketTable {
        self.drops.end(network);
        self.rows(end, Time::NEVER)
    }

    /// The rows of a run that pauses at `now`, with what has happened before.
    pub fn so_far(&self, now: Time) -> PacketTable {
        self.rows(now, now)
    }

    /// The rows at `now`, without packets sent and drops at `until` or later: the nodes decide about
    /// units that they commit ahead.
    fn rows(&self, now: Time, until: Time) -> PacketTable {
        let mut found: Vec<(PacketRow, usize)> = Vec::new();
        let mut hops = Vec::new();
        for (flow, ways) in self.ways.iter().enumerate() {
            let octets = self.octets[flow];
            for (way, back) in ways.iter().zip([false, true]) {
                let mut is_overtaken = false;
                let sent = |(_, entry): &(usize, &Entry)| entry.sent < until;
                for (index, entry) in way.packets.iter().enumerate().rev().filter(sent) {
                    let first = hops.len();
                    let entry = &entry.before(until);
                    let fate = entry.end(&way.points, is_overtaken);
                    let is_delivered = matches!(fate, PacketEnd::Delivered(_));
                    is_overtaken |= is_delivered && !way.has_several_paths;
                    self.add_hops(way, index, entry, now, &mut hops);
                    let row = PacketRow {
                        flow: flow as u32,
                        back,
                        number: index as u32 + 1,
                        octets: entry.octets,
                        data: entry.data,
                        cells: entry.cells,
                        sequence: entry.sequence & octets,
                        sent: entry.sent,
                        end: fate,
                        hops: (hops.len() - first) as u32,
                    };
                    found.push((row, first));
                }
            }
        }
        found.sort_unstable_by_key(|(row, _)| (row.sent, row.flow, row.back, row.number));
        let in_order = found.iter().flat_map(|(row, first)| {
            let range = *first..*first + row.hops as usize;
            hops[range].iter().copied()
        });
        PacketTable {
            flows: self.flows.clone(),
            outputs: self.outputs.clone(),
            hops: in_order.collect(),
            rows: found.iter().map(|(row, _)| *row).collect(),
        }
    }

    /// Adds the hops of a packet, up to its first drop.
    fn add_hops(
        &self,
        way: &Way,
        index: usize,
        entry: &Entry,
        end: Time,
        hops: &mut Vec<PacketHop>,
    ) {
        let mut arrived = entry.sent;
        for (place, departed) in way.passed(index, entry) {
            if departed > end {
                return;
            }
            let point = &self.points[way.points[place]];
            let transmission = match (point.in_cells, point.kind) {
                (true, NodeKind::Switch) => point.cells.time(point.rate),
                (true, _) => point.cells.time(point.rate) * u64::from(entry.cells),
                (false, _) => point.times.transmission(departed, entry.octets),
            };
            hops.push(PacketHop {
                output: way.points[place] as u32,
                arrived,
                departed,
                queued: departed.since(arrived + transmission),
            });
            arrived = departed + point.delay;
        }
    }
}

impl Point {
    /// Notes that a packet passes this point, which is the given hop of its path.
    fn pass(&mut self, packet: &TappedPacket, place: usize, way: &mut Way) {
        if packet.contents.is_returned() {
            // The output that sent it back lists it among its drops.
            return;
        }
        let number = packet.contents.pdu;
        let entry = way.entry(number);
        entry.cells = entry.cells.max(packet.contents.cells);
        match packet.fate {
            Fate::Whole if packet.inward => entry.delivered = packet.at,
            // The host's journal notes the last cell of a packet, the tap its first.
            Fate::Whole if self.in_cells && self.kind == NodeKind::Host => {}
            Fate::Whole if self.in_cells => way.departs(number, place, packet.at),
            Fate::Whole => way.departs(number, place, self.times.departure(packet)),
            // The output that trimmed a packet lists it among its drops.
            Fate::Lost { .. } | Fate::Trimmed { .. } => {}
            Fate::Damaged { .. } => {
                entry.is_damaged = true;
                // The PDU is whole again if a link loses the cells of others that it was merged with.
                if self.in_cells && !packet.inward {
                    way.departs(number, place, packet.at);
                }
            }
        }
    }
}

fn way(ways: &mut [[Way; 2]], passage: Passage) -> &mut Way {
    &mut ways[passage.flow][usize::from(passage.back)]
}
