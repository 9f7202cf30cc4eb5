//! One run: a network driven from start to end, with a check of the conservation laws at the end.
//! The check is ours: a fault in the counts then stops a run, and never becomes a result.

use std::io;

use kernel::{Duration, Network, OnDemand, Seed, Time};
use models::loss::LossyEnd;
use models::metrics::Drops;
use models::node::AnyNode;
use models::output::Port;
use models::unit::Unit;

use crate::capture::taps::{Deliver, Taps};
use crate::capture::{Append, CaptureOptions};
use crate::lower::Plan;
use crate::report::{Measurements, Report, events};

/// Node visits between two progress checks (a few ms).
const VISITS: u64 = 10_000;

/// Progress of a run.
pub struct Underway<'a> {
    /// Share of the simulated time that is done.
    pub fraction: f64,
    network: &'a Network<AnyNode>,
}

impl Underway<'_> {
    /// Number of cells and packets that have entered links so far; the call visits every port.
    pub fn events(&self) -> u64 {
        let events = events::counted(self.network, 0);
        events.cell_hops + events.packet_hops
    }
}

/// A run in progress.
pub struct Simulation<'a> {
    plan: &'a Plan,
    network: Network<AnyNode>,
    runner: OnDemand,
    end: Time,
    /// Captures and a trace, if there are any.
    taps: Taps<'a>,
    seed: Seed,
    /// Time of the next pause.
    pause: Time,
}

/// The state of a run at a progress check or a pause.
pub struct RunState<'a> {
    /// Plan of the run.
    pub plan: &'a Plan,
    /// The network.
    pub network: &'a mut Network<AnyNode>,
    /// Time before which every event has happened.
    pub now: Time,
    /// True at a pause: nothing later than `now` has happened. False at a progress check: some
    /// nodes are ahead.
    pub paused: bool,
}

/// Reasons why a run did not reach its end.
#[derive(Debug)]
pub enum Stopped {
    /// The run was cancelled on request.
    Cancelled,
    /// Captured packets could not be written.
    Unwritable(io::Error),
}

impl From<io::Error> for Stopped {
    fn from(error: io::Error) -> Stopped {
        Stopped::Unwritable(error)
    }
}

