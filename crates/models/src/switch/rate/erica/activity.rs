//! How many channels are active.

/// Counts channels, those that fell silent less and less.
///
/// A channel counts for one in an interval in which it was seen, and for `decay` times as much in
/// each that follows; with a decay of zero only those that were seen count.
#[derive(Clone, Copy, Debug)]
pub struct Activity {
    decay: f64,
    /// What the last interval came to, and channels that woke since if those count at once.
    pub counted: Tally,
    /// What the present one comes to.
    counting: Tally,
}

/// Channels, and what they are guaranteed.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Tally {
    /// How many.
    pub channels: f64,
    /// The sum of their minimum cell rates.
    pub guaranteed: f64,
}

impl Tally {
    fn add(&mut self, part: f64, guaranteed: f64) {
        self.channels += part;
        self.guaranteed += part * guaranteed;
    }
}

impl Activity {
    /// No channel yet.
    pub fn new(decay: f64) -> Activity {
        Activity {
            decay,
            counted: Tally::default(),
            counting: Tally::default(),
        }
    }

    /// A channel is seen for the first time in this interval, which was last seen `ago` intervals
    /// ago, if ever; with `at_once` it counts as if it had been seen in the last interval.
    #[inline]
    pub fn wake(&mut self, ago: Option<u64>, guaranteed: f64, at_once: bool) {
        let (counts, counted) = match ago {
            None => (0.0, 0.0),
            // As it mostly is.
            Some(1) => (self.decay, 1.0),
            Some(ago) => (power(self.decay, ago), power(self.decay, ago - 1)),
        };
        self.counting.add(1.0 - counts, guaranteed);
        if at_once {
            self.counted.add(1.0 - counted, guaranteed);
        }
    }

    /// Whether no channel counts, nor will if none is seen.
    pub fn is_none(&self) -> bool {
        self.counted == Tally::default() && self.counting == Tally::default()
    }

    /// The interval ends.
    pub fn end_interval(&mut self) {
        self.counted = self.counting;
        self.counting.channels *= self.decay;
        self.counting.guaranteed *= self.decay;
    }
}

/// `base` to the power of `exponent`, in whole multiplications so that all machines agree.
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
                activity.counted.channels
            })
            .collect()
    }

    #[test]
    fn without_decay_those_that_were_seen_count() {
        let seen = counts(0.0, &[&[None, None], &[Some(1)], &[], &[Some(3), None]]);
        assert_eq!(seen, [2.0, 1.0, 0.0, 2.0]);
    }

    #[test]
    fn a_channel_that_fell_silent_fades_and_counts_for_one_when_it_returns() {
        let seen = counts(
            0.5,
            &[&[None, None], &[Some(1)], &[Some(1)], &[Some(1), Some(3)]],
        );
        assert_eq!(seen, [2.0, 1.5, 1.25, 2.0]);
    }

    #[test]
    fn a_channel_that_wakes_may_count_at_once() {
        let mut activity = Activity::new(0.0);
        activity.wake(None, 10.0, false);
        activity.wake(None, 30.0, false);
        activity.end_interval();
        // One that was seen in the last interval counts there already.
        activity.wake(Some(1), 10.0, true);
        assert_eq!(
            (activity.counted.channels, activity.counted.guaranteed),
            (2.0, 40.0)
        );
        activity.wake(None, 5.0, true);
        assert_eq!(
            (activity.counted.channels, activity.counted.guaranteed),
            (3.0, 45.0)
        );
    }
}
