//! Named random streams.
//!
//! Every use of random numbers draws from a stream of its own, keyed by (seed, replication, owner,
//! purpose). Adding a node or a source therefore changes the numbers of no other node, and two
//! policies can be compared on equal traffic. The generator is xoshiro256++ (Blackman and Vigna,
//! "Scrambled linear pseudorandom number generators", ACM TOMS 47(4), 2021); logarithms come from
//! `libm`, which gives equal bits on every machine, unlike the library of the platform.

use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::time::Duration;

/// The seed of a run, from which all its streams are derived.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seed {
    /// Seed chosen by the user.
    pub seed: u64,
    /// Number of the replication with that seed.
    pub replication: u64,
}

impl Seed {
    /// The stream that `owner` draws from for `purpose`.
    pub fn stream(self, owner: &str, purpose: &str) -> Stream {
        let mut key = Fnv::new();
        key.write(&self.seed.to_le_bytes());
        key.write(&self.replication.to_le_bytes());
        key.write(owner.as_bytes());
        // No name contains this byte, so the keys of ("ab", "c") and ("a", "bc") differ.
        key.write(&[0xff]);
        key.write(purpose.as_bytes());
        Stream(Xoshiro256PlusPlus::seed_from_u64(key.0))
    }
}

/// A stream of random numbers.
#[derive(Clone, Debug)]
pub struct Stream(Xoshiro256PlusPlus);

impl Stream {
    /// A stream for another purpose of the same owner, independent of this one.
    pub fn branch(&self) -> Stream {
        Stream(Xoshiro256PlusPlus::seed_from_u64(self.clone().bits()))
    }

    /// 64 uniform bits.
    pub fn bits(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A uniform number in [0, 1) with 53 random bits.
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
    }

    /// A uniform integer in [0, n), without bias: Lemire, "Fast random integer generation in an
    /// interval", ACM TOMACS 29(1), 2019.
    pub fn below(&mut self, n: u64) -> u64 {
        debug_assert!(n > 0);
        loop {
            let product = u128::from(self.bits()) * u128::from(n);
            if product as u64 >= n.wrapping_neg() % n {
                return (product >> 64) as u64;
            }
        }
    }

    /// Moves a uniformly random choice of `wanted` items, in random order, to the front: the shuffle
    /// of Fisher and Yates.
    pub fn shuffle<T>(&mut self, items: &mut [T], wanted: usize) {
        let last = items.len().saturating_sub(1);
        for index in 0..wanted.min(last) {
            let other = index + self.below((items.len() - index) as u64) as usize;
            items.swap(index, other);
        }
    }

    /// A uniform duration in [low, high], both ends included.
    pub fn uniform(&mut self, low: Duration, high: Duration) -> Duration {
        Duration::from_ps(low.ps() + self.below(high.ps() - low.ps() + 1))
    }

    /// An exponential number with mean one.
    #[inline]
    pub fn exponential_unit(&mut self) -> f64 {
        -libm::log(1.0 - self.unit())
    }

    /// An exponential duration with the given mean.
    pub fn exponential(&mut self, mean: Duration) -> Duration {
        Duration::from_seconds_f64(self.exponential_unit() * mean.seconds())
    }
}

/// 64 bits that depend on every bit of `bits`: the mixing of `SplitMix64` (Steele, Lea and Flood, "Fast
/// Splittable Pseudorandom Number Generators", OOPSLA 2014, figure 16).
pub fn mix(bits: u64) -> u64 {
    let bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}

/// FNV-1a, 64 bits: stable across machines and versions, unlike the standard hasher.
struct Fnv(u64);

impl Fnv {
    fn new() -> Fnv {
        Fnv(0xcbf2_9ce4_8422_2325)
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SEED: Seed = Seed {
        seed: 1,
        replication: 0,
    };

    #[test]
    fn streams_depend_on_every_part_of_their_name_and_on_nothing_else() {
        let first = |seed: Seed, owner, purpose| seed.stream(owner, purpose).bits();
        let base = first(SEED, "s1", "order");
        assert_eq!(base, first(SEED, "s1", "order"));
        assert_ne!(base, first(SEED, "s2", "order"));
        assert_ne!(base, first(SEED, "s1", "start"));
        assert_ne!(base, first(SEED, "s1o", "rder"));
        assert_ne!(base, first(Seed { seed: 2, ..SEED }, "s1", "order"));
        assert_ne!(
            base,
            first(
                Seed {
                    replication: 1,
                    ..SEED
                },
                "s1",
                "order"
            )
        );
    }

    #[test]
    fn numbers_are_the_same_on_every_machine() {
        let mut stream = SEED.stream("golden", "test");
        let drawn: Vec<u64> = (0..3).map(|_| stream.below(1_000_000)).collect();
        assert_eq!(drawn, GOLDEN);
    }

    const GOLDEN: [u64; 3] = [339_047, 548_442, 630_770];

    #[test]
    fn exponential_durations_have_the_given_mean() {
        let mut stream = SEED.stream("exponential", "test");
        let n = 200_000;
        let mean = Duration::from_ms(10);
        let sum: f64 = (0..n).map(|_| stream.exponential(mean).seconds()).sum();
        // Five standard errors of the mean of an exponential: 5 mean / sqrt(n).
        let tolerance = 5.0 * mean.seconds() / f64::from(n).sqrt();
        assert!((sum / f64::from(n) - mean.seconds()).abs() < tolerance);
    }

    #[test]
    fn uniform_durations_reach_both_ends() {
        let mut stream = SEED.stream("uniform", "test");
        let drawn: Vec<u64> = (0..200)
            .map(|_| {
                stream
                    .uniform(Duration::from_ps(3), Duration::from_ps(5))
                    .ps()
            })
            .collect();
        assert_eq!(drawn.iter().min(), Some(&3));
        assert_eq!(drawn.iter().max(), Some(&5));
    }
}
