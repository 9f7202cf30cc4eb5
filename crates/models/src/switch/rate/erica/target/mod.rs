//! How much of the capacity ABR cells are meant to fill.

parameters::registry! {
    /// Capacity that ABR cells are meant to fill.
    pub enum TargetSpec builds Box<dyn Target>, for () {
        utilization => Utilization,
        queue => Queue,
    }
}

/// What there is to be filled, in cells a second.
#[derive(Clone, Copy, Debug)]
pub struct Available {
    /// The link.
    pub link: f64,
    /// What others take from ABR channels.
    pub taken: f64,
    /// What ABR channels get whatever others take.
    pub guaranteed: f64,
    /// ABR cells that wait.
    pub queue: u64,
}

/// Says how much is to be filled.
pub trait Target {
    /// Capacity for ABR cells, in cells a second.
    fn capacity(&self, available: Available) -> f64;
}
