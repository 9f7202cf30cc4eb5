//! Time series, recorded on request. Our own choice: samples at equal intervals, so that the series
//! of several runs can be compared sample by sample.

use kernel::{Duration, Time};

/// Samples of a quantity on a grid of instants, from the start of the run on.
///
/// Most quantities change rarely, so consecutive equal samples are kept as one entry.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Series {
    every: Duration,
    next: Time,
    taken: u32,
    /// Number of the first sample of each entry.
    starts: Vec<u32>,
    /// Value of each entry.
    values: Vec<f64>,
}

impl Series {
    /// A series sampled at multiples of `every`, which is not zero.
    pub fn new(every: Duration) -> Series {
        Series {
            every,
            ..Series::default()
        }
    }

    /// Adds the samples due before or at `through`.
    ///
    /// The quantity changes only at known instants, so one call just before each change suffices.
    pub fn catch_up(&mut self, through: Time, mut value: impl FnMut(Time) -> f64) {
        while self.next <= through {
            let now = self.next;
            self.add(1, value(now));
            self.next += self.every;
        }
    }

    /// Adds the samples due before or at `through`, where the quantity has been `value` since the
    /// last sample.
    pub fn hold(&mut self, through: Time, value: f64) {
        if self.next <= through {
            let samples = through.since(self.next).ps() / self.every.ps() + 1;
            self.add(
                u32::try_from(samples).expect("fewer than 2^32 samples"),
                value,
            );
            self.next += self.every * samples;
        }
    }

    fn add(&mut self, samples: u32, value: f64) {
        if self.values.last() != Some(&value) {
            self.starts.push(self.taken);
            self.values.push(value);
        }
        self.taken += samples;
    }

    /// Time of the next sample.
    pub fn due(&self) -> Time {
        self.next
    }

    /// Instants of all samples.
    pub fn times(&self) -> impl Iterator<Item = Time> + '_ {
        (0..u64::from(self.taken)).map(|sample| Time::ZERO + self.every * sample)
    }

    /// Values of all samples.
    pub fn values(&self) -> impl Iterator<Item = f64> + '_ {
        let ends = self.starts.iter().skip(1).chain([&self.taken]);
        let runs = self.starts.iter().zip(ends).zip(&self.values);
        runs.flat_map(|((start, end), value)| (*start..*end).map(|_| *value))
    }

    /// The samples, converted by `measure`.
    pub fn map(mut self, measure: impl Fn(f64) -> f64) -> Series {
        for value in &mut self.values {
            *value = measure(*value);
        }
        self
    }
}

/// Queue of an output over time.
#[derive(Clone, Debug)]
pub struct QueueSeries {
    /// The whole queue.
    pub all: Series,
    /// The queue of each virtual channel; empty where the VCs share one queue.
    pub by_vc: Vec<Series>,
    /// The queue of each service class in use, by its number; empty if the scheduler does not
    /// distinguish classes.
    pub by_class: Vec<(usize, Series)>,
}

impl QueueSeries {
    /// Series sampled at multiples of `every`, for `vcs` VCs with a queue each, and for these
    /// classes.
    pub fn new(every: Duration, vcs: usize, classes: &[usize]) -> QueueSeries {
        let of_class = |class: &usize| (*class, Series::new(every));
        QueueSeries {
            all: Series::new(every),
            by_vc: vec![Series::new(every); vcs],
            by_class: classes.iter().map(of_class).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const US: fn(u64) -> Time = |us| Time::from_ps(us * 1_000_000);

    #[test]
    fn equal_samples_are_kept_as_one_and_read_one_by_one() {
        let mut series = Series::new(Duration::from_us(10));
        series.hold(US(25), 4.0);
        series.catch_up(US(40), |now| if now < US(40) { 4.0 } else { 7.0 });
        series.hold(US(45), 1.0);
        series.hold(US(60), 4.0);
        assert_eq!(series.values.len(), 3);
        let times: Vec<Time> = series.times().collect();
        assert_eq!(times, [0, 10, 20, 30, 40, 50, 60].map(US));
        let values: Vec<f64> = series.values().collect();
        assert_eq!(values, [4.0, 4.0, 4.0, 4.0, 7.0, 4.0, 4.0]);
        let doubled: Vec<f64> = series.map(|value| 2.0 * value).values().collect();
        assert_eq!(doubled, [8.0, 8.0, 8.0, 8.0, 14.0, 8.0, 8.0]);
    }
}
