//! Uniform jitter between two spans.

use kernel::{Duration, Stream};
use parameters::parameters;

use super::{Jitter, Path};

parameters! {
    /// Uniform between two spans.
    pub struct Uniform {
        /// Least.
        pub low: Duration = "0 s",
        /// Most.
        pub high: Duration,
    }
}

impl Uniform {
    /// The jitter of one flow.
    pub fn build(&self, path: &Path) -> Box<dyn Jitter> {
        let high = self.high.max(self.low);
        Box::new(Between { low: self.low, high, random: path.stream() })
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
