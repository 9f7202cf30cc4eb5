//! Time series of a paced VC.

use kernel::{Duration, Time};

use crate::metrics::Series;

/// A paced VC over time.
#[derive(Clone, Debug)]
pub struct PacedSeries {
    /// Cells that wait.
    pub queue: Series,
    /// Allowed cell rate, in cells per second, where it varies.
    pub acr: Option<Series>,
}

/// The recorded series; none if the VC is not recorded.
#[derive(Clone, Debug)]
pub struct PacedRecording {
    /// Time of the next sample; [`Time::NEVER`] unless the VC is recorded.
    due: Time,
    series: Option<Box<PacedSeries>>,
}

impl PacedRecording {
    /// Nothing is recorded.
    pub fn none() -> PacedRecording {
        PacedRecording {
            due: Time::NEVER,
            series: None,
        }
    }

    /// Recording with a sample every `every` from the start on; with the allowed rate if it
    /// `changes`.
    pub fn every(every: Duration, changes: bool) -> PacedRecording {
        PacedRecording {
            due: Time::ZERO,
            series: Some(Box::new(PacedSeries {
                queue: Series::new(every),
                acr: changes.then(|| Series::new(every)),
            })),
        }
    }

    /// Time of the next sample.
    #[inline]
    pub fn due(&self) -> Time {
        self.due
    }

    /// Takes the samples due up to `now`. Since the last call `waiting` cells have waited, and the
    /// allowed rate has been `acr`.
    #[cold]
    pub fn sample(&mut self, now: Time, waiting: u64, acr: Option<f64>) {
        if let Some(series) = &mut self.series {
            series.queue.hold(now, waiting as f64);
            if let (Some(of_acr), Some(acr)) = (&mut series.acr, acr) {
                of_acr.hold(now, acr);
            }
            self.due = series.queue.due();
        }
    }

    /// Returns the recorded series.
    pub fn take(&mut self) -> Option<PacedSeries> {
        self.due = Time::NEVER;
        self.series.take().map(|series| *series)
    }
}
