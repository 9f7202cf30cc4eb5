//! A run that its caller advances step by step, from the start to the report. The division into
//! steps changes no result.

use std::ops::Deref;

use kernel::{Division, Duration, Network, OnDemand, Seed, Threads, Time};
use models::link::loss::LossyEnd;
use models::metrics::{Drops, Halves};
use models::node::AnyNode;

use super::conservation::assert_conservation;
use super::passage::assert_balances;
use crate::lower::Plan;
use crate::report::{Measurements, Report};

/// A run that owns its network, and owns or borrows its plan: `P` is `Arc<Plan>` or `&Plan`.
///
/// Meters are reset at the end of the warm-up and at the end of each batch.
pub struct SteppedRun<P> {
    plan: P,
    network: Network<AnyNode>,
    runner: Runner,
    now: Time,
    /// Instant at which the current counts began; none in the warm-up.
    counts_from: Option<Time>,
    /// Coming ends of the warm-up and of all batches but the last, in reverse order.
    boundaries: Vec<Time>,
    measured: Vec<Measurements>,
}

impl<P: Deref<Target = Plan>> SteppedRun<P> {
    /// A run that has not begun, and that records the series that the scenario asks for.
    pub fn new(plan: P, seed: Seed) -> SteppedRun<P> {
        let mut steps = SteppedRun::without_series(plan, seed);
        if let Some(record) = &steps.plan.spec.record {
            record_all(&mut steps.network, record.every);
        }
        steps
    }

    /// A run that has not begun, and that records nothing over time.
    pub fn without_series(plan: P, seed: Seed) -> SteppedRun<P> {
        let spec = &plan.spec;
        let mut boundaries: Vec<Time> = spec.batch_ends().collect();
        boundaries.pop();
        boundaries.reverse();
        boundaries.push(Time::ZERO + spec.warm_up);
        SteppedRun {
            network: plan.network(seed),
            plan,
            runner: Runner::One(OnDemand::default()),
            now: Time::ZERO,
            counts_from: None,
            boundaries,
            measured: Vec::new(),
        }
    }

    /// This run, which has not begun, in parts, each of which has a thread of its own. The division
    /// changes no result.
    pub fn in_parts(self, division: Division) -> SteppedRun<P> {
        SteppedRun {
            runner: Runner::Several(Threads::new(division)),
            ..self
        }
    }

    /// Plan of the run.
    pub fn plan(&self) -> &P {
        &self.plan
    }

    /// The network.
    pub fn network(&self) -> &Network<AnyNode> {
        &self.network
    }

    /// Plan and network together.
    pub fn parts(&mut self) -> (&Plan, &mut Network<AnyNode>) {
        (&self.plan, &mut self.network)
    }

    /// The network, mutable.
    pub fn network_mut(&mut self) -> &mut Network<AnyNode> {
        &mut self.network
    }

    /// The time reached: every event before it has happened.
    pub fn now(&self) -> Time {
        self.now
    }

    /// End of the run.
    pub fn end(&self) -> Time {
        Time::ZERO + self.plan.spec.duration
    }

    /// Instant at which the current counts began; none in the warm-up.
    pub fn counts_from(&self) -> Option<Time> {
        self.counts_from
    }

    /// Advances to `until`, but no further than to the end of the warm-up, of the batch or of the
    /// run, and for about `visits` node visits; returns the time reached.
    ///
    /// If the returned instant is one of these ends or `until`, no node has acted beyond it.
    /// Otherwise some nodes are ahead, up to [`Network::ahead`].
    pub fn advance(&mut self, until: Time, visits: u64) -> Time {
        let mut target = until.min(self.end());
        while let Some(boundary) = self.boundaries.last().copied() {
            if target < boundary || self.now < boundary {
                target = target.min(boundary);
                break;
            }
            if target == boundary {
                // Meters are reset when the run continues: a pause here reads the old counts.
                break;
            }
            self.boundaries.pop();
            self.count_from(boundary);
        }
        let reached = self.runner.run_some(&mut self.network, target, visits);
        self.now = self.now.max(reached);
        reached
    }