impl<'a> Simulation<'a> {
    /// A run that has not begun, and that records what the scenario asks for.
    pub fn new(plan: &'a Plan, seed: Seed) -> Simulation<'a> {
        let mut simulation = Simulation::without_series(plan, seed);
        if let Some(record) = &plan.spec.record {
            record_all(&mut simulation.network, record.every);
        }
        simulation
    }

    /// A run that has not begun, and that records nothing over time.
    pub fn without_series(plan: &'a Plan, seed: Seed) -> Simulation<'a> {
        Simulation {
            plan,
            network: plan.network(seed),
            runner: OnDemand::default(),
            end: Time::ZERO + plan.spec.duration,
            taps: Taps::default(),
            seed,
            pause: Time::ZERO,
        }
    }

    /// Plan of the run.
    pub fn plan(&self) -> &'a Plan {
        self.plan
    }

    /// Gives access to the network, before the run begins.
    pub fn look(&mut self, prepare: impl FnOnce(&mut Network<AnyNode>)) {
        prepare(&mut self.network);
    }

    /// Captures the packets at every host and every output; `append` receives the successive octets
    /// of each file.
    pub fn capture(&mut self, options: &CaptureOptions, append: Append<'a>) {
        let network = &mut self.network;
        self.taps
            .capture(self.plan, self.seed, options, network, append);
    }

    /// Traces every packet; `deliver` receives the packets at the end of the run.
    pub fn trace(&mut self, deliver: Deliver<'a>) {
        self.taps.trace(self.plan, &mut self.network, deliver);
    }

    /// Runs to the end and reports.
    ///
    /// `attend` is called many times a second with the progress, and returns true if the run shall
    /// continue.
    ///
    /// # Errors
    /// If `attend` returned false, or captured packets could not be written.
    ///
    /// # Panics
    /// If a model breaks a conservation law.
    pub fn run(self, mut attend: impl FnMut(&Underway<'_>) -> bool) -> Result<Report, Stopped> {
        let end = self.end;
        self.watch(|state| {
            let underway = Underway {
                fraction: state.now.seconds() / end.seconds(),
                network: state.network,
            };
            attend(&underway).then_some(end)
        })
    }

    /// Runs to the end and reports, with pauses; `attend` sees the whole run, and returns the time
    /// of the next pause, or none to cancel.
    ///
    /// Pauses and observers change no result.
    ///
    /// # Errors
    /// As [`Simulation::run`].
    ///
    /// # Panics
    /// As [`Simulation::run`].
    pub fn watch(
        mut self,
        mut attend: impl FnMut(&mut RunState<'_>) -> Option<Time>,
    ) -> Result<Report, Stopped> {
        let mut start = Time::ZERO + self.plan.spec.warm_up;
        self.run_to(start, &mut attend)?;
        let mut measured = Vec::new();
        for end in self.plan.spec.batch_ends() {
            begin_counting(&mut self.network, start);
            self.run_to(end, &mut attend)?;
            measured.push(Measurements::read(self.plan, &mut self.network, start, end));
            start = end;
        }
        assert_conservation(&self.network);
        std::mem::take(&mut self.taps).end(&mut self.network, self.end)?;
        Ok(Report::of(
            measured,
            self.plan,
            &mut self.network,
            self.runner.visits,
        ))
    }

    fn run_to(
        &mut self,
        until: Time,
        attend: &mut impl FnMut(&mut RunState<'_>) -> Option<Time>,
    ) -> Result<(), Stopped> {
        let mut now = Time::ZERO;
        while now < until {
            let target = until.min(self.pause);
            now = self.runner.run_some(&mut self.network, target, VISITS);
            self.taps.take(&mut self.network, now)?;
            let mut state = RunState {
                plan: self.plan,
                network: &mut self.network,
                now,
                paused: now == self.pause,
            };
            self.pause = attend(&mut state).ok_or(Stopped::Cancelled)?.min(self.end);
        }
        Ok(())
    }
}

fn record_all(network: &mut Network<AnyNode>, every: Duration) {
    for node in &mut network.nodes {
        node.ports_mut()
            .into_iter()
            .for_each(|port| port.record(every));
        let losses = node.losses_mut().into_iter().flatten();
        losses.for_each(|end| end.meter.drops = Some(Drops::default()));
        if let AnyNode::Host(host) = node {
            host.senders
                .iter_mut()
                .for_each(|sender| sender.record(every));
            host.receivers
                .iter_mut()
                .for_each(|receiver| receiver.record(every));
            if let Some(paced) = &mut host.nic.paced {
                let senders = host.senders.iter();
                senders.for_each(|sender| paced.record(sender.vc, every));
                paced.record_credit(every);
            }
        }
    }
}

/// Restarts all counts at `now`, after the warm-up or a batch.
fn begin_counting(network: &mut Network<AnyNode>, now: Time) {
    for node in &mut network.nodes {
        node.ports_mut()
            .into_iter()
            .for_each(|port| port.begin_counting(now));
        let losses = node.losses_mut().into_iter().flatten();
        losses.for_each(LossyEnd::begin_counting);
        match node {
            AnyNode::Host(host) => host.begin_counting(now),
            AnyNode::Edge(edge) => edge.begin_counting(now),
            AnyNode::Switch(switch) => switch.begin_counting(),
            AnyNode::Router(_) => {}
        }
    }
}

/// Asserts that cells and packets are conserved: each unit sent has arrived, was dropped by an
/// output or a policer, was lost on a link, or is still in the network. The whole run is checked,
/// warm-up included, and so is each output by itself.
fn assert_conservation(network: &Network<AnyNode>) {
    let (mut sent, mut gone) = (Count::default(), Count::default());
    for node in &network.nodes {
        for port in node.ports() {
            port.assert_conservation();
            gone.add_dropped(port);
        }
        for end in node.losses().into_iter().flatten() {
            let lost = end.meter.lost_ever();
            gone.cells += lost.units;
            gone.packets += lost.packets;
            gone.rm_cells += end.meter.rm_lost_ever();
        }
        count(node, &mut sent, &mut gone);
    }
    for link in network.links() {
        gone.cells += link.units().map(Unit::cells).sum::<u64>();
        // The host has recalled these cells, and the amendment has not reached the switch yet.
        sent.cells += link.units().map(Unit::recalled).sum::<u64>();
    }
    gone.packets += network.cargo.live();
    gone.rm_cells += network.cargo.live_rm();
    assert_eq!(
        sent, gone,
        "what was sent = what arrived, was dropped, was lost or is on its way"
    );
}

/// Adds the units that a node sent, and the units that arrived or wait there.
fn count(node: &AnyNode, sent: &mut Count, gone: &mut Count) {
    match node {
        AnyNode::Host(host) => {
            sent.cells += host.nic.cells_sent;
            sent.packets += host.nic.packets_sent;
            gone.cells += host.arrived.cells + host.nic.transmitter.pending();
            gone.packets += host.arrived.packets;
            if let Some(paced) = &host.nic.paced {
                sent.rm_cells += paced.rm_sent;
                gone.rm_cells += paced.rm_arrived;
            }
        }
        AnyNode::Switch(switch) => {
            gone.cells += switch.held();
            for policer in switch.policers() {
                let dropped = policer.meter.dropped_ever();
                gone.cells += dropped.units;
                gone.packets += dropped.packets;
            }
            if let Some(credits) = &switch.outputs.credits {
                sent.cells += credits.made;
                gone.cells += credits.arrived;
            }
        }
        AnyNode::Router(_) => {}
        AnyNode::Edge(edge) => {
            for (_, port) in edge.cell_ports() {
                // An edge drops packets before they are segmented.
                sent.cells += port.cells_sent + port.meter().dropped_ever().units;
                sent.rm_cells += port.rm_sent;
                gone.cells += port.transmitter.pending();
            }
            gone.cells += edge.arrived.cells;
            gone.rm_cells += edge.arrived.rm_cells;
            gone.packets += edge.arrived.damaged;
        }
    }
}

/// The conserved quantities.
#[derive(Debug, Default, PartialEq)]
struct Count {
    cells: u64,
    packets: u64,
    rm_cells: u64,
}

impl Count {
    fn add_dropped(&mut self, port: &dyn Port) {
        let dropped = port.meter().dropped_ever();
        if port.capacity().is_cells() {
            self.cells += dropped.units;
        }
        self.packets += dropped.packets;
        self.rm_cells += port.meter().rm_dropped_ever();
    }
}
