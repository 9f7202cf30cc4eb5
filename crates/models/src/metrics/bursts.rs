//! Bursts of drops: a burst ends when as much has left the queue as waited at its last drop.
//!
//! Nothing is then left in a FIFO queue of what filled it at that drop. A queue that is empty has
//! forgotten it too, but on a busy link it may never be.
//! Events of a full queue cluster, and the clusters are nearly a Poisson process: Aldous, "Probability
//! Approximations via the Poisson Clumping Heuristic", 1989, chapter A. Intervals of a loss ratio need
//! the number of clusters, and how much their sizes differ.

/// Counts of bursts, in the units that a port counts.
///
/// Both counts, of accepted units and of those that have left, start at the same instant. A unit that
/// was queued before may still leave or be dropped, so both may be negative.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Bursts {
    /// Number of bursts that have begun.
    pub count: u64,
    /// Sum of the squares of the sizes of all bursts but the last.
    squares: u128,
    /// Size of the last burst.
    last: u64,
    /// Units accepted at the last drop: when as many have left, the burst is over.
    accepted: i64,
    /// True if the last burst has ended.
    is_over: bool,
}

impl Bursts {
    /// As many units are dropped, and `accepted` have been accepted so far.
    pub fn drop(&mut self, units: u64, accepted: i64) {
        if self.is_over || self.count == 0 {
            self.squares += u128::from(self.last) * u128::from(self.last);
            self.count += 1;
            self.last = 0;
            self.is_over = false;
        }
        self.last += units;
        self.accepted = accepted;
    }

    /// True if a burst has begun and not ended.
    pub fn is_open(&self) -> bool {
        self.count > 0 && !self.is_over
    }

    /// As many units have left the queue so far.
    pub fn left(&mut self, units: i64) {
        self.is_over |= units >= self.accepted;
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
    fn drops_belong_to_one_burst_until_what_waited_has_left() {
        let mut bursts = Bursts::default();
        bursts.left(0);
        assert_eq!((bursts.count, bursts.squares()), (0, 0));
        bursts.drop(1, 10);
        bursts.left(9);
        bursts.drop(2, 12);
        bursts.left(11);
        bursts.left(12);
        bursts.drop(4, 20);
        assert_eq!((bursts.count, bursts.squares()), (2, 9 + 16));
        bursts.drop(1, 20);
        assert_eq!((bursts.count, bursts.squares()), (2, 9 + 25));
    }

    #[test]
    fn drops_of_what_was_accepted_before_counting_belong_to_bursts_too() {
        let mut bursts = Bursts::default();
        bursts.drop(1, -1);
        bursts.left(-3);
        bursts.drop(1, -2);
        assert_eq!((bursts.count, bursts.squares()), (1, 4));
        bursts.left(-2);
        bursts.drop(1, 0);
        assert_eq!((bursts.count, bursts.squares()), (2, 5));
    }
}
