//! A watched run that its caller advances, on a single thread, as a page in a browser must.

use std::ops::Deref;

use kernel::{Seed, Time};

use super::{KeptPdu, NextPause, Snapshot, Watch, drops, keep};
use crate::lower::Plan;
use crate::report::Report;
use crate::run::{RunState, SteppedRun, VISITS};

/// A watched run that its caller advances.
pub struct WatchedRun<P> {
    steps: SteppedRun<P>,
    watch: Watch,
    /// Instant of the next reading.
    next: Time,
}

/// The result of one step of a run.
#[derive(Clone, Debug, PartialEq)]
pub enum WatchedStep {
    /// The run goes on.
    Underway,
    /// The run pauses; it waits for [`WatchedRun::go_on`], or has reached its end.
    Paused(Snapshot),
}

impl<P: Deref<Target = Plan>> WatchedRun<P> {
    /// A run before its first event. It pauses at once.
    pub fn new(plan: P, seed: Seed) -> WatchedRun<P> {
        // A watched run keeps no series, which would take memory.
        let mut steps = SteppedRun::without_series(plan, seed);
        let (plan, network) = steps.parts();
        drops::count(plan, network);
        WatchedRun {
            watch: Watch::new(plan),
            steps,
            next: Time::ZERO,
        }
    }

    /// Keeps a PDU that a policy drops, in a run that has not begun; false if it cannot be kept.
    pub fn keep(&mut self, kept: KeptPdu) -> bool {
        let (plan, network) = self.steps.parts();
        keep(plan, network, kept)
    }

    /// Advances for a few milliseconds of computing at most, up to the next pause.
    pub fn advance(&mut self) -> WatchedStep {
        let now = self.steps.advance(self.next, VISITS);
        let (plan, network) = self.steps.parts();
        self.watch.dropped.collect(plan, network);
        if now == self.next {
            let mut state = RunState {
                plan,
                network,
                now,
                paused: true,
            };
            if let Some(snapshot) = self.watch.read(&mut state) {
                return WatchedStep::Paused(snapshot);
            }
            self.next = self.watch.next_reading(now).min(self.steps.end());
        }
        WatchedStep::Underway
    }

    /// Continues from a pause to the next one.
    pub fn go_on(&mut self, next: NextPause) {
        self.watch.go_on(self.steps.network_mut(), next);
        self.next = self
            .watch
            .next_reading(self.steps.now())
            .min(self.steps.end());
    }

    /// True if the run has reached its end.
    pub fn has_ended(&self) -> bool {
        self.steps.now() == self.steps.end()
    }

    /// The report of a run, which goes on to its end first.
    ///
    /// # Panics
    /// If a model breaks a law of conservation.
    pub fn finish(self) -> Report {
        self.steps.finish()
    }
}
