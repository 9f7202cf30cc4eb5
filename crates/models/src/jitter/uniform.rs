//! Uniform jitter between two times.
//!
//! Our own distribution, for processing times that a study states as times; `packet_time` has the
//! jitter of Floyd and Jacobson, whose upper bound follows from the slowest link.

use kernel::{Duration, Stream};
use parameters::{Conflict, parameters};

use super::{FlowPath, Jitter};

parameters! {
    /// Uniform between two times.
    #[check(conflict)]
    pub struct Uniform {
        /// Smallest jitter.
        pub low: Duration = "0 s",
        /// Largest jitter.
        pub high: Duration,
    }
}

impl Uniform {
    /// The jitter of one flow.
    pub fn build(&self, path: &FlowPath) -> Box<dyn Jitter> {
        Box::new(Between {
            low: self.low,
            high: self.high,
            random: path.stream(),
        })
    }

    fn conflict(&self) -> Option<Conflict> {
        (self.low > self.high).then(|| Conflict {
            name: "low",
            problem: format!("`{}` exceeds `high`, which is `{}`", self.low, self.high),
            hint: format!("write at most `\"{}\"`", self.high),
        })
    }
}

struct Between {
    low: Duration,
    high: Duration,
    random: Stream,
}

impl Jitter for Between {
    fn next(&mut self) -> Duration {
        self.random.uniform(self.low, self.high)
    }
}
