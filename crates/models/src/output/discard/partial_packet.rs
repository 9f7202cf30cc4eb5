//! Partial packet discard (PPD): after a drop, drop the rest of the PDU.
//!
//! Once a cell of a PDU is dropped, its other cells only waste the link. This policy drops them,
//! except the last cell of the PDU, which separates the remains of the PDU from the next one. Cells
//! of the PDU that are already queued stay.
//!
//! Armitage and Adams, "Packet Reassembly During Cell Loss", IEEE Network 7(5), 1993; Romanow and
//! Floyd, "Dynamics of TCP Traffic over ATM Networks", IEEE JSAC 13(4), 1995, section 4.

use parameters::parameters;

use super::{Buffer, Decision, Discard, DiscardKind, Occupancy, Promise};
use crate::wire::cell::Cell;
use crate::wire::vc::Vc;

parameters! {
    /// Partial packet discard (PPD): after one dropped cell, drops the remaining cells of its PDU
    /// except the last.
    #[alias("ppd")]
    pub struct PartialPacket {}
}

impl PartialPacket {
    /// The policy for one buffer.
    pub fn build(&self, buffer: &Buffer) -> Box<dyn Discard> {
        Box::new(State {
            discarding: vec![false; buffer.vcs],
        })
    }
}

impl DiscardKind for PartialPacket {
    fn needs_shared_queue(&self) -> bool {
        false
    }

    fn drop_levels(&self, _buffer: &Buffer) -> Vec<(&'static str, u64)> {
        Vec::new()
    }

    fn drops_whole_packets(&self) -> bool {
        false
    }

    fn needs_cells(&self) -> bool {
        true
    }
}

struct State {
    /// By virtual channel: true if a cell of the present PDU was dropped.
    discarding: Vec<bool>,
}

impl Discard for State {
    fn admit(&mut self, cell: &Cell, buffer: Occupancy) -> Decision {
        let discarding = &mut self.discarding[cell.vc.index()];
        if cell.ends_pdu() {
            // The last cell is accepted if it fits; the next PDU is decided afresh.
            *discarding = false;
        } else if *discarding {
            return Decision::Drop;
        }
        if buffer.fits() {
            return Decision::Accept;
        }
        *discarding = !cell.ends_pdu();
        Decision::Drop
    }

    fn promises(&self) -> bool {
        true
    }

    fn promise(&self, vc: Vc) -> Promise {
        if self.discarding[vc.index()] {
            Promise::Drop
        } else {
            Promise::Accept
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::script::decisions;
    use super::*;

    fn policy() -> State {
        State {
            discarding: vec![false],
        }
    }

    #[test]
    fn drops_the_rest_of_a_damaged_pdu_but_not_its_end() {
        assert_eq!(decisions(&mut policy(), "9 10 5 5 5. 5 5."), "+---+++");
    }

    #[test]
    fn an_end_that_does_not_fit_is_dropped_and_the_next_pdu_starts_afresh() {
        assert_eq!(decisions(&mut policy(), "9 10. 9 9."), "+-++");
        assert_eq!(decisions(&mut policy(), "10 10. 9 9."), "--++");
    }
}
