//! A session: one watched run, which the loop of the worker advances.

use std::sync::Arc;

use kernel::{Duration, Seed, Time};
use live::gauges;
use live::layout::Watched;
use live::limits::MOST_COMPUTING;
use live::pace::{Continuation, Pace};
use live::snapshot::Shown;
use live::state::{LiveState, failure, results};
use scenario::lower::Plan;
use scenario::report::Report;
use scenario::watch::{self, Gauge, KeptPdu, NextPause, WatchedRun, WatchedStep};
use serde_json::{Map, Value};

/// The run that a session shows.
#[derive(Clone)]
pub struct Request {
    /// Plan of the run.
    pub plan: Arc<Plan>,
    /// Seed and replication.
    pub seed: Seed,
    /// A PDU that is kept although a policy drops it.
    pub kept: Option<KeptPdu>,
}

/// One run, from its start to its results.
pub struct Session {
    /// Number of the session.
    pub epoch: u64,
    /// The run.
    pub request: Request,
    /// Pace of the run.
    pub pace: Pace,
    /// Simulated time in seconds, at the last pause.
    pub now: f64,
    /// The report, once the run has ended.
    pub report: Option<Report>,
    outcome: Option<Value>,
    /// The run until its end.
    run: Option<WatchedRun<Arc<Plan>>>,
    gauges: Vec<Gauge>,
    shown: Vec<usize>,
    stage: Stage,
    /// Time spent on the run in seconds of the clock, and the time at which the run continued.
    computed: f64,
    resumed: f64,
}

/// Where a run is between two pauses.
#[derive(Clone, Copy, PartialEq)]
enum Stage {
    /// It goes on to its next pause.
    Underway,
    /// It has just reached a pause.
    Reached,
    /// It waits for its pace.
    Paused,
}

/// The result of one step of a session.
pub enum Advanced {
    /// The run goes on, or waits for so many seconds of the clock.
    Wait(f64),
    /// The run has reached a pause.
    Snapshot(Vec<u8>),
    /// The run has ended.
    Ended,
}

impl Session {
    /// A session before its first event.
    pub fn new(epoch: u64, request: Request, pace: Pace) -> Session {
        let gauges = watch::gauges(&request.plan);
        let mut run = WatchedRun::new(request.plan.clone(), request.seed);
        if let Some(kept) = request.kept {
            run.keep(kept);
        }
        Session {
            epoch,
            now: 0.0,
            report: None,
            outcome: None,
            run: Some(run),
            shown: gauges::shown(&request.plan, &gauges),
            gauges,
            stage: Stage::Underway,
            computed: 0.0,
            resumed: f64::INFINITY,
            request,
            pace,
        }
    }

    /// True if the run has ended, or an error has ended it.
    pub fn has_ended(&self) -> bool {
        self.outcome.is_some()
    }

    /// The layout of the page for the run, whose scenario is called `name`.
    pub fn layout(&self, name: &str) -> Map<String, Value> {
        let watched = Watched {
            epoch: self.epoch,
            plan: &self.request.plan,
            seed: self.request.seed.seed,
            gauges: &self.gauges,
            shown: &self.shown,
            name,
        };
        watched.layout()
    }

    /// The state of the run. No snapshot is skipped, since the run waits for a slow page.
    pub fn state(&self) -> Value {
        let state = LiveState {
            epoch: self.epoch,
            now: self.now,
            speed: self.pace.speed(),
            skipped: 0,
            outcome: self.outcome.as_ref(),
        };
        state.value()
    }

    /// Advances the run for a few milliseconds of computing at most; `clock` is the time in seconds.
    pub fn advance(&mut self, clock: f64) -> Advanced {
        let Some(run) = &mut self.run else {
            return Advanced::Wait(f64::INFINITY);
        };
        self.computed += (clock - self.resumed).max(0.0);
        self.resumed = f64::INFINITY;
        if self.computed > MOST_COMPUTING {
            self.run = None;
            let reason =
                format!("the run was cancelled: it takes more than {MOST_COMPUTING} s to compute");
            self.outcome = Some(failure(&reason));
            return Advanced::Ended;
        }
        if self.stage == Stage::Reached {
            self.pace.reached(clock);
            self.stage = Stage::Paused;
        }
        if self.stage == Stage::Paused {
            if run.has_ended() {
                return self.end();
            }
            match self.pace.next(self.now, clock, true) {
                Continuation::Run { until, every } => run.go_on(NextPause {
                    until: Time::ZERO + span(until),
                    every: span(every),
                }),
                Continuation::Wait(left) => return Advanced::Wait(left),
                Continuation::Ended => return Advanced::Wait(f64::INFINITY),
            }
            self.stage = Stage::Underway;
        }
        self.resumed = clock;
        match run.advance() {
            WatchedStep::Underway => Advanced::Wait(0.0),
            WatchedStep::Paused(snapshot) => {
                self.now = snapshot.times.last().map_or(0.0, |time| time.seconds());
                self.stage = Stage::Reached;
                let shown = Shown::of(&snapshot, &self.shown, self.gauges.len());
                Advanced::Snapshot(shown.packed(self.epoch))
            }
        }
    }

    fn end(&mut self) -> Advanced {
        if let Some(run) = self.run.take() {
            let report = run.finish();
            self.outcome = Some(results(&report, None));
            self.report = Some(report);
        }
        Advanced::Ended
    }
}

/// Seconds of simulated time that are longer than any run, and far below the largest time.
const MOST_SECONDS: f64 = 1e6;

/// Seconds as a duration: zero if negative, and the longest if infinite.
#[allow(clippy::cast_sign_loss)]
fn span(seconds: f64) -> Duration {
    Duration::from_ps((seconds.clamp(0.0, MOST_SECONDS) * 1e12) as u64)
}
