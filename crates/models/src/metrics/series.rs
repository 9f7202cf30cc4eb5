//! Series: values over time, recorded on request.

use kernel::{Duration, Time};

/// Values at instants.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Series {
    /// Instants.
    pub times: Vec<Time>,
    /// Value at each of them.
    pub values: Vec<f64>,
    every: Duration,
    next: Time,
}

impl Series {
    /// A series sampled at multiples of `every`; zero for one that is only pushed to.
    pub fn new(every: Duration) -> Series {
        Series {
            every,
            ..Series::default()
        }
    }

    /// Adds a value.
    pub fn push(&mut self, now: Time, value: f64) {
        self.times.push(now);
        self.values.push(value);
    }

    /// Adds the samples due before or at `through`, on the grid of `every`.
    ///
    /// What is sampled changes only at known instants, so it need not be looked at on time: it
    /// suffices to call this just before each change.
    pub fn catch_up(&mut self, through: Time, mut value: impl FnMut(Time) -> f64) {
        while self.next <= through {
            let now = self.next;
            self.push(now, value(now));
            self.next += self.every;
        }
    }

    /// When the next sample is due.
    pub fn due(&self) -> Time {
        self.next
    }
}
