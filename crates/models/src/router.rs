//! Routers: store and forward of whole packets (RFC 1812, section 5).
//!
//! A router has the outputs of a switch, over packets, and no fabric: a packet reaches its output
//! when its last bit arrives. A router whose links may be paused, or have credits for packets, counts
//! what its [`inputs`] hold.

pub mod account;
pub mod inputs;
mod storing;

use kernel::{Node, Time};
use parameters::parameters;

use account::InputAccount;
use inputs::InputAccounts;

use crate::link::control;
use crate::link::transmitter::Brought;
use crate::metrics::Cause;
use crate::output::buffer::BufferSpec;
use crate::output::discard::DiscardSpec;
use crate::output::mark::MarkSpec;
use crate::output::memory::{Memory, MemorySpec};
use crate::output::scheduler::SchedulerSpec;
use crate::output::service_times::ServiceTimes;
use crate::output::{Output, OutputSpec};
use crate::paths::{Forks, ForwardingSpec, NoRoute, PathsSpec};
use storing::PacketOffer;

use crate::ties::{Chance, TieRule, TiedArrivals};
use crate::wire::contents::Cargo;
use crate::wire::format::CellFormat;
use crate::wire::unit::{Outlet, PacketUnit, Unit};
use crate::wire::vc::{Route, Vc};

parameters! {
    /// A store-and-forward router.
    pub struct RouterSpec {
        /// Layout of the buffer memory, counted in octets.
        #[alias("queue")]
        pub buffer: BufferSpec,
        #[as_in(OutputSpec)]
        pub discard: DiscardSpec,
        #[as_in(OutputSpec)]
        pub scheduler: SchedulerSpec,
        #[as_in(OutputSpec)]
        pub memory: Option<MemorySpec>,
        /// Rule by which outputs mark packets; if not given, none are marked.
        pub mark: Option<MarkSpec>,
        #[as_in(ForwardingSpec)]
        pub paths: PathsSpec,
        /// Order of events at the same instant.
        pub ties: TieRule = "in_order",
    }
}

impl RouterSpec {
    /// The memory of the router in a network with cells of this format.
    pub fn memory(&self, cells: CellFormat) -> Memory {
        Memory::new(self.memory.as_ref(), cells)
    }
}

/// An output through which whole packets leave.
pub type PacketOutput = Output<PacketUnit>;

/// A router: an output for each link, and the routes of packets.
pub struct Router {
    /// Outputs by number.
    pub ports: Vec<PacketOutput>,
    /// True if the outputs share one buffer.
    shared: bool,
    /// True if the outputs start packets by themselves; false if they commit packets when they
    /// accept them.
    acts: bool,
    /// True if the link of an output has link-level retry.
    retries: bool,
    /// Time at which each output next starts a packet by itself.
    services: ServiceTimes,
    /// The earliest of the times in `services`.
    service: Time,
    /// Route of each flow label, by input and label.
    routes: Box<[Box<[Route]>]>,
    /// Packets that have just arrived; none unless ties are random.
    tied: Option<Box<TiedArrivals>>,
    /// Next links of the flows that have several paths; none if all have one.
    forks: Option<Box<Forks>>,
    /// The part that an offer concerns.
    reach: Reach,
    /// The accounts of the inputs; none unless the router may pause a link or gives credits.
    inputs: Option<Box<InputAccounts>>,
    /// Packets that an offer has pushed out; empty between events, so that it is not allocated anew.
    pushed_out: Vec<PacketUnit>,
}

/// The part of a router that the offer of a packet concerns.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reach {
    /// Its output alone.
    Output,
    /// The router, which counts what its inputs hold, or returns packets to their senders.
    Router,
}

impl Router {
    /// A router with `routes[input][label]`; `shared` is true if the outputs share one buffer.
    pub fn new(ports: Vec<PacketOutput>, shared: bool, routes: Vec<Vec<Route>>) -> Router {
        let acts = ports.iter().any(PacketOutput::acts);
        let retries = ports.iter().any(|port| port.transmitter.retry().is_some());
        let acting = if acts { ports.len() } else { 0 };
        let returns = ports.iter().any(PacketOutput::returns);
        Router {
            ports,
            shared,
            acts,
            retries,
            services: ServiceTimes::new(acting),
            service: Time::NEVER,
            routes: routes.into_iter().map(Vec::into_boxed_slice).collect(),
            tied: None,
            forks: None,
            reach: if returns {
                Reach::Router
            } else {
                Reach::Output
            },
            inputs: None,
            pushed_out: Vec::new(),
        }
    }

