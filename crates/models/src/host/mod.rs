//! Hosts: the nodes at which flows begin and end.
//!
//! A host hands each packet that arrives on any of its links to its end of a flow, and sends the
//! segments that the ends transmit over the links of their routes: RFC 1122, section 3.3.4. Our own
//! restriction: hosts do not forward, since studies of networks have them only at the ends of paths.

mod arrival;
mod backlog;
mod delay;
mod end;
mod exchange;
pub mod nic;
mod nics;
mod order;
mod pulls;
mod receiving;
mod sending;
pub mod waiting;
mod watched;

use kernel::{Node, Time};
use parameters::parameters;

use crate::agenda::Agenda;
use crate::group::NodeGroup;
use crate::link::tap::TappedPacket;
use crate::metrics::{FlowReading, Halves};
use crate::paths::PathsSpec;
use crate::wire::cell::{Payload, Train};
use crate::wire::contents::{Cargo, Contents};
use crate::wire::unit::{Outlet, Unit};
use crate::wire::vc::Vc;
use arrival::Arrival;
pub use end::End;
use end::PackedEnd;
pub use nics::{Nics, Via};
pub use order::ArrivalOrder;
use pulls::PullQueue;
pub use receiving::{Delivered, ReceivingEnd};
pub use sending::{SenderSeries, SendingEnd};

parameters! {
    /// A host, or a group of equal hosts.
    pub struct HostSpec {
        /// Size of the group; members are called `name[0]`, `name[1]` and so on. If not given, one
        /// host called `name`.
        #[as_in(NodeGroup)]
        pub count: Option<u32>,
        /// Choice among the links of the host that begin equal paths; without it, the link that is
        /// written first.
        pub paths: Option<PathsSpec>,
    }
}

/// A host: the ends of flows, and the network interfaces that they share.
pub struct Host {
    /// Network interfaces of the host.
    pub nics: Nics,
    /// True if any interface acts by itself: it has paced VCs, or a link with a gate or retry.
    paces: bool,
    /// Sending ends of the flows that begin at this host.
    pub senders: Box<[SendingEnd]>,
    /// Receiving ends of the flows that end at this host.
    pub receivers: Box<[ReceivingEnd]>,
    /// The end of a flow for each incoming virtual channel, link by link.
    ends: Box<[PackedEnd]>,
    /// Next timer of every end of a flow: senders first, then receivers, then the pulls.
    agenda: Agenda,
    /// The pulls of the receiving ends; none unless any pulls.
    pulls: Option<Box<PullQueue>>,
    /// True if an arrival at a receiving end concerns others too: senders await it, or pulls follow.
    has_followers: bool,
    /// Counts of arrivals.
    pub arrived: Arrived,
    /// For each receiving end, the sending ends that await it, if any of this host does.
    // Boxed: few hosts have any, and the others stay small.
    #[allow(clippy::box_collection)]
    awaiting: Option<Box<Vec<Vec<Awaiting>>>>,
}

/// A sending end that awaits the data of a receiving end.
#[derive(Clone, Copy, Debug)]
struct Awaiting {
    /// Index of the sending end.
    sender: u32,
    /// Number of the receiving end among those that it awaits.
    place: u32,
}

/// Arrivals at a host since the start, for the conservation laws.
#[derive(Clone, Copy, Debug, Default)]
pub struct Arrived {
    /// Number of cells.
    pub cells: u64,
    /// Number of packets and PDUs, damaged PDUs included.
    pub packets: u64,
}

impl Host {
    /// A host; incoming virtual channels lead to `ends`, link by link.
    pub fn new(
        nics: Nics,
        mut senders: Vec<SendingEnd>,
        receivers: Vec<ReceivingEnd>,
        ends: Vec<End>,
    ) -> Host {
        if let [sender] = &mut senders[..]
            && receivers.is_empty()
            && nics.keeps_times(sender.via)
        {
            sender.set_sole_sender();
        }
        let times = senders.iter().map(SendingEnd::next_wake);
        let agenda = Agenda::new(times.chain(receivers.iter().map(ReceivingEnd::next_wake)));
        Host {
            paces: nics.act(),
            nics,
            senders: senders.into(),
            receivers: receivers.into(),
            ends: ends.into_iter().map(PackedEnd::from).collect(),
            agenda,
            pulls: None,
            has_followers: false,
            arrived: Arrived::default(),
            awaiting: None,
        }
    }

