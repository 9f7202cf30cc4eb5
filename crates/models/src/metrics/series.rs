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

/// What waits at an output over time.
#[derive(Clone, Debug)]
pub struct QueueSeries {
    /// All that waits.
    pub all: Series,
    /// What waits on each virtual channel; nothing where all are in one queue.
    pub by_vc: Vec<Series>,
    /// What waits of each service class that may be there, by its number; nothing where they are not
    /// told apart.
    pub by_class: Vec<(usize, Series)>,
}

impl QueueSeries {
    /// Series sampled at multiples of `every`, for `vcs` channels with a queue each and these classes.
    pub fn new(every: Duration, vcs: usize, classes: &[usize]) -> QueueSeries {
        let of_class = |class: &usize| (*class, Series::new(every));
        QueueSeries {
            all: Series::new(every),
            by_vc: vec![Series::new(every); vcs],
            by_class: classes.iter().map(of_class).collect(),
        }
    }
}

/// What was dropped, and when.
#[derive(Clone, Debug, Default)]
pub struct Drops {
    /// Virtual channel of each unit.
    pub vcs: Series,
    /// PDU or packet that it belonged to, at the same instants; zero of an RM cell.
    pub pdus: Series,
}

/// A unit that is dropped.
#[derive(Clone, Copy, Debug)]
pub struct Dropped {
    /// Virtual channel.
    pub vc: usize,
    /// PDU or packet that it belongs to, as its sender counted it; none if it is an RM cell.
    pub pdu: Option<u32>,
    /// Its frame goes with it.
    pub eom: bool,
}

impl Drops {
    /// A unit is dropped.
    pub fn push(&mut self, now: Time, unit: Dropped) {
        self.vcs.push(now, unit.vc as f64);
        self.pdus.push(now, unit.pdu.map_or(0.0, f64::from));
    }
}
