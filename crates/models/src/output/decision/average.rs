//! The moving average of a queue length, for random early detection: Floyd and Jacobson, "Random
//! Early Detection Gateways for Congestion Avoidance", IEEE/ACM Transactions on Networking 1(4), 1993,
//! section 4, with its rule for an idle queue.
//!
//! The average is a whole number with 32 bits of fraction, because every cell may update it.

use kernel::Duration;

/// Bits of the fraction.
const BITS: u32 = 32;

/// An exponentially weighted average of the queue lengths that arrivals find.
#[derive(Clone, Debug)]
pub struct Average {
    value: u128,
    /// Weight of the latest sample, in fixed point with `BITS` bits of fraction.
    weight: u64,
}

/// A share in fixed point with `BITS` bits of fraction.
pub fn parts(share: f64) -> u64 {
    (share * (1u64 << BITS) as f64).round() as u64
}

/// A queue length, in the unit of [`Average::value`].
pub const fn whole(units: u64) -> u128 {
    (units as u128) << BITS
}

impl Average {
    /// An average of zero; each sample has the weight `weight`, a fraction.
    pub fn new(weight: f64) -> Average {
        Average {
            value: 0,
            weight: parts(weight),
        }
    }

    /// Takes a sample: an arrival finds `queued` units waiting.
    pub fn sample(&mut self, queued: u64) {
        let sample = whole(queued);
        let step = |distance: u128| (distance * u128::from(self.weight)) >> BITS;
        if sample >= self.value {
            self.value += step(sample - self.value);
        } else {
            self.value -= step(self.value - sample);
        }
    }

    /// Accounts for the time `empty` in which the queue was empty: the average falls as if an
    /// arrival had found the queue empty after every `each`.
    pub fn idle(&mut self, empty: Duration, each: Duration) {
        let mut times = empty.ps() / each.ps().max(1);
        let mut factor = u128::from((1 << BITS) - self.weight);
        while times > 0 && self.value > 0 {
            if times % 2 == 1 {
                self.value = (self.value * factor) >> BITS;
            }
            factor = (factor * factor) >> BITS;
            times /= 2;
        }
    }

    /// The average, in parts of a unit.
    pub fn value(&self) -> u128 {
        self.value
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// True if the average is `expected`, to a thousandth.
    fn is(average: &Average, expected: f64) -> bool {
        (average.value() as f64 / whole(1) as f64 - expected).abs() < 1e-3
    }

    #[test]
    fn follows_the_queue_lengths_that_arrivals_find() {
        let mut average = Average::new(0.25);
        average.sample(8);
        assert!(is(&average, 2.0));
        average.sample(10);
        assert!(is(&average, 4.0));
        average.sample(0);
        assert!(is(&average, 3.0));
        for _ in 0..100 {
            average.sample(1000);
        }
        assert!(is(&average, 1000.0));
    }

    #[test]
    fn an_idle_time_counts_as_arrivals_that_find_an_empty_queue() {
        let [mut idle, mut sampled] = [(); 2].map(|()| Average::new(0.002));
        for average in [&mut idle, &mut sampled] {
            (0..5000).for_each(|_| average.sample(400));
        }
        idle.idle(Duration::from_us(1050), Duration::from_us(10));
        (0..105).for_each(|_| sampled.sample(0));
        let sampled = sampled.value() as f64 / whole(1) as f64;
        assert!((300.0..350.0).contains(&sampled) && is(&idle, sampled));
        idle.idle(Duration::from_ms(3_600_000), Duration::from_us(10));
        assert_eq!(idle.value(), 0);
    }
}
