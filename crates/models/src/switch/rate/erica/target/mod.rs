//! The target capacity: the part of the link that ABR cells should fill. Kalyanaraman, dissertation,
//! Ohio State University, 1997, chapter 6.

parameters::registry! {
    /// Capacity that ABR cells are meant to fill.
    pub enum TargetSpec builds Box<dyn Target>, for () {
        utilization => Utilization,
        queue => Queue,
    }
}

/// The capacity of an output, in cells per second, and its queue.
#[derive(Clone, Copy, Debug)]
pub struct Available {
    /// Rate of the link.
    pub link: f64,
    /// Rate that other classes take.
    pub taken: f64,
    /// Rate that the scheduler guarantees to ABR VCs.
    pub guaranteed: f64,
    /// Number of ABR cells that wait.
    pub queue: u64,
}

/// Computes the target capacity.
pub trait Target: Send {
    /// Target capacity for ABR cells, in cells per second.
    fn capacity(&self, available: Available) -> f64;
}
