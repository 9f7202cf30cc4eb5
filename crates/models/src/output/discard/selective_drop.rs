//! Selective drop: drop PDUs of the VCs that hold more than their share of the queue.
//!
//! Early packet discard drops the next PDU of any VC, even of a VC without waiting cells. Beyond
//! the threshold this policy drops a PDU that begins only if its VC holds more than `factor` times
//! the mean over the VCs that have cells waiting. Of the X cells in the buffer, Y belong to the VC,
//! and N VCs have cells waiting; the policy drops if Y N / X > Z, where Z is `factor`. The buffer
//! therefore fills beyond its threshold, and the parameter `overflow` matters more.
//!
//! Goyal, Jain, Kalyanaraman, Fahmy and Kim, "UBR+: Improving Performance of TCP over ATM-UBR
//! Service", Proc. IEEE ICC 1997, section 5.

use parameters::{Amount, parameters};

use super::{Buffer, Discard, DiscardKind};
use crate::output::decision::pdus::{Overflow, WholePdus};
use crate::output::decision::shares::{ByShare, FairShare};

parameters! {
    /// Selective drop: beyond a threshold, drops whole PDUs of VCs that hold more than a multiple
    /// of the mean occupancy.
    pub struct SelectiveDrop {
        #[as_in(FairShare)]
        pub threshold: Amount = "90 %",
        /// Largest occupancy of a VC beyond the threshold, as a multiple of the mean over the VCs
        /// that have cells waiting.
        #[as_in(FairShare)]
        pub factor: f64,
        #[as_in(WholePdus)]
        pub overflow: Overflow,
    }
}

impl SelectiveDrop {
    /// The policy for one buffer.
    pub fn build(&self, buffer: &Buffer) -> Box<dyn Discard> {
        let threshold = buffer.units(self.threshold);
        let factor = self.factor;
        let may_begin = move |queued, threshold, [own, all]: [f64; 2]| {
            queued <= threshold || own <= factor * all
        };
        Box::new(ByShare::new(buffer, self.overflow, threshold, may_begin))
    }
}

impl DiscardKind for SelectiveDrop {
    fn needs_shared_queue(&self) -> bool {
        true
    }

    fn drop_levels(&self, buffer: &Buffer) -> Vec<(&'static str, u64)> {
        vec![("threshold", buffer.units(self.threshold))]
    }

    fn drops_whole_packets(&self) -> bool {
        true
    }

    fn parameter_of_cells(&self) -> Option<&'static str> {
        (self.overflow == Overflow::TailDrop).then_some("overflow")
    }
}

#[cfg(test)]
mod tests {
    use parameters::ParameterTable;

    use super::super::script::decisions_beside;
    use super::*;

    /// The decisions on `offers`, which find the cells `waiting` in a buffer of ten with a
    /// threshold of 6.
    fn beside(waiting: &str, offers: &str) -> String {
        let spec = SelectiveDrop {
            threshold: Amount::Cells(6),
            ..SelectiveDrop::defaults()
        };
        let mut policy = spec.build(&Buffer::of_cells(10, 53, 3));
        decisions_beside(&mut *policy, waiting, offers)
    }

    #[test]
    fn beyond_the_threshold_drops_pdus_of_vcs_that_hold_more_than_their_share() {
        // The mean of two VCs with eight cells is 4, so more than 0.8 * 4 = 3.2 cells are too many.
        assert_eq!(beside("aaaaabbb", "aaABb"), "---++");
        assert_eq!(beside("aaaabbbb", "AB"), "--");
        // VC `c` has no cells waiting.
        assert_eq!(beside("aaaaabbb", "ccC"), "+++");
    }

    #[test]
    fn up_to_the_threshold_no_pdu_is_dropped() {
        assert_eq!(beside("aaaaaa", "AbB"), "+++");
        assert_eq!(beside("aaaaaaa", "AbB"), "-++");
    }

    #[test]
    fn a_pdu_that_does_not_fit_is_damaged_on_any_vc() {
        assert_eq!(beside("aaaaaaaaab", "ccC"), "---");
    }
}