    /// Declares the next links of the flows that have several paths.
    pub fn fork(&mut self, forks: Forks) {
        self.forks = Some(Box::new(forks));
    }

    /// Octets that were forwarded to an output on a VC since counting began; none if all flows have
    /// one path.
    pub fn forwarded(&self, output: usize, vc: Vc) -> Option<u64> {
        let forks = self.forks.as_ref()?;
        Some(forks.forwarded(output, vc))
    }

    /// Restarts the counts at `now`, except those of the ports.
    pub fn begin_counting(&mut self, now: Time) {
        self.forks
            .iter_mut()
            .for_each(|forks| forks.begin_counting());
        self.begin_counting_inputs(now);
    }

    /// Declares that ties are random from the start on.
    pub fn leave_ties_to(&mut self, chance: Chance) {
        self.tied = Some(Box::new(TiedArrivals::new(chance)));
    }

    /// Records when an output next starts a packet by itself, after an event at `now`.
    #[inline(never)]
    fn reschedule(&mut self, now: Time, output: usize) {
        let service = if self.retries {
            self.ports[output].next_action(now)
        } else {
            self.ports[output].next_service()
        };
        let service = if self.inputs.is_some() {
            service.min(self.next_control(now, output))
        } else {
            service
        };
        self.services.set(output, service);
        self.service = self.services.next();
    }

    /// Octets that wait at the outputs other than `output`.
    #[inline(never)]
    fn elsewhere(&mut self, now: Time, output: usize) -> u64 {
        let ports = self.ports.iter_mut().enumerate();
        let others = ports.filter(|(other, _)| *other != output);
        others.map(|(_, port)| port.waiting(now)).sum()
    }
}

impl Node for Router {
    type Unit = Unit;
    type Cargo = Cargo;

    #[inline]
    fn next_wake(&self) -> Time {
        match &self.tied {
            None => self.service,
            Some(tied) => self.service.min(tied.due()),
        }
    }

    fn wake(&mut self, now: Time, out: &mut Outlet<'_>) {
        if self.tied.as_ref().is_some_and(|tied| tied.due() == now) {
            return self.wake_to_tie(now, out);
        }
        self.serve(now, out);
    }

    fn receive(&mut self, now: Time, input: usize, unit: Unit, out: &mut Outlet<'_>) {
        match &mut self.tied {
            None => self.take(now, now, input, unit, out),
            Some(tied) => tied.push(now, input, unit),
        }
    }
}

impl Router {
    /// Starts the packets that are due, and does what else is due at the outputs.
    fn serve(&mut self, now: Time, out: &mut Outlet<'_>) {
        while let Some(output) = self.services.due(now) {
            if self.inputs.is_some() {
                self.act(now, output, out);
            } else if self.retries {
                self.ports[output].serve_retrying(now, out);
            } else {
                self.ports[output].serve(now, out);
            }
            self.reschedule(now, output);
        }
    }

    /// Starts the packets that are due and takes the packets that have arrived, in random order.
    #[inline(never)]
    fn wake_to_tie(&mut self, now: Time, out: &mut Outlet<'_>) {
        let Some(tied) = &mut self.tied else {
            return;
        };
        let arrivals_first = tied.chance.arrivals_first(now);
        let units = tied.take();
        let mut queue_at = now;
        if arrivals_first {
            // A packet that starts at this instant has not left the buffer yet.
            queue_at = now.just_before();
        } else {
            self.serve(now, out);
        }
        for (_, input, unit) in &units {
            self.take(now, queue_at, *input, *unit, out);
        }
        if arrivals_first {
            self.serve(now, out);
        }
        if let Some(tied) = &mut self.tied {
            tied.reuse(units);
        }
    }

    /// Packets waiting for a random tie, without the frames of links with retry.
    pub fn tied(&self) -> u64 {
        self.tied.as_ref().map_or(0, |tied| tied.packets())
    }