    /// Lets each sending end await flows that end here, given by their numbers.
    pub fn await_flows(&mut self, awaited: Vec<Vec<usize>>) {
        if awaited.iter().all(Vec::is_empty) {
            return;
        }
        let mut awaiting = vec![Vec::new(); self.receivers.len()];
        for (sender, flows) in (0u32..).zip(awaited) {
            for (place, flow) in (0u32..).zip(flows) {
                let mut receivers = self.receivers.iter();
                let receiver = receivers.position(|one| one.flow as usize == flow);
                let receiver = receiver.expect("an awaited flow ends here");
                awaiting[receiver].push(Awaiting { sender, place });
            }
        }
        self.awaiting = Some(Box::new(awaiting));
        self.has_followers = true;
    }

    /// After an arrival at a receiving end, tells the sending ends that await it of the `octets` that
    /// it has delivered, and queues its pulls.
    #[cold]
    fn follow(&mut self, now: Time, receiver: usize, octets: u64, out: &mut Outlet<'_>) {
        let awaiting = self.awaiting.as_ref().map(|awaiting| &awaiting[receiver]);
        for Awaiting { sender, place } in awaiting.into_iter().flatten() {
            let index = *sender as usize;
            let sender = &mut self.senders[index];
            sender.on_delivered(now, *place as usize, octets);
            self.agenda.arm(index, sender.next_wake());
        }
        self.queue_pulls(now, receiver, out);
    }

    /// Time of the next unit that leaves at a time of its own.
    #[inline]
    fn next_paced(&self) -> Time {
        if self.paces {
            self.nics.next_wake()
        } else {
            Time::NEVER
        }
    }

    /// Calls the ends of flows whose next event is at `now`.
    fn wake_ends(&mut self, now: Time, out: &mut Outlet<'_>) {
        while let Some(owner) = self.agenda.pop(now) {
            let next = match owner.checked_sub(self.senders.len()) {
                None => {
                    let sender = &mut self.senders[owner];
                    sender.wake(now, &mut self.nics, out);
                    sender.next_wake()
                }
                Some(index) if index == self.receivers.len() => self.pull_next(now, out),
                Some(index) => {
                    let receiver = &mut self.receivers[index];
                    receiver.wake(now, &mut self.nics, out);
                    receiver.next_wake()
                }
            };
            self.agenda.arm(owner, next);
        }
    }

    /// Counts the octets of a control cell that arrives on `vc` of a link.
    fn arrived_on(&mut self, link: usize, vc: Vc, wire: u64) {
        match self.ends[self.nics.place(link, vc)].end() {
            End::Sender(index) => self.senders[index as usize].meter().answered += wire,
            End::Receiver(index) => self.receivers[index as usize].meter.control += wire,
        }
    }

    /// Takes an RM cell or a credit.
    #[inline(never)]
    fn take_control(&mut self, now: Time, link: usize, cell: &Train, out: &mut Outlet<'_>) {
        let nic = self.nics.link_mut(link);
        match cell.payload {
            Payload::Credit { forwarded } => nic.on_credit(now, cell.vc, forwarded),
            Payload::Rm { id, .. } => {
                let rm = out.cargo.take_rm(id);
                let octets = nic.cells.octets();
                nic.receive_rm(now, cell.vc, rm, cell.efci, out);
                self.arrived_on(link, cell.vc, octets);
            }
            Payload::Data(_) | Payload::Check { .. } => {
                unreachable!("hosts send check cells and receive none")
            }
        }
    }

    /// Counts the cells of a PDU that has not ended in time, and is discarded.
    #[cold]
    fn time_out(&mut self, link: usize, train: &Train) {
        let wire = u64::from(train.cells) * self.nics.link(link).cells.octets();
        match self.ends[self.nics.place(link, train.vc)].end() {
            End::Sender(index) => self.senders[index as usize].meter().answered += wire,
            End::Receiver(index) => self.receivers[index as usize].meter.damaged(wire),
        }
    }

    /// Takes a unit of a link with pauses, credits for packets or retry.
    #[cold]
    fn take_from_link(&mut self, now: Time, link: usize, unit: Unit, out: &mut Outlet<'_>) {
        let packet = self.nics.link_mut(link).take_from_link(now, unit, out);
        if let Some(packet) = packet {
            self.receive(now, link, Unit::Packet(packet), out);
        }
    }

