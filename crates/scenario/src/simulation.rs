//! One run: a network driven from start to end, with the laws of conservation checked on the way out.

use std::io;

use kernel::{Duration, Network, OnDemand, Seed, Time};
use models::loss::LossyEnd;
use models::metrics::Drops;
use models::node::Node;
use models::output::Port;
use models::unit::Unit;

use crate::capture::{Append, CaptureOptions, Captures};
use crate::lower::Plan;
use crate::report::{Measured, Report, events};

/// How often nodes are let run before a run looks up: some hundredths of a second.
const VISITS: u64 = 50_000;

/// How far a run has come.
pub struct Underway<'a> {
    /// Share of simulated time that is done.
    pub fraction: f64,
    network: &'a Network<Node>,
}

impl Underway<'_> {
    /// Cells and packets that have entered links so far; every port is asked.
    pub fn events(&self) -> u64 {
        let events = events::counted(self.network, 0);
        events.cell_hops + events.packet_hops
    }
}

/// A run in progress.
pub struct Simulation<'a> {
    plan: &'a Plan,
    network: Network<Node>,
    runner: OnDemand,
    end: Time,
    captures: Option<Captures<'a>>,
    seed: Seed,
    /// How far it runs before it asks again.
    pause: Time,
}

/// A run that looks up.
pub struct Glance<'a> {
    /// What it runs.
    pub plan: &'a Plan,
    /// The network.
    pub network: &'a mut Network<Node>,
    /// Everything before has happened.
    pub now: Time,
    /// It has come as far as it was to, and nothing later has happened; otherwise some nodes are ahead.
    pub paused: bool,
}

/// Why a run did not come to its end.
#[derive(Debug)]
pub enum Stopped {
    /// It was given up on request.
    Cancelled,
    /// What it captured could not be written.
    Unwritable(io::Error),
}

impl From<io::Error> for Stopped {
    fn from(error: io::Error) -> Stopped {
        Stopped::Unwritable(error)
    }
}

impl<'a> Simulation<'a> {
    /// A run that has not begun.
    pub fn new(plan: &'a Plan, seed: Seed) -> Simulation<'a> {
        let mut network = plan.network(seed);
        if let Some(record) = &plan.spec.record {
            record_all(&mut network, record.every);
        }
        let end = Time::ZERO + plan.spec.duration;
        Simulation {
            plan,
            network,
            runner: OnDemand::default(),
            end,
            captures: None,
            seed,
            pause: Time::ZERO,
        }
    }

    /// What it runs.
    pub fn plan(&self) -> &'a Plan {
        self.plan
    }

    /// Shows the network, before the run begins.
    pub fn look(&mut self, prepare: impl FnOnce(&mut Network<Node>)) {
        prepare(&mut self.network);
    }

    /// Captures what every host and every output sends; `append` takes what comes next in a file.
    pub fn capture(&mut self, options: &CaptureOptions, append: Append<'a>) {
        let network = &mut self.network;
        self.captures = Some(Captures::begin(
            self.plan, self.seed, options, network, append,
        ));
    }

