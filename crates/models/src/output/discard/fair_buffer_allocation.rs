//! Fair buffer allocation (FBA): a VC may hold less as the buffer fills.
//!
//! Like selective drop, this policy drops a PDU that begins if its VC holds more than a multiple of
//! the mean over the VCs that have cells waiting. Of the X cells in a buffer of K cells, Y belong
//! to the VC, and N VCs have cells waiting; the policy drops if Y N / X > Z (K - R) / (X - R). The
//! multiple falls from infinity at the threshold R to `factor` Z when the buffer is full, so a
//! short queue drops PDUs only of VCs that hold far more than their share.
//!
//! Heinanen and Kilkki, "A Fair Buffer Allocation Scheme", Computer Communications 21(3), 1998,
//! whose subject is this rule.

use parameters::{Amount, parameters};

use super::{Buffer, Discard, DiscardKind};
use crate::output::decision::pdus::{Overflow, WholePdus};
use crate::output::decision::shares::{ByShare, FairShare};

parameters! {
    /// Fair buffer allocation (FBA): beyond a threshold, drops whole PDUs of VCs that hold more
    /// than a multiple of the mean occupancy; the multiple falls as the buffer fills.
    #[alias("fba")]
    pub struct FairBufferAllocation {
        #[as_in(FairShare)]
        pub threshold: Amount = "50 %",
        /// Largest occupancy of a VC when the buffer is full, as a multiple of the mean over the
        /// VCs that have cells waiting.
        #[as_in(FairShare)]
        pub factor: f64,
        #[as_in(WholePdus)]
        pub overflow: Overflow,
    }
}

impl FairBufferAllocation {
    /// The policy for one buffer.
    pub fn build(&self, buffer: &Buffer) -> Box<dyn Discard> {
        let threshold = buffer.units(self.threshold);
        let (factor, capacity) = (self.factor, buffer.capacity);
        let may_begin = move |queued: u64, threshold: u64, [own, all]: [f64; 2]| {
            // Z (K - R), the bound of Y N / X times X - R.
            let scale = factor * capacity.saturating_sub(threshold) as f64;
            let beyond = queued.saturating_sub(threshold) as f64;
            own * beyond <= scale * all
        };
        Box::new(ByShare::new(buffer, self.overflow, threshold, may_begin))
    }
}

impl DiscardKind for FairBufferAllocation {
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
    /// threshold of 4.
    fn beside(waiting: &str, offers: &str) -> String {
        let spec = FairBufferAllocation {
            threshold: Amount::Cells(4),
            ..FairBufferAllocation::defaults()
        };
        let mut policy = spec.build(&Buffer::of_cells(10, 53, 3));
        decisions_beside(&mut *policy, waiting, offers)
    }

    #[test]
    fn a_vc_may_hold_less_as_the_buffer_fills() {
        // One cell beyond the threshold: the multiple is 0.8 * 6 / 1 = 4.8, but no VC of three can
        // hold more than three times the mean.
        assert_eq!(beside("aaabc", "A"), "+");
        // Four cells beyond the threshold: the multiple is 0.8 * 6 / 4 = 1.2, and the mean of two
        // VCs is 4.
        assert_eq!(beside("aaaabbbb", "AB"), "++");
        assert_eq!(beside("aaaaabbb", "aaABB"), "---++");
        // Five cells beyond the threshold: the multiple is 0.96, and the mean of two VCs is 4.5, so
        // more than 4.32 cells are too many.
        assert_eq!(beside("aaaaabbbb", "AB"), "-+");
    }

    #[test]
    fn up_to_the_threshold_no_pdu_is_dropped() {
        assert_eq!(beside("aaaa", "A"), "+");
    }

    #[test]
    fn cells_of_an_empty_vc_are_dropped_only_if_they_do_not_fit() {
        assert_eq!(beside("aaaaabbbb", "ccC"), "+++");
        assert_eq!(beside("aaaaabbbbb", "ccC"), "---");
    }
}
