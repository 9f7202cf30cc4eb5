//! Random draws, from a stream of the simulator's own.

use kernel::{Seed, Stream};

/// What a network is drawn with.
pub struct Dice(Stream);

impl Dice {
    /// The dice of one network.
    pub fn new(seed: u64) -> Dice {
        let seed = Seed {
            seed,
            replication: 0,
        };
        Dice(seed.stream("network", "shape"))
    }

    /// A number from `low` to `high`, both included.
    pub fn between(&mut self, low: u64, high: u64) -> u64 {
        low + self.0.below(high - low + 1)
    }

    /// A number from `low` to `high` whose logarithm is uniform.
    pub fn spread(&mut self, low: u64, high: u64) -> u64 {
        let [least, most] = [low, high].map(|bound| (bound.max(1) as f64).ln());
        let drawn = (least + (most - least) * self.0.unit()).exp();
        (drawn.round() as u64).clamp(low, high)
    }

    /// True with a probability in per cent.
    pub fn chance(&mut self, percent: u64) -> bool {
        self.0.below(100) < percent
    }

    /// One of several, each as likely.
    pub fn pick<'a, T>(&mut self, among: &'a [T]) -> &'a T {
        &among[self.0.below(among.len() as u64) as usize]
    }
}
