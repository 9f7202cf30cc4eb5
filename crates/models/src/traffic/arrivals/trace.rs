//! Arrivals from a file, with the size of each connection. The format is that of the source
//! `trace`, which is ours.

use kernel::Time;
use parameters::parameters;

use super::{Arrivals, ArrivalsKind, Opening};
use crate::traffic::trace::{Replay, Trace};
use crate::traffic::{Source, Write};

parameters! {
    /// Connections at the times and with the sizes of a text file, which has a line for each.
    pub struct TraceArrivals(pub Trace);
}

impl TraceArrivals {
    /// The arrivals of one flow.
    pub fn build(&self, opening: &Opening) -> Box<dyn Arrivals> {
        let start = self.0.start.draw(&mut opening.stream("start of the trace"));
        let mut replay = self.0.replay(opening.start + start);
        Box::new(State {
            next: replay.next(),
            replay,
        })
    }
}

impl ArrivalsKind for TraceArrivals {
    fn has_sizes(&self) -> bool {
        true
    }
}

struct State {
    replay: Replay,
    next: Option<Write>,
}

impl Arrivals for State {
    fn next(&self) -> Time {
        self.next.map_or(Time::NEVER, |write| write.at)
    }

    fn take(&mut self) -> Option<u64> {
        let taken = self.next.map(|write| write.octets);
        self.next = self.replay.next();
        taken
    }
}

#[cfg(test)]
mod tests {
    use kernel::Duration;
    use parameters::{understand, value};

    use super::*;
    use crate::traffic::arrivals::tests::opening;

    #[test]
    fn connections_arrive_as_written() {
        let spec: TraceArrivals =
            understand(&value!({ text = "0.001 500\n0.002 7\n" })).expect("arrivals");
        let mut arrivals = spec.build(&opening());
        let at = |ms| Time::ZERO + Duration::from_ms(ms);
        assert_eq!(arrivals.next(), at(1));
        assert_eq!(arrivals.take(), Some(500));
        assert_eq!(arrivals.next(), at(2));
        assert_eq!(arrivals.take(), Some(7));
        assert_eq!(arrivals.next(), Time::NEVER);
    }
}
