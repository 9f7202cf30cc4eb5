//! Connections that come and go: each arrival opens a connection of its own, sends its data and
//! closes the connection.
//!
//! The workload of studies of completion times: Dukkipati and McKeown, "Why Flow-Completion Time is
//! the Right Metric for Congestion Control", ACM Computer Communication Review 36(1), 2006. Our own
//! rule: all connections of a flow share its path and its VC, because a VC is set up once and carries
//! the connections of two hosts. The classes of sizes are those of Alizadeh et al.,
//! "pFabric: Minimal Near-Optimal Datacenter Transport", SIGCOMM 2013, section 5.

use kernel::Time;
use parameters::{Bytes, Conflict, Parameter, RandomTime, parameters};

use super::arrivals::{Arrivals, ArrivalsSpec, Opening};
use super::length::{LengthSpec, Messages};
use super::{Application, Demand, OnLink, PacketSizes, Source, SourceKind, Spacing, Write};

parameters! {
    /// Opens a connection at each arrival, which sends its data and is closed.
    #[check(conflict)]
    pub struct Connections {
        /// Arrivals of connections.
        pub arrivals: ArrivalsSpec,
        /// User data of a connection, in bytes; left out if the arrivals state it.
        pub size: Option<LengthSpec>,
        /// Largest number of connections at once; further arrivals are refused.
        #[range(1, 65_536)]
        pub most: u32 = 65536,
        /// Largest size of a short connection, for metrics by size.
        pub short: Bytes = "100 kB",
        /// Largest size of a medium connection, for metrics by size; larger ones are long.
        pub medium: Bytes = "10 MB",
        /// Time before which nothing arrives; drawn for each member of a group.
        pub start: RandomTime = "0 s",
    }
}

/// The arrivals and sizes of the connections of one flow.
pub struct Calls {
    /// When users open connections.
    pub arrivals: Box<dyn Arrivals>,
    /// Sizes, unless the arrivals state them.
    pub sizes: Option<Messages>,
    /// Largest number of connections at once.
    pub most: usize,
    /// Largest sizes of short and of medium connections.
    bounds: [u64; 2],
}

impl Calls {
    /// No arrivals: each connection is opened by a write.
    pub fn by_writes() -> Calls {
        Calls {
            arrivals: Box::new(Never),
            sizes: None,
            most: 65_536,
            bounds: [u64::MAX; 2],
        }
    }

    /// Class of a size: 0 for short, 1 for medium and 2 for long connections.
    pub fn class(&self, octets: u64) -> usize {
        self.bounds.iter().filter(|bound| octets > **bound).count()
    }
}

impl Connections {
    /// The source of one flow, which writes nothing: connections write their own data.
    pub fn build(&self, _application: &Application) -> Box<dyn Source> {
        Box::new(Nothing)
    }

    /// The arrivals and sizes of the connections of one flow.
    pub fn calls(&self, application: &Application) -> Calls {
        let start = self.start.draw(&mut application.stream("start"));
        let opening = Opening {
            name: application.name.clone(),
            seed: application.seed,
            start: Time::ZERO + start,
            mean: self.size.as_ref().map_or(f64::NAN, |size| size.mean()),
            carried: application.carried,
            siblings: application.siblings,
        };
        Calls {
            arrivals: self.arrivals.build(&opening),
            sizes: self.size.as_ref().map(|size| size.messages(application)),
            most: self.most as usize,
            bounds: [self.short.0, self.medium.0],
        }
    }

    fn conflict(&self) -> Option<Conflict> {
        let conflict = |name, problem: String, hint: &str| {
            Some(Conflict {
                name,
                problem,
                hint: hint.to_string(),
            })
        };
        match (&self.arrivals, &self.size) {
            (arrivals, Some(_)) if arrivals.has_sizes() => conflict(
                "size",
                format!(
                    "`arrivals.{}` states the size of each connection",
                    arrivals.kind()
                ),
                "leave out `size`",
            ),
            (arrivals, None) if !arrivals.has_sizes() => conflict(
                "size",
                "the sizes of connections are missing".into(),
                "write for example `size.constant = \"100 kB\"`",
            ),
            (ArrivalsSpec::Closed(closed), _) if closed.users > self.most => conflict(
                "most",
                format!(
                    "`{}` connections at once are fewer than the `{}` users",
                    self.most, closed.users
                ),
                "allow at least one connection for each user",
            ),
            _ if self.short > self.medium => conflict(
                "medium",
                "`short` is more than `medium`".into(),
                &format!("write at least `{}`", self.short.write()),
            ),
            _ => None,
        }
    }
}

impl SourceKind for Connections {
    fn start(&self) -> RandomTime {
        self.start
    }

    fn demand(&self) -> Demand<'_> {
        Demand::Connections(self.size.as_ref().map(|size| ("size", size)))
    }

    fn spacing(&self, _packets: &PacketSizes) -> Option<Spacing> {
        let mean = self.size.as_ref()?.mean();
        Some(Spacing {
            parameter: "arrivals",
            seconds: Some(self.arrivals.gap(mean)?),
        })
    }

    fn load(&self, _link: &OnLink) -> Option<(&'static str, f64)> {
        None
    }

    fn connections(&self) -> Option<&Connections> {
        Some(self)
    }
}

/// A process without arrivals.
struct Never;

impl Arrivals for Never {
    fn next(&self) -> Time {
        Time::NEVER
    }

    fn take(&mut self) -> Option<u64> {
        None
    }
}

/// A source that writes nothing.
struct Nothing;

impl Source for Nothing {
    fn next(&mut self) -> Option<Write> {
        None
    }
}

#[cfg(test)]
mod tests {
    use parameters::{understand, value};

    use super::*;
    use crate::traffic::tests::application;

    #[test]
    fn arrivals_and_sizes_are_those_of_the_flow() {
        let spec: Connections = understand(&value!({
            arrivals = { poisson = { gap = "1 ms" } },
            size = { listed = ["3 B", "5 B"] }
        }))
        .expect("a source");
        let mut calls = spec.calls(&application(1000));
        let mut sizes = calls.sizes.take().expect("sizes");
        assert_eq!([sizes.draw(), sizes.draw(), sizes.draw()], [3, 5, 3]);
        assert!(calls.arrivals.next() > Time::ZERO);
        let sizes = [1, 100_000, 100_001, 10_000_000, 10_000_001];
        assert_eq!(sizes.map(|size| calls.class(size)), [0, 0, 1, 1, 2]);
        assert_eq!(spec.build(&application(1000)).next(), None);
    }
}
