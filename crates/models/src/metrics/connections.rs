//! Counts of connections that come and go, and the times until they are completed.
//!
//! A connection is completed when its sender knows that its last octet has arrived. The slowdown is
//! the completion time over that of an idle path: Wierman and Harchol-Balter, "Classifying
//! Scheduling Policies with Respect to Unfairness in an M/GI/1", SIGMETRICS 2003, section 1, for a
//! single server. The idle path is stated where it is computed.

use kernel::{Duration, Time};

use super::histogram::Histogram;
use super::metric::Measurement;
use super::table::flow;
use super::timed::Timed;

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
    /// Completed connections of any size.
    all: Completed,
    /// Completed connections by size: short, medium and long.
    by_size: [Completed; 3],
    /// Counts since the start of the run, warm-up included, for the conservation laws.
    ever: Ever,
}

/// Completed connections.
#[derive(Clone, Debug, Default)]
struct Completed {
    times: Histogram,
    /// Slowdowns, as seconds.
    slowdowns: Histogram,
}

/// A connection when it is completed.
#[derive(Clone, Copy, Debug)]
pub struct Completion {
    /// Time since its arrival.
    pub time: Duration,
    /// That time on an idle path.
    pub idle: Duration,
    /// Class of its size: 0 for short, 1 for medium and 2 for long.
    pub class: usize,
}

/// Counts since the start of a run.
#[derive(Clone, Copy, Debug, Default)]
struct Ever {
    arrivals: u64,
    refused: u64,
    completions: u64,
}

impl ConnectionMeter {
    /// Restarts the counts at `now`.
    pub fn begin(&mut self, now: Time) {
        *self = ConnectionMeter {
            live: self.live,
            most: self.live,
            since: now,
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
        let Completion { time, idle, class } = completion;
        let slowdown = Duration::from_seconds_f64(time.seconds() / idle.seconds());
        for completed in [&mut self.all, &mut self.by_size[class]] {
            completed.times.record(time);
            completed.slowdowns.record(slowdown);
        }
    }

    /// True if any connection is open.
    pub fn has_open(&self) -> bool {
        self.live > 0
    }

    /// Completion times of connections of any size.
    pub fn times(&self) -> &Histogram {
        &self.all.times
    }

    /// Histograms of slowdowns and of completion times per size class, each with its quantity.
    pub fn distributions(&self) -> [(Timed, &Histogram); 7] {
        let [short, medium, long] = &self.by_size;
        [
            (Timed::Slowdown, &self.all.slowdowns),
            (Timed::ShortCompletionTime, &short.times),
            (Timed::ShortSlowdown, &short.slowdowns),
            (Timed::MediumCompletionTime, &medium.times),
            (Timed::MediumSlowdown, &medium.slowdowns),
            (Timed::LongCompletionTime, &long.times),
            (Timed::LongSlowdown, &long.slowdowns),
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
                flow::mean_connections,
                counted.open as f64 / span.ps() as f64,
            ),
            (flow::max_connections, self.most as f64),
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
