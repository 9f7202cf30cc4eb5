//! Measurements of a rate allocator: the quantities of ERICA, which Jain et al., "TCP/IP over ABR",
//! 1996, report.

use kernel::{Duration, Time};

use super::metric::{Measurement, Metric};
use super::series::Series;
use super::table::port;

/// State of a rate allocator. Rates are in cells per second.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Allocation {
    /// ABR capacity that the allocator shares out.
    pub capacity: f64,
    /// Load factor: the input rate over the capacity; infinite for a capacity of zero.
    pub load: f64,
    /// Number of active VCs; a fraction where the weight of VCs without cells decays over time.
    pub active: f64,
    /// Equal share of the capacity.
    pub fair_share: f64,
}

/// Measures a rate allocator over averaging intervals.
#[derive(Clone, Debug)]
pub struct AllocationMeter {
    /// The present state.
    pub present: Allocation,
    seconds: f64,
    active: f64,
    fair_share: f64,
    cells: f64,
    capacity: f64,
    /// State over time, if recorded.
    pub series: Option<Box<AllocationSeries>>,
}

impl AllocationMeter {
    /// A meter before the first interval.
    pub fn new(present: Allocation) -> AllocationMeter {
        AllocationMeter {
            present,
            seconds: 0.0,
            active: 0.0,
            fair_share: 0.0,
            cells: 0.0,
            capacity: 0.0,
            series: None,
        }
    }

    /// Restarts the counts; an averaging interval in progress counts when it ends.
    pub fn begin(&mut self) {
        *self = AllocationMeter {
            series: self.series.take(),
            ..AllocationMeter::new(self.present)
        };
    }

    /// An interval of `length` seconds ends, with `cells` arrivals for a `capacity` in cells per
    /// second; the new state holds for the next interval.
    #[inline]
    pub fn interval_ended(&mut self, length: f64, cells: f64, capacity: f64, next: Allocation) {
        self.interval_passed(length, capacity);
        self.cells += cells;
        self.present = next;
    }

    /// An interval of `length` seconds ends without arrivals, and the state stays.
    #[inline]
    pub fn interval_passed(&mut self, length: f64, capacity: f64) {
        self.seconds += length;
        self.active += self.present.active * length;
        self.fair_share += self.present.fair_share * length;
        self.capacity += capacity * length;
    }

    /// Adds the samples due until `through`.
    pub fn hold(&mut self, through: Time) {
        let Allocation {
            capacity,
            load,
            active,
            fair_share,
        } = self.present;
        if let Some(series) = &mut self.series {
            series.capacity.hold(through, capacity);
            series.load.hold(through, load);
            series.active.hold(through, active);
            series.fair_share.hold(through, fair_share);
        }
    }

    /// The measurements, if an interval has ended.
    pub fn read(&self) -> Option<AllocationReading> {
        (self.seconds > 0.0).then(|| AllocationReading {
            active: self.active / self.seconds,
            fair_share: self.fair_share / self.seconds,
            load: (self.capacity > 0.0).then(|| self.cells / self.capacity),
            capacity: self.capacity,
            seconds: self.seconds,
        })
    }
}

/// Measurements of a rate allocator over the measured time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AllocationReading {
    /// Mean number of active VCs.
    pub active: f64,
    /// Mean fair share, in cells per second.
    pub fair_share: f64,
    /// ABR cells offered over the capacity for ABR cells; none if there was no capacity.
    pub load: Option<f64>,
    /// Capacity for ABR cells in the measured time, in cells.
    pub capacity: f64,
    /// Sum of the averaging intervals, in seconds.
    pub seconds: f64,
}

impl AllocationReading {
    /// Metrics with their values.
    pub fn metrics(&self) -> impl Iterator<Item = Measurement> {
        let metrics = [
            (port::load_factor::mean, self.load),
            (port::active_vcs::mean, Some(self.active)),
            (port::fair_share::mean, Some(self.fair_share)),
            (port::abr_capacity, Some(self.capacity)),
            (port::allocation_time, Some(self.seconds)),
        ];
        let known = |(metric, value): (&'static Metric, Option<f64>)| Some((metric, value?));
        metrics.into_iter().filter_map(known)
    }
}

/// State of a rate allocator over time.
#[derive(Clone, Debug)]
pub struct AllocationSeries {
    /// Capacity, in cells per second.
    pub capacity: Series,
    /// Load factor.
    pub load: Series,
    /// Active VCs.
    pub active: Series,
    /// Fair share, in cells per second.
    pub fair_share: Series,
}

impl AllocationSeries {
    /// Series sampled at multiples of `every`.
    pub fn new(every: Duration) -> AllocationSeries {
        let series = Series::new(every);
        AllocationSeries {
            capacity: series.clone(),
            load: series.clone(),
            active: series.clone(),
            fair_share: series,
        }
    }
}
