//! Arrivals of connections: the times at which users open them.
//!
//! The interface is ours: a process states its next arrival, so that it runs in a test without a
//! network, and learns of completions, since users of a closed loop wait for them.

use kernel::{Seed, Stream, Time};

parameters::registry! {
    /// Arrivals of connections.
    pub enum ArrivalsSpec builds Box<dyn Arrivals>, for Opening, answers dyn ArrivalsKind {
        poisson => PoissonArrivals,
        trace => TraceArrivals,
        closed => Closed,
    }
}

/// The connections of a flow, as known before the run.
#[derive(Clone, Debug)]
pub struct Opening {
    /// Name of the flow, which owns the random streams.
    pub name: String,
    /// Seed of the run.
    pub seed: Seed,
    /// Time before which nothing arrives.
    pub start: Time,
    /// Mean user octets of a connection.
    pub mean: f64,
    /// User octets per second that the slowest link of the path carries in full packets.
    pub carried: f64,
    /// Number of flows of the group from the same host, which divide the arrivals.
    pub siblings: u32,
}

impl Opening {
    /// The random stream for one purpose.
    fn stream(&self, purpose: &str) -> Stream {
        self.seed.stream(&self.name, purpose)
    }
}

/// A process of arrivals.
pub trait Arrivals: Send {
    /// Time of the next arrival; [`Time::NEVER`] if none is known.
    fn next(&self) -> Time;

    /// The next arrival happens; returns the user octets of the connection, if the process states
    /// them.
    fn take(&mut self) -> Option<u64>;

    /// A connection is completed or refused at `now`.
    fn on_completed(&mut self, now: Time) {
        let _ = now;
    }
}

/// The properties of arrivals before the run, which each member states in its own file.
pub trait ArrivalsKind {
    /// True if the arrivals state the size of each connection.
    fn has_sizes(&self) -> bool {
        false
    }

    /// Mean seconds between arrivals for connections of `mean` octets, if the parameters determine
    /// it.
    fn gap(&self, mean: f64) -> Option<f64> {
        let _ = mean;
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Connections of 1 kB in the mean on a path that carries 1 MB/s, from time zero on.
    pub fn opening() -> Opening {
        Opening {
            name: "t".into(),
            seed: Seed {
                seed: 1,
                replication: 0,
            },
            start: Time::ZERO,
            mean: 1000.0,
            carried: 1e6,
            siblings: 1,
        }
    }
}
