//! Independent bit errors: a packet or a cell of n bits is damaged with probability 1 - (1 - p)^n,
//! where p is the bit error ratio.
//!
//! The objectives of Ethernet's task forces bound this ratio, as it is after error correction, where
//! the MAC receives frames: 1e-12 for 40 and 100 Gbit/s (IEEE P802.3ba), 1e-13 for 200 and 400 Gbit/s
//! (IEEE P802.3bs). The receiver of a damaged packet discards it, since its check sequence is wrong.
//! Our own choices: errors are independent, as in the formula, though those after correction come in
//! bursts; and a damaged cell is lost, so that its PDU is damaged, as by the check sequence of AAL5.

use kernel::Stream;
use parameters::parameters;

use super::{LinkLoss, LossKind, LossUnit, SentUnit, Way};

parameters! {
    /// Independent bit errors: each packet or cell with an error is lost.
    #[alias("ber")]
    #[alias("bit_error_ratio")]
    pub struct BitErrors {
        /// Bit error ratio, after error correction: share of bits that arrive wrong, such as `1e-12`.
        #[alias("rate")]
        #[range(0.0, 0.1)]
        #[example(1e-9)]
        pub ratio: f64,
    }
}

impl BitErrors {
    /// The loss in one direction.
    pub fn build(&self, way: &Way) -> Option<Box<dyn LinkLoss>> {
        Some(Box::new(State {
            ratio: self.ratio,
            random: way.stream(),
            ordered_sets: way.stream_of_ordered_sets(),
        }))
    }
}

impl LossKind for BitErrors {
    fn unit(&self) -> LossUnit {
        LossUnit::Cell
    }

    fn needs_instants(&self) -> bool {
        true
    }

    fn listed(&self) -> Option<&[u64]> {
        None
    }
}

struct State {
    ratio: f64,
    random: Stream,
    ordered_sets: Stream,
}

impl State {
    /// Probability of an error in `octets`.
    fn chance(&self, octets: u64) -> f64 {
        // The two functions keep the precision of small ratios, which 1 - (1 - p)^n loses.
        -libm::expm1(8.0 * octets as f64 * libm::log1p(-self.ratio))
    }
}

impl LinkLoss for State {
    fn next(&mut self, sent: SentUnit) -> bool {
        self.random.unit() < self.chance(sent.octets)
    }

    fn loses_ordered_set(&mut self, sent: SentUnit) -> bool {
        self.ordered_sets.unit() < self.chance(sent.octets)
    }

    fn damages(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::super::script::way;
    use super::*;

    fn lost(ratio: f64, octets: u64, units: usize) -> usize {
        let mut loss = BitErrors { ratio }.build(&way(false)).expect("a loss");
        let start = kernel::Time::ZERO;
        let units = 0..units;
        units
            .filter(|_| loss.next(SentUnit { start, octets }))
            .count()
    }

    #[test]
    fn a_unit_is_lost_if_any_of_its_bits_is_wrong() {
        // 1 - (1 - 1e-5)^8000 = 0.076884; four standard deviations of a binomial count are 107.
        let of_packets = lost(1e-5, 1000, 10_000);
        assert!(of_packets.abs_diff(769) < 107, "{of_packets}");
        // 1 - (1 - 1e-5)^424 = 0.0042310; four standard deviations are 82.
        let of_cells = lost(1e-5, 53, 100_000);
        assert!(of_cells.abs_diff(423) < 82, "{of_cells}");
    }

    #[test]
    fn small_ratios_keep_their_precision() {
        let state = State {
            ratio: 1e-15,
            random: way(false).stream(),
            ordered_sets: way(false).stream(),
        };
        // To first order, n p.
        assert!((state.chance(1000) / 8e-12 - 1.0).abs() < 1e-9);
    }

    #[test]
    fn nothing_is_lost_without_errors() {
        assert_eq!(lost(0.0, 9000, 1000), 0);
    }
}