    /// Control frames of links waiting for a random tie.
    pub fn tied_control(&self) -> u64 {
        self.tied.as_ref().map_or(0, |tied| tied.control_frames())
    }

    /// Forwards a packet that arrives at `now`. The discard policy sees the buffers as they were at
    /// `queue_at`: just before `now` if a random tie puts the arrival before the departures of `now`.
    // Inlined: both callers run for every packet.
    #[allow(clippy::inline_always)]
    #[inline(always)]
    fn take(&mut self, now: Time, queue_at: Time, input: usize, unit: Unit, out: &mut Outlet<'_>) {
        let Unit::Packet(packet) = unit else {
            return self.take_from_link(now, queue_at, input, unit, out);
        };
        let mut route = self.routes[input][packet.vc.index()];
        if route.output as usize >= self.ports.len() {
            let Some(chosen) = self.choose(now, route.vc, &packet, out) else {
                return;
            };
            route = chosen;
        }
        let output = route.output as usize;
        let mut leaving = packet;
        leaving.vc = route.vc;
        let transmitter = &mut self.ports[output].transmitter;
        if transmitter.loses_offered_packet(now, &leaving, out) {
            return;
        }
        let elsewhere = if self.shared {
            self.elsewhere(queue_at, output)
        } else {
            0
        };
        if self.acts {
            let offer = PacketOffer {
                now,
                queue_at,
                input,
                output,
                elsewhere,
            };
            return self.offer(&offer, &leaving, out);
        }
        self.ports[output].offer_fifo(now, queue_at, &mut leaving, elsewhere, out);
    }

    /// Takes a unit of a link: forwards the packet that it brings, or takes its message.
    #[cold]
    #[inline(never)]
    fn take_from_link(
        &mut self,
        now: Time,
        queue_at: Time,
        input: usize,
        unit: Unit,
        out: &mut Outlet<'_>,
    ) {
        // A node's input and its output on one link have the same number.
        let brought = self.ports[input].transmitter.take(now, unit, out);
        self.reschedule(now, input);
        match brought {
            Some(Brought::Packet(packet)) => {
                self.take_credited(now, queue_at, input, packet, out);
            }
            Some(Brought::Message(message)) => {
                let inputs = self.inputs.as_mut();
                let account = inputs.map(|inputs| inputs.account_mut(input));
                let freed = account.and_then(InputAccount::receiver_mut);
                if control::take(now, message, &mut self.ports[input], freed) {
                    self.tell(now, input, out);
                } else {
                    self.reschedule(now, input);
                }
            }
            None => {}
        }
    }

    /// Forwards a packet that needed credits, or that a link with retry has delivered.
    fn take_credited(
        &mut self,
        now: Time,
        queue_at: Time,
        input: usize,
        packet: PacketUnit,
        out: &mut Outlet<'_>,
    ) {
        self.arrive(input, &packet);
        self.take(now, queue_at, input, Unit::Packet(packet), out);
        self.free_unstored(now, input, out);
    }

    /// Sends a packet back that an output did not take: it goes on as if it had come from the far end of
    /// the link of that output, which is how the answers to it would come.
    #[cold]
    #[inline(never)]
    fn send_back(&mut self, at: &PacketOffer, packet: PacketUnit, out: &mut Outlet<'_>) {
        self.take(at.now, at.queue_at, at.output, Unit::Packet(packet), out);
    }

    /// The route of a packet that has a group of next links; drops the packet if there is none.
    #[cold]
    #[inline(never)]
    fn choose(
        &mut self,
        now: Time,
        group: Vc,
        packet: &PacketUnit,
        out: &mut Outlet<'_>,
    ) -> Option<Route> {
        let forks = self.forks.as_mut();
        let forks = forks.expect("a node with a group of next links has forks");
        match forks.route(now, group, out.cargo.get(packet.contents)) {
            Ok(route) => Some(route),
            Err(NoRoute { usual }) => {
                let vc = usual.vc;
                let port = &mut self.ports[usual.output as usize];
                let cause = Cause::NoRoute;
                port.refuse(now, &PacketUnit { vc, ..*packet }, cause, out);
                None
            }
        }
    }
}
