//! Steps that wait for each other: each write waits until flows that end at the same host have
//! delivered the data of the step before, a barrier.
//!
//! Synchronised reads: a client asks all servers for their parts of a block, and asks for the next
//! block when all parts have arrived; Nagle, Serenyi and Matthews, "The Panasas ActiveScale Storage
//! Cluster", SC 2004, and Phanishayee et al., "Measurement and Analysis of TCP Throughput Collapse
//! in Cluster-based Storage Systems", FAST 2008, section 2. The steps of collective operations, such
//! as rings and exchanges of all with all, wait in the same way: Thakur, Rabenseifner and Gropp,
//! "Optimization of Collective Communication Operations in MPICH", International Journal of High
//! Performance Computing Applications 19(1), 2005. That one source with a barrier at its host serves
//! for all of them is ours; hosts learn of each other's progress by data alone.

use kernel::{Stream, Time};
use parameters::{Bytes, RandomTime, parameters};

use super::{Application, Demand, OnLink, PacketSizes, Source, SourceKind, Spacing, Write};

parameters! {
    /// Writes the data of a step when other flows have delivered that of the step before.
    pub struct Steps {
        /// Flows, or groups of flows; those of them that end at the host of this flow must have
        /// delivered the data of a step before the next step begins.
        pub awaits: Vec<String>,
        /// User data that each of these flows delivers in a step.
        #[range("1 B", "1 TiB")]
        pub each: Bytes,
        /// User data that this flow writes in a step.
        #[range("1 B", "1 TiB")]
        pub write: Bytes,
        /// True if the first step waits for no flow; false for a flow that only answers.
        pub first: bool = true,
        /// Number of steps; if not given, without end.
        #[range(1, 1_000_000_000)]
        pub count: Option<u32>,
        /// Time from the end of a step to the next write.
        pub gap: RandomTime = "0 s",
        /// Time of the first write, if it waits for no flow; drawn for each member of a group.
        pub start: RandomTime = "0 s",
    }
}

impl Steps {
    /// The source of one flow.
    pub fn build(&self, application: &Application) -> Box<dyn Source> {
        let start = self.start.draw(&mut application.stream("start"));
        Box::new(State {
            spec: self.clone(),
            random: application.stream("gap"),
            delivered: vec![0; application.awaited].into(),
            written: 0,
            ended: 0,
            last: Time::ZERO + start,
            next: Next::NotAsked,
        })
    }
}

impl SourceKind for Steps {
    fn start(&self) -> RandomTime {
        self.start
    }

    fn demand(&self) -> Demand<'_> {
        Demand::Open
    }

    fn spacing(&self, _packets: &PacketSizes) -> Option<Spacing> {
        None
    }

    fn load(&self, _link: &OnLink) -> Option<(&'static str, f64)> {
        None
    }

    fn awaits(&self) -> Option<&[String]> {
        Some(&self.awaits)
    }
}

struct State {
    spec: Steps,
    random: Stream,
    /// User octets that each awaited flow has delivered.
    delivered: Box<[u64]>,
    /// Number of steps whose data is written.
    written: u64,
    /// Number of steps that have ended.
    ended: u64,
    /// Time of the last write, or of the one that is due.
    last: Time,
    next: Next,
}

/// The next write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Next {
    /// Nobody has asked for the first.
    NotAsked,
    /// It waits for other flows.
    Waits,
    /// It is due.
    Due,
}

impl State {
    /// The write at the beginning of a step.
    fn begin(&mut self, at: Time) -> Write {
        self.next = Next::Due;
        self.last = at;
        Write {
            at,
            octets: self.spec.write.0,
        }
    }

    /// The next write, if the awaited flows have delivered the data of the step before it;
    /// [`Write::NEVER`] after the last step.
    fn go_on(&mut self, now: Time) -> Option<Write> {
        let least = self.delivered.iter().min().copied().unwrap_or(0);
        // A flow that answers waits for the data of a step before it writes in this step.
        let wanted = self.written + u64::from(!self.spec.first);
        if self.next == Next::Due || wanted == self.ended || least / self.spec.each.0 < wanted {
            return None;
        }
        self.ended = wanted;
        if self
            .spec
            .count
            .is_some_and(|count| self.written == u64::from(count))
        {
            return Some(Write::NEVER);
        }
        let gap = self.spec.gap.draw(&mut self.random);
        Some(self.begin(now + gap))
    }
}

impl Source for State {
    fn next(&mut self) -> Option<Write> {
        if self.next == Next::NotAsked {
            self.next = Next::Waits;
            return self.spec.first.then(|| self.begin(self.last));
        }
        if self.next == Next::Due {
            self.next = Next::Waits;
            self.written += 1;
        }
        self.go_on(self.last)
    }

    fn times_steps(&self) -> bool {
        self.spec.first
    }

    fn on_delivered(&mut self, now: Time, awaited: usize, octets: u64) -> Option<Write> {
        self.delivered[awaited] += octets;
        self.go_on(now)
    }
}

#[cfg(test)]
mod tests {
    use kernel::Duration;
    use parameters::{Value, understand, value};

    use super::*;
    use crate::traffic::tests::application;

    const MS: fn(u64) -> Time = |ms| Time::ZERO + Duration::from_ms(ms);

    fn write(ms: u64) -> Write {
        Write {
            at: MS(ms),
            octets: 10,
        }
    }

    fn source(value: &Value) -> Box<dyn Source> {
        let steps: Steps = understand(value).expect("a source");
        steps.build(&Application {
            awaited: 2,
            ..application(1000)
        })
    }

    #[test]
    fn a_step_ends_when_every_awaited_flow_has_delivered_its_data() {
        let mut source = source(&value!({
            awaits = ["a", "b"], each = "100 B", write = "10 B", count = 2, gap = "3 ms"
        }));
        assert!(source.times_steps());
        assert_eq!(source.next(), Some(write(0)));
        assert_eq!(source.next(), None);
        assert_eq!(source.on_delivered(MS(1), 0, 100), None);
        assert_eq!(source.on_delivered(MS(2), 1, 99), None);
        assert_eq!(source.on_delivered(MS(4), 1, 1), Some(write(7)));
        // Data of the next step comes before its write, which is due.
        assert_eq!(source.on_delivered(MS(5), 0, 100), None);
        assert_eq!(source.next(), None);
        assert_eq!(source.on_delivered(MS(8), 1, 100), Some(Write::NEVER));
        assert_eq!(source.on_delivered(MS(9), 1, 100), None);
    }

    #[test]
    fn a_flow_that_answers_writes_once_for_each_step() {
        let mut source = source(&value!({
            awaits = ["a", "b"], each = "100 B", write = "10 B", first = false
        }));
        assert!(!source.times_steps());
        assert_eq!(source.next(), None);
        assert_eq!(source.on_delivered(MS(1), 0, 250), None);
        assert_eq!(source.on_delivered(MS(2), 1, 250), Some(write(2)));
        // Two steps were delivered at once.
        assert_eq!(source.next(), Some(write(2)));
        assert_eq!(source.next(), None);
        assert_eq!(source.on_delivered(MS(3), 0, 50), None);
        assert_eq!(source.on_delivered(MS(4), 1, 50), Some(write(4)));
    }
}
