//! Bursts of drops: drops between which the queue was never seen empty belong together.
//!
//! Events of a full queue cluster, and the clusters are nearly a Poisson process: Aldous, "Probability
//! Approximations via the Poisson Clumping Heuristic", 1989, chapter A. Intervals of a loss ratio need
//! the number of clusters, and how much their sizes differ.

/// Counts of bursts, in the units that a port counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Bursts {
    /// Number of bursts that have begun.
    pub count: u64,
    /// Sum of the squares of the sizes of all bursts but the last.
    squares: u128,
    /// Size of the last burst.
    last: u64,
    /// True if the last burst has ended.
    is_over: bool,
}

impl Bursts {
    /// As many units are dropped.
    pub fn drop(&mut self, units: u64) {
        if self.is_over || self.count == 0 {
            self.squares += u128::from(self.last) * u128::from(self.last);
            *self = Bursts {
                count: self.count + 1,
                last: 0,
                is_over: false,
                ..*self
            };
        }
        self.last += units;
    }

    /// The queue is empty.
    pub fn end(&mut self) {
        self.is_over = true;
    }

    /// Sum of the squares of the sizes of bursts.
    pub fn squares(&self) -> u128 {
        self.squares + u128::from(self.last) * u128::from(self.last)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drops_belong_to_one_burst_until_the_queue_is_empty() {
        let mut bursts = Bursts::default();
        bursts.end();
        assert_eq!((bursts.count, bursts.squares()), (0, 0));
        bursts.drop(1);
        bursts.drop(2);
        bursts.end();
        bursts.end();
        bursts.drop(4);
        assert_eq!((bursts.count, bursts.squares()), (2, 9 + 16));
        bursts.drop(1);
        assert_eq!((bursts.count, bursts.squares()), (2, 9 + 25));
    }
}
