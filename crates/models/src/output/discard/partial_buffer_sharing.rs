//! Partial buffer sharing: drop cells of low priority once the queue has reached a threshold.
//!
//! Cells with CLP = 1, such as those that a policer has tagged, share the buffer up to the
//! threshold; the rest of the buffer is kept for cells with CLP = 0. Whole packets have no such
//! priority, and are accepted until the buffer is full.
//!
//! Kröner, Hébuterne, Boyer and Gravey, "Priority Management in ATM Switching Nodes", IEEE JSAC
//! 9(3), 1991, pages 418 to 427, find its performance excellent for a simple scheme; ITU-T
//! Recommendation I.371, 1996, on selective cell discard.

use parameters::{Amount, parameters};

use super::{Buffer, Decision, Discard, DiscardKind, Occupancy};
use crate::wire::cell::Cell;

parameters! {
    /// Partial buffer sharing: drops cells of low priority (CLP = 1) once the queue has reached a
    /// threshold, and cells of high priority when the buffer is full.
    #[alias("pbs")]
    pub struct PartialBufferSharing {
        /// Queue length from which cells of low priority are dropped.
        pub threshold: Amount = "50 %",
    }
}

impl PartialBufferSharing {
    /// The policy for one buffer.
    pub fn build(&self, buffer: &Buffer) -> Box<dyn Discard> {
        Box::new(State {
            threshold: buffer.units(self.threshold),
        })
    }
}

impl DiscardKind for PartialBufferSharing {
    fn needs_shared_queue(&self) -> bool {
        false
    }

    fn drop_levels(&self, buffer: &Buffer) -> Vec<(&'static str, u64)> {
        vec![("threshold", buffer.units(self.threshold))]
    }

    fn drops_whole_packets(&self) -> bool {
        false
    }

    fn prefers_high_priority(&self) -> bool {
        true
    }
}

struct State {
    threshold: u64,
}

impl Discard for State {
    fn admit(&mut self, cell: &Cell, buffer: Occupancy) -> Decision {
        let may_join = !cell.clp() || buffer.queued < self.threshold;
        if may_join && buffer.fits() {
            Decision::Accept
        } else {
            Decision::Drop
        }
    }

    fn threshold(&mut self) -> Option<&mut u64> {
        Some(&mut self.threshold)
    }
}

#[cfg(test)]
mod tests {
    use super::super::script::decisions;
    use super::*;

    #[test]
    fn low_priority_is_dropped_from_the_threshold_on_and_high_when_the_buffer_is_full() {
        let mut policy = State { threshold: 5 };
        assert_eq!(decisions(&mut policy, "4 4~ 5 5~ 9 9~ 10 10~"), "+++-+---");
    }

    #[test]
    fn no_cell_joins_a_full_buffer_even_below_the_threshold() {
        let mut policy = State { threshold: 10 };
        assert_eq!(decisions(&mut policy, "9~ 10~ 10"), "+--");
    }
}