    /// Runs to the end and reports.
    ///
    /// Many times a second `attend` is told how far the run has come, and answers whether to go on.
    ///
    /// # Errors
    /// If `attend` said no, or what was captured could not be written.
    ///
    /// # Panics
    /// If a model breaks a law of conservation.
    pub fn run(self, mut attend: impl FnMut(&Underway<'_>) -> bool) -> Result<Report, Stopped> {
        let end = self.end;
        self.watch(|glance| {
            let underway = Underway {
                fraction: glance.now.seconds() / end.seconds(),
                network: glance.network,
            };
            attend(&underway).then_some(end)
        })
    }

    /// The same; `attend` may look at everything, and answers how far to go on, if at all.
    ///
    /// Where a run pauses, and who looks at it, changes nothing.
    ///
    /// # Errors
    /// As [`Simulation::run`].
    ///
    /// # Panics
    /// As [`Simulation::run`].
    pub fn watch(
        mut self,
        mut attend: impl FnMut(&mut Glance<'_>) -> Option<Time>,
    ) -> Result<Report, Stopped> {
        let mut start = Time::ZERO + self.plan.spec.warm_up;
        self.run_to(start, &mut attend)?;
        let mut measured = Vec::new();
        for end in self.plan.spec.batch_ends() {
            begin_counting(&mut self.network, start);
            self.run_to(end, &mut attend)?;
            measured.push(Measured::read(self.plan, &mut self.network, start, end));
            start = end;
        }
        assert_conservation(&self.network);
        if let Some(captures) = self.captures.take() {
            captures.end(&mut self.network, self.end)?;
        }
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
        attend: &mut impl FnMut(&mut Glance<'_>) -> Option<Time>,
    ) -> Result<(), Stopped> {
        let mut now = Time::ZERO;
        while now < until {
            let target = until.min(self.pause);
            now = self.runner.run_some(&mut self.network, target, VISITS);
            if let Some(captures) = &mut self.captures {
                captures.take(&mut self.network, now)?;
            }
            let mut glance = Glance {
                plan: self.plan,
                network: &mut self.network,
                now,
                paused: now == self.pause,
            };
            self.pause = attend(&mut glance).ok_or(Stopped::Cancelled)?.min(self.end);
        }
        Ok(())
    }
}

fn record_all(network: &mut Network<Node>, every: Duration) {
    for node in &mut network.nodes {
        node.ports_mut()
            .into_iter()
            .for_each(|port| port.record(every));
        let losses = node.losses_mut().into_iter().flatten();
        losses.for_each(|end| end.meter.drops = Some(Drops::default()));
        if let Node::Host(host) = node {
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

/// Forgets what was counted before `now`: during the warm-up, or in the batch that is over.
fn begin_counting(network: &mut Network<Node>, now: Time) {
    for node in &mut network.nodes {
        node.ports_mut()
            .into_iter()
            .for_each(|port| port.begin_counting(now));
        let losses = node.losses_mut().into_iter().flatten();
        losses.for_each(LossyEnd::begin_counting);
        match node {
            Node::Host(host) => host.begin_counting(now),
            Node::Edge(edge) => edge.begin_counting(now),
            Node::Switch(switch) => switch.begin_counting(),
            Node::Router(_) => {}
        }
    }
}

/// Cells and frames are neither made nor lost unseen: what was sent has arrived, was refused, was
/// dropped by a policer, was lost on a link, or is still there. Checked over the whole run, warm-up
/// included.
fn assert_conservation(network: &Network<Node>) {
    let (mut sent, mut gone) = (Count::default(), Count::default());
    for node in &network.nodes {
        for port in node.ports() {
            gone.add_refused(port);
        }
        for end in node.losses().into_iter().flatten() {
            let lost = end.meter.lost_ever();
            gone.cells += lost.units;
            gone.frames += lost.frames;
            gone.rm_cells += end.meter.rm_lost_ever();
        }
        count(node, &mut sent, &mut gone);
    }
    for link in network.links() {
        gone.cells += link.units().map(Unit::cells).sum::<u64>();
        // Their host has not sent them, and the switch does not know yet.
        sent.cells += link.units().map(Unit::recalled).sum::<u64>();
    }
    gone.frames += network.cargo.live();
    gone.rm_cells += network.cargo.live_rm();
    assert_eq!(
        sent, gone,
        "what was sent = what arrived, was refused, was lost or is on its way"
    );
}

/// Adds what a node sent, and what arrived or is held there.
fn count(node: &Node, sent: &mut Count, gone: &mut Count) {
    match node {
        Node::Host(host) => {
            sent.cells += host.nic.cells_sent;
            sent.frames += host.nic.frames_sent;
            gone.cells += host.arrived.cells + host.nic.transmitter.pending();
            gone.frames += host.arrived.frames;
            if let Some(paced) = &host.nic.paced {
                sent.rm_cells += paced.rm_sent;
                gone.rm_cells += paced.rm_arrived;
            }
        }
        Node::Switch(switch) => {
            gone.cells += switch.held();
            for policer in switch.policers() {
                let dropped = policer.meter.dropped_ever();
                gone.cells += dropped.units;
                gone.frames += dropped.frames;
            }
            if let Some(credits) = &switch.outputs.credits {
                sent.cells += credits.made;
                gone.cells += credits.arrived;
            }
        }
        Node::Router(_) => {}
        Node::Edge(edge) => {
            for (_, port) in edge.cell_ports() {
                // What is refused is refused before it is cut into cells.
                sent.cells += port.cells_sent + port.meter().refused_ever().units;
                sent.rm_cells += port.rm_sent;
                gone.cells += port.transmitter.pending();
            }
            gone.cells += edge.arrived.cells;
            gone.rm_cells += edge.arrived.rm_cells;
            gone.frames += edge.arrived.damaged;
        }
    }
}

/// What is conserved.
#[derive(Debug, Default, PartialEq)]
struct Count {
    cells: u64,
    frames: u64,
    rm_cells: u64,
}

impl Count {
    fn add_refused(&mut self, port: &dyn Port) {
        let refused = port.meter().refused_ever();
        if port.capacity().is_cells() {
            self.cells += refused.units;
        }
        self.frames += refused.frames;
        self.rm_cells += port.meter().rm_refused_ever();
    }
}
