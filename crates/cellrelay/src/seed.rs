//! Seeds of runs.

/// The seed of a run and the number of a replication: every use of chance in the run draws from a
/// stream of its own, derived from both.
///
/// Replications of one seed are independent. Two scenarios that run with one seed share the random
/// streams of their common parts, such as sources of the same name, so their difference has less
/// noise (common random numbers).
///
/// ```
/// use cellrelay::Seed;
///
/// assert_eq!(Seed::from(7), Seed::of(7, 0));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seed(pub(crate) kernel::Seed);

impl Seed {
    /// Replication number `replication`, counted from zero, of the seed `seed`.
    pub fn of(seed: u64, replication: u64) -> Seed {
        Seed(kernel::Seed { seed, replication })
    }

    /// The seed.
    pub fn seed(self) -> u64 {
        self.0.seed
    }

    /// Number of the replication.
    pub fn replication(self) -> u64 {
        self.0.replication
    }

    /// The same seed with another replication.
    #[must_use]
    pub fn with_replication(self, replication: u64) -> Seed {
        Seed::of(self.0.seed, replication)
    }
}

impl From<u64> for Seed {
    /// The first replication of a seed.
    fn from(seed: u64) -> Seed {
        Seed::of(seed, 0)
    }
}
