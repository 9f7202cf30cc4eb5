//! Counts of connections that come and go, and the times until they are completed.
//!
//! A connection is complete when its last octet arrives; it is open until its sender knows. The
//! slowdown is the completion time over that of an idle path: Wierman and Harchol-Balter, "Classifying
//! Scheduling Policies with Respect to Unfairness in an M/GI/1", SIGMETRICS 2003, section 1, for a
//! single server. The idle path is stated where it is computed.

use kernel::{Duration, Time};

use super::followed::{ByHalf, Halves};
use super::metric::Measurement;
use super::table::flow;
use super::timed::{SizeClass, Timed};

/// Counts of the connections of a flow.
#[derive(Clone, Debug, Default)]
pub struct ConnectionMeter {
    /// Arrivals, refused ones included.
    arrivals: u64,
    /// Arrivals that were refused.
    refused: u64,
    /// Connections that are open now.
    live: u64,
    /// Largest number of connections open at once.
    most: u64,
    /// Sum of the times in which connections were open since counting began, in picoseconds.
    open: u128,
    /// Time of the last change of the number of open connections.
    since: Time,
    /// The measured time.
    halves: Halves,
    /// Completed connections of any size.
    all: Completed,
    /// Times until the acknowledgments of connections of any size.
    acknowledged: ByHalf,
    /// Completed connections by size: short, medium and long.
    by_size: [Completed; 3],
    /// Counts since the start of the run, warm-up included, for the conservation laws.
    ever: Ever,
}

/// Completed connections.
#[derive(Clone, Debug, Default)]
struct Completed {
    times: ByHalf,
    /// Slowdowns, as seconds.
    slowdowns: ByHalf,
}

/// A connection when its sender knows that it is complete.
#[derive(Clone, Copy, Debug)]
pub struct Completion {
    /// Time of its own arrival.
    pub began: Time,
    /// Time at which its last octet arrived.
    pub arrived: Time,
    /// Time from the one to the other on an idle path.
    pub idle: Duration,
    /// Class of its size: 0 for short, 1 for medium and 2 for long.
    pub class: usize,
}

/// The slowdown of a connection, as seconds.
pub fn slowdown(time: Duration, idle: Duration) -> Duration {
    Duration::from_seconds_f64(time.seconds() / idle.seconds())
}

/// Counts since the start of a run.
#[derive(Clone, Copy, Debug, Default)]
struct Ever {
    arrivals: u64,
    refused: u64,
    completions: u64,
}

impl ConnectionMeter {
    /// Restarts the counts at the beginning of the measured time.
    pub fn begin(&mut self, measured: Halves) {
        *self = ConnectionMeter {
            halves: measured,
            live: self.live,
            most: self.live,
            since: measured.from,
            ever: self.ever,
            ..ConnectionMeter::default()
        };
    }

    /// A connection arrives, and is opened unless it is refused.
    pub fn arrived(&mut self, now: Time, is_refused: bool) {
        self.arrivals += 1;
        self.ever.arrivals += 1;
        if is_refused {
            self.refused += 1;
            self.ever.refused += 1;
            return;
        }
        self.pass(now);
        self.live += 1;
        self.most = self.most.max(self.live);
    }

    /// A connection is completed.
    pub fn completed(&mut self, now: Time, completion: Completion) {
        self.pass(now);
        self.live -= 1;
        self.ever.completions += 1;
        let Completion {
            began,
            arrived,
            idle,
            class,
        } = completion;
        let time = arrived.since(began);
        let halves = self.halves;
        for completed in [&mut self.all, &mut self.by_size[class]] {
            halves.record(&mut completed.times, began, time);
            halves.record(&mut completed.slowdowns, began, slowdown(time, idle));
        }
        halves.record(&mut self.acknowledged, began, now.since(began));
    }

    /// True if any connection is open.
    pub fn has_open(&self) -> bool {
        self.live > 0
    }

    /// Completion times of connections of any size.
    pub fn times(&self) -> &ByHalf {
        &self.all.times
    }

    /// Times until the acknowledgments of connections of any size.
    pub fn acknowledged(&self) -> &ByHalf {
        &self.acknowledged
    }

    /// Slowdowns, and completion times by class of size, each with its quantity.
    pub fn distributions(&self) -> [(Timed, &ByHalf); 7] {
        let [short, medium, long] = &self.by_size;
        [
            (Timed::Slowdown(SizeClass::Any), &self.all.slowdowns),
            (Timed::CompletionTime(SizeClass::Short), &short.times),
            (Timed::Slowdown(SizeClass::Short), &short.slowdowns),
            (Timed::CompletionTime(SizeClass::Medium), &medium.times),
            (Timed::Slowdown(SizeClass::Medium), &medium.slowdowns),
            (Timed::CompletionTime(SizeClass::Long), &long.times),
            (Timed::Slowdown(SizeClass::Long), &long.slowdowns),
        ]
    }

    fn pass(&mut self, now: Time) {
        self.open += u128::from(self.live) * u128::from(now.since(self.since).ps());
        self.since = now;
    }

    /// Metrics with their values at `end`, over the `span` that was counted.
    pub fn metrics(&self, end: Time, span: Duration) -> Vec<Measurement> {
        let mut counted = self.clone();
        counted.pass(end);
        vec![
            (flow::arrivals, self.arrivals as f64),
            (flow::refused_arrivals, self.refused as f64),
            (
                flow::connections::mean,
                counted.open as f64 / span.ps() as f64,
            ),
            (flow::connections::max, self.most as f64),
            (flow::open_connections, self.live as f64),
        ]
    }

    /// Asserts that every connection that has arrived was refused, is completed or is open.
    ///
    /// # Panics
    /// If one was lost, or counted twice.
    pub fn assert_conservation(&self) {
        let Ever {
            arrivals,
            refused,
            completions,
        } = self.ever;
        assert_eq!(
            arrivals,
            completions + self.live + refused,
            "arrivals = completions + open connections + refused arrivals"
        );
    }
}