    /// Removes a packet from the network, and hands it to its end of a flow, unless it is damaged.
    // Inlined, so that nothing is computed for whole packets that only packets in cells need.
    #[allow(clippy::inline_always)]
    #[inline(always)]
    fn take(&mut self, now: Time, link: usize, arrival: Arrival, out: &mut Outlet<'_>) {
        let Arrival {
            vc, wire, marked, ..
        } = arrival;
        self.arrived.packets += 1;
        let contents = out.cargo.take(arrival.contents);
        let intact = arrival.cells.is_none_or(|cells| cells == contents.cells);
        if self.nics.link(link).transmitter.tap().is_some() {
            self.note(now, link, arrival, contents, intact);
        }
        match self.ends[self.nics.place(link, vc)].end() {
            End::Receiver(index) => {
                let index = index as usize;
                let receiver = &mut self.receivers[index];
                if intact {
                    let new = if arrival.trimmed {
                        receiver.receive_trimmed(now, &contents, wire, &mut self.nics, out);
                        0
                    } else {
                        receiver.receive(now, &contents, wire, marked, &mut self.nics, out)
                    };
                    let next = receiver.next_wake();
                    self.agenda.arm(self.senders.len() + index, next);
                    if self.has_followers {
                        self.follow(now, index, new, out);
                    }
                } else {
                    receiver.meter.damaged(wire);
                }
            }
            End::Sender(index) => {
                let index = index as usize;
                let sender = &mut self.senders[index];
                let meter = sender.meter();
                meter.answered += wire;
                meter.answered_cells += u64::from(contents.cells);
                if intact && !arrival.trimmed {
                    sender.receive(now, &contents.segment, &mut self.nics, out);
                    self.agenda.arm(index, sender.next_wake());
                } else if contents.is_returned() {
                    sender.take_back(now, &contents.segment, &mut self.nics, out);
                    self.agenda.arm(index, sender.next_wake());
                }
            }
        }
    }

    /// Records an arriving packet for a capture, if there is one.
    #[cold]
    fn note(&mut self, at: Time, link: usize, arrival: Arrival, contents: Contents, intact: bool) {
        if let Some(tap) = self.nics.link_mut(link).transmitter.tap_mut() {
            tap.note(TappedPacket {
                at,
                until: at,
                inward: true,
                vc: arrival.vc,
                contents,
                marked: arrival.marked,
                fate: arrival.fate(intact),
            });
        }
    }

    /// Number of heap operations of the agenda so far, for benchmarks.
    pub fn heap_operations(&self) -> u64 {
        self.agenda.operations()
    }

    /// Adds the counts of this host until `now` to the readings of its flows; `flows` has a reading
    /// for each flow of the network.
    pub fn read(&mut self, now: Time, flows: &mut [FlowReading]) {
        for sender in &mut self.senders {
            sender.read(now, &mut self.nics, &mut flows[sender.flow as usize]);
        }
        for receiver in &self.receivers {
            let flow = &mut flows[receiver.flow as usize];
            flow.receiver = receiver.meter;
            flow.reordering = receiver.reordering();
        }
    }

    /// Restarts the counts at the beginning of the measured time.
    pub fn begin_counting(&mut self, measured: Halves) {
        for sender in &mut self.senders {
            sender.begin_counting(measured);
        }
        self.nics.begin_counting(measured.from);
        for receiver in &mut self.receivers {
            receiver.begin_counting();
        }
    }
}

impl Node for Host {
    type Unit = Unit;
    type Cargo = Cargo;

    #[inline]
    fn next_wake(&self) -> Time {
        self.agenda.next().min(self.next_paced())
    }

    /// At one instant the timers of flows come before paced cells, and before the acts of links on which
    /// packets wait.
    fn advance(&mut self, out: &mut Outlet<'_>) {
        loop {
            let (agenda, paced) = (self.agenda.next(), self.next_paced());
            if agenda.min(paced) > out.horizon() {
                return;
            }
            if agenda <= paced {
                self.wake_ends(agenda, out);
            } else {
                self.nics.send_paced(out);
            }
        }
    }

    fn wake(&mut self, _now: Time, out: &mut Outlet<'_>) {
        self.advance(out);
    }

    fn receive(&mut self, now: Time, input: usize, unit: Unit, out: &mut Outlet<'_>) {
        let train = match unit {
            Unit::Packet(packet) => return self.take(now, input, Arrival::from(&packet), out),
            Unit::Cells(train) => train,
            other => return self.take_from_link(now, input, other, out),
        };
        self.arrived.cells += u64::from(train.cells);
        let Payload::Data(data) = &train.payload else {
            return self.take_control(now, input, &train, out);
        };
        if !data.eom {
            return self.time_out(input, &train);
        }
        let format = self.nics.link(input).cells;
        self.take(now, input, Arrival::gathered(&train, data, format), out);
    }
}
