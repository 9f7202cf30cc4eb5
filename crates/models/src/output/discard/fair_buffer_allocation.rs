//! Fair buffer allocation (FBA): the fuller the buffer, the less of it a channel may hold.
//!
//! As with selective drop, a PDU that has not begun is refused if its channel holds more than so many
//! times the mean of those that have cells waiting. But how many times falls, from infinity at the
//! threshold R to `factor` Z where the buffer of K cells is full: Y N / X > Z (K - R) / (X - R).
//! So a channel is refused early only if it holds far more than its part.
//!
//! Heinanen and Kilkki, "A Fair Buffer Allocation Scheme", Computer Communications 21(3), 1998.

use parameters::{Amount, parameters};

use super::{Buffer, Discard};
use crate::output::pdus::Overflow;
use crate::output::shares::ByShare;

parameters! {
    /// Fair buffer allocation (FBA): beyond a threshold, drops whole PDUs of channels that hold
    /// more than a multiple of the mean occupancy; the multiple falls as the buffer fills.
    pub struct FairBufferAllocation {
        /// Queue length beyond which the occupancy of channels is compared.
        pub threshold: Amount = "50 %",
        /// Largest occupancy of a channel when the buffer is full, as a multiple of the mean over
        /// channels with cells waiting.
        #[range(0.01, 100)]
        pub factor: f64 = 0.8,
        /// Treatment of an accepted PDU when one of its cells finds the buffer full.
        pub overflow: Overflow = "partial_packet",
    }
}

impl FairBufferAllocation {
    /// The policy for one buffer.
    pub fn build(&self, buffer: &Buffer) -> Box<dyn Discard> {
        let threshold = buffer.units(self.threshold);
        // The share of a channel, times the queue beyond the threshold, has this bound.
        let scale = self.factor * buffer.capacity.saturating_sub(threshold) as f64;
        let may_begin = move |queued: u64, [held, all]: [f64; 2]| {
            let beyond = queued.saturating_sub(threshold) as f64;
            held * beyond <= scale * all
        };
        Box::new(ByShare::new(buffer, self.overflow, may_begin))
    }
}

#[cfg(test)]
mod tests {
    use parameters::Record;

    use super::super::script::verdicts_beside;
    use super::*;

    /// What becomes of cells that find those of `waiting` in a buffer of ten with a threshold of 4.
    fn beside(waiting: &str, offers: &str) -> String {
        let spec = FairBufferAllocation {
            threshold: Amount::Cells(4),
            ..FairBufferAllocation::defaults()
        };
        let mut policy = spec.build(&Buffer::of_cells(10, 53, 3));
        verdicts_beside(&mut *policy, waiting, offers)
    }

    #[test]
    fn the_limit_of_a_channel_falls_as_the_buffer_fills() {
        // One beyond the threshold, 0.8 * 6 / 1 times the mean; and the mean of three channels is at
        // least a third of what any of them has.
        assert_eq!(beside("aaabc", "A"), "+");
        // Four beyond, 0.8 * 6 / 4 = 1.2 times: 4.8 of eight cells of two channels.
        assert_eq!(beside("aaaabbbb", "AB"), "++");
        assert_eq!(beside("aaaaabbb", "aaABB"), "---++");
        // Five beyond, 0.96 times: 4.32 of nine.
        assert_eq!(beside("aaaaabbbb", "AB"), "-+");
    }

    #[test]
    fn up_to_the_threshold_refuses_nobody() {
        assert_eq!(beside("aaaa", "A"), "+");
    }

    #[test]
    fn a_channel_without_cells_is_refused_only_for_lack_of_room() {
        assert_eq!(beside("aaaaabbbb", "ccC"), "+++");
        assert_eq!(beside("aaaaabbbbb", "ccC"), "---");
    }
}
