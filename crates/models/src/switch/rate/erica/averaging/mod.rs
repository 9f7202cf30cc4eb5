//! How the load is averaged over intervals.

parameters::registry! {
    /// Averaging of the load factor over intervals.
    pub enum AveragingSpec builds Box<dyn Averaging>, for () {
        load => Load,
        cells => Cells,
    }
}

/// What was measured in an interval.
#[derive(Clone, Copy, Debug)]
pub struct Measured {
    /// ABR cells that came.
    pub cells: f64,
    /// Capacity meant for them, in cells a second.
    pub capacity: f64,
    /// How long it was, in seconds.
    pub length: f64,
}

impl Measured {
    /// Cells over capacity, infinite where there is none.
    pub fn load(&self) -> f64 {
        if self.capacity > 0.0 {
            self.cells / self.length / self.capacity
        } else {
            f64::INFINITY
        }
    }
}

/// What feedback is made of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Averaged {
    /// Cells over capacity.
    pub load: f64,
    /// Capacity to be shared, in cells a second.
    pub capacity: f64,
}

/// Averages what is measured in one interval after another.
pub trait Averaging {
    /// An interval ends.
    fn average(&mut self, measured: Measured) -> Averaged;
}
