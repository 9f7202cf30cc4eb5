//! The decision by the space that is left: tail drop of Romanow and Floyd, "Dynamics of TCP Traffic
//! over ATM Networks", IEEE JSAC 13(4), 1995, section 3, on which other policies build.

use super::{Decision, Discard, Occupancy, Promise};
use crate::wire::cell::Cell;
use crate::wire::vc::Vc;

/// Accepts exactly the units that fit into the buffer.
pub struct AcceptIfFits;

impl Discard for AcceptIfFits {
    fn admit(&mut self, _cell: &Cell, buffer: Occupancy) -> Decision {
        if buffer.fits() {
            Decision::Accept
        } else {
            Decision::Drop
        }
    }

    fn accepts_what_fits(&self) -> bool {
        true
    }

    fn promises(&self) -> bool {
        true
    }

    fn promise(&self, _vc: Vc) -> Promise {
        Promise::Accept
    }
}