    /// Advances to `until`, or to the end of the run.
    pub fn run_until(&mut self, until: Time) {
        let until = until.min(self.end());
        while self.advance(until, u64::MAX) < until {}
    }

    /// The numbers of the current counts: of the warm-up, of the batch, or of the run. There
    /// are none at the instant at which the counts begin.
    pub fn measure(&mut self) -> Option<Measurements> {
        let from = self.counts_from.unwrap_or(Time::ZERO);
        (self.now > from).then(|| Measurements::read(&self.plan, &mut self.network, from, self.now))
    }

    /// Runs to the end, and reports.
    ///
    /// # Panics
    /// If a model breaks a conservation law.
    pub fn finish(mut self) -> Report {
        let end = self.end();
        self.run_until(end);
        while let Some(boundary) = self.boundaries.pop() {
            self.count_from(boundary);
        }
        self.end_counts(end);
        assert_balances(&self.plan, &self.network);
        assert_conservation(&self.network);
        Report::of(
            self.measured,
            &self.plan,
            &mut self.network,
            self.runner.visits(),
        )
    }

    /// Ends the current counts, and begins to count at `start`.
    fn count_from(&mut self, start: Time) {
        self.end_counts(start);
        let end = self.boundaries.last().copied();
        let measured = Halves::of(start, end.unwrap_or_else(|| self.end()));
        begin_counting(&mut self.network, measured);
        self.counts_from = Some(start);
    }

    fn end_counts(&mut self, end: Time) {
        if let Some(start) = self.counts_from {
            let measured = Measurements::read(&self.plan, &mut self.network, start, end);
            self.measured.push(measured);
        }
    }
}

/// Threads work between pauses for this many times the visits of a single one, since they begin anew
/// after each.
const VISITS_OF_THREADS: u64 = 16;

/// The runner of the nodes.
enum Runner {
    One(OnDemand),
    Several(Threads),
}

impl Runner {
    fn run_some(&mut self, network: &mut Network<AnyNode>, end: Time, visits: u64) -> Time {
        match self {
            Runner::One(runner) => runner.run_some(network, end, visits),
            Runner::Several(threads) => {
                threads.run_some(network, end, visits.saturating_mul(VISITS_OF_THREADS))
            }
        }
    }

    fn visits(&self) -> u64 {
        match self {
            Runner::One(runner) => runner.visits,
            Runner::Several(threads) => threads.visits,
        }
    }
}

/// Records every series at intervals of `every`, and each drop, from the start of the run on.
pub fn record_all(network: &mut Network<AnyNode>, every: Duration) {
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
            for sender in &host.senders {
                if let Some((paced, vc)) = host.nics.paced_mut(sender.via) {
                    paced.record(vc, every);
                }
            }
            let links = host.nics.all_mut().iter_mut();
            let paced = links.filter_map(|nic| nic.paced.as_mut());
            paced.for_each(|paced| paced.record_credit(every));
        }
    }
}

/// Restarts all counts at the beginning of the measured time, after the warm-up or a batch.
fn begin_counting(network: &mut Network<AnyNode>, measured: Halves) {
    let now = measured.from;
    for node in &mut network.nodes {
        node.ports_mut()
            .into_iter()
            .for_each(|port| port.begin_counting(now));
        let losses = node.losses_mut().into_iter().flatten();
        losses.for_each(LossyEnd::begin_counting);
        let retries = node.retries_mut().into_iter().flatten();
        retries.for_each(|end| end.meter.begin(now));
        match node {
            AnyNode::Host(host) => host.begin_counting(measured),
            AnyNode::Edge(edge) => edge.begin_counting(now),
            AnyNode::Switch(switch) => switch.begin_counting(now),
            AnyNode::Router(router) => router.begin_counting(now),
        }
    }
}
