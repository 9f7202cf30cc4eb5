//! The number of active VCs, in which the weight of a silent VC may decay: Kalyanaraman,
//! dissertation, Ohio State University, 1997, chapter 6.

/// Counts active VCs.
///
/// A VC has the weight 1 in an interval in which one of its cells arrives. In each later interval
/// without cells its weight is multiplied by `decay`; with a decay of zero only VCs with cells
/// count.
#[derive(Clone, Copy, Debug)]
pub struct Activity {
    decay: f64,
    /// Active VCs of the last interval, and VCs that became active since, if they count at once.
    pub counted: ActiveVcs,
    /// Active VCs of the present interval.
    counting: ActiveVcs,
}

/// The active VCs and their minimum cell rates.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ActiveVcs {
    /// Sum of the weights of the VCs.
    pub vcs: f64,
    /// Sum of the minimum cell rates, multiplied by the weights, in cells per second.
    pub guaranteed: f64,
}

impl ActiveVcs {
    fn add(&mut self, part: f64, guaranteed: f64) {
        self.vcs += part;
        self.guaranteed += part * guaranteed;
    }
}

impl Activity {
    /// The count before any cell has arrived.
    pub fn new(decay: f64) -> Activity {
        Activity {
            decay,
            counted: ActiveVcs::default(),
            counting: ActiveVcs::default(),
        }
    }

    /// Counts the first cell of a VC in this interval; the VC's last cell came `ago` intervals ago,
    /// if there was any. If `at_once` is true, the VC also counts in the last interval.
    #[inline]
    pub fn wake(&mut self, ago: Option<u64>, guaranteed: f64, at_once: bool) {
        let (counts, counted) = match ago {
            None => (0.0, 0.0),
            // The usual case takes no call of `power`.
            Some(1) => (self.decay, 1.0),
            Some(ago) => (power(self.decay, ago), power(self.decay, ago - 1)),
        };
        self.counting.add(1.0 - counts, guaranteed);
        if at_once {
            self.counted.add(1.0 - counted, guaranteed);
        }
    }

    /// True if all weights are zero, now and after the present interval.
    pub fn is_none(&self) -> bool {
        self.counted == ActiveVcs::default() && self.counting == ActiveVcs::default()
    }

    /// Ends the interval.
    pub fn end_interval(&mut self) {
        self.counted = self.counting;
        self.counting.vcs *= self.decay;
        self.counting.guaranteed *= self.decay;
    }
}

/// `base` to the power of `exponent`, by multiplications in a fixed order, so that the result is
/// equal on all machines.
fn power(base: f64, exponent: u64) -> f64 {
    let mut result = 1.0;
    let (mut square, mut left) = (base, exponent);
    while left > 0 {
        if left & 1 == 1 {
            result *= square;
        }
        square *= square;
        left >>= 1;
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(decay: f64, intervals: &[&[Option<u64>]]) -> Vec<f64> {
        let mut activity = Activity::new(decay);
        intervals
            .iter()
            .map(|woken| {
                for ago in *woken {
                    activity.wake(*ago, 10.0, false);
                }
                activity.end_interval();
                activity.counted.vcs
            })
            .collect()
    }

    #[test]
    fn without_decay_only_vcs_with_cells_count() {
        let active = counts(0.0, &[&[None, None], &[Some(1)], &[], &[Some(3), None]]);
        assert_eq!(active, [2.0, 1.0, 0.0, 2.0]);
    }

    #[test]
    fn the_weight_of_a_silent_vc_decays_and_is_one_when_it_returns() {
        let active = counts(
            0.5,
            &[&[None, None], &[Some(1)], &[Some(1)], &[Some(1), Some(3)]],
        );
        assert_eq!(active, [2.0, 1.5, 1.25, 2.0]);
    }

    #[test]
    fn a_vc_that_wakes_may_count_at_once() {
        let mut activity = Activity::new(0.0);
        activity.wake(None, 10.0, false);
        activity.wake(None, 30.0, false);
        activity.end_interval();
        // A VC that was active in the last interval is not counted twice.
        activity.wake(Some(1), 10.0, true);
        assert_eq!(
            (activity.counted.vcs, activity.counted.guaranteed),
            (2.0, 40.0)
        );
        activity.wake(None, 5.0, true);
        assert_eq!(
            (activity.counted.vcs, activity.counted.guaranteed),
            (3.0, 45.0)
        );
    }
}
