//! One path: the first of the equal ones, in the order in which their links are written. It is what a
//! shortest-path protocol without multipath routing does (RFC 2328, section 16.1, leaves the choice
//! open); the order is our own.

use parameters::parameters;

use super::{Fork, PathChoice, PathsKind};

parameters! {
    /// The link that is written first.
    pub struct Single {}
}

impl Single {
    /// No choice: lowering takes the first link.
    pub fn build(&self, _fork: &Fork) -> Option<Box<dyn PathChoice>> {
        None
    }
}

impl PathsKind for Single {
    fn divides(&self) -> bool {
        false
    }

    fn keeps_together(&self) -> bool {
        true
    }
}
