//! No adaptation: a packet is cut into cells as it is, and padding fills the last one.
//!
//! Our own name for what switches do with packets inside: the header of a cell says where a packet
//! ends, and nothing is added to its octets.

use parameters::parameters;

use super::{Adaptation, CellAdaptation};

parameters! {
    /// Nothing is added: a packet fills as many cells as it has octets for.
    pub struct Unadapted {}
}

impl CellAdaptation for Unadapted {
    fn adaptation(&self) -> Adaptation {
        Adaptation {
            segment: 0,
            packet: 0,
            longest: None,
        }
    }
}
