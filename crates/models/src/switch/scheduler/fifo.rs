//! First in, first out: one queue for all virtual channels of an output.

use parameters::parameters;

use super::{Channels, Service};

parameters! {
    /// Cells leave in the order in which they were accepted, whatever channel they are on.
    pub struct Fifo {}
}

impl Fifo {
    /// The service of one output.
    pub fn build(&self, _channels: &Channels) -> Service {
        Service::InOrder
    }
}
