//! Averages of the load over intervals: Kalyanaraman, dissertation, Ohio State University, 1997,
//! section 6.15.

parameters::registry! {
    /// Averaging of the load factor over intervals.
    pub enum AveragingSpec builds Box<dyn Averaging>, for () {
        load => Load,
        cells => Cells,
    }
}

/// The measurements of an interval.
#[derive(Clone, Copy, Debug)]
pub struct IntervalMeasurement {
    /// ABR cells that arrived.
    pub cells: f64,
    /// Target capacity for ABR cells, in cells per second.
    pub capacity: f64,
    /// Length of the interval, in seconds.
    pub length: f64,
}

impl IntervalMeasurement {
    /// Load factor: the arrival rate divided by the capacity; infinite without capacity.
    pub fn load(&self) -> f64 {
        if self.capacity > 0.0 {
            self.cells / self.length / self.capacity
        } else {
            f64::INFINITY
        }
    }
}

/// The averages from which feedback is computed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Averaged {
    /// Load factor.
    pub load: f64,
    /// Capacity that the VCs share, in cells per second.
    pub capacity: f64,
}

/// Averages the measurements of successive intervals.
pub trait Averaging: Send {
    /// Adds the measurements of an interval that ends, and returns the averages.
    fn average(&mut self, measured: IntervalMeasurement) -> Averaged;
}
