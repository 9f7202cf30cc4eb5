//! Stated changes of the rate of a link: steps, as in the experiments of RFC 7928, section 8.2.4, on
//! varying available capacity.

use kernel::{Duration, Rate};
use parameters::{Conflict, RateOrZero, parameters};

use super::{Change, Schedule, mistake};

parameters! {
    /// Changes of the rate at stated times.
    #[check(check)]
    pub struct StepsRateChanges {
        /// The changes, in order of time.
        pub changes: Vec<RateStep>,
        /// Time after which the changes begin again, counted from the start of the run; if not
        /// given, the last rate stays.
        #[range("1 ns", "1000 h")]
        pub repeat: Option<Duration>,
    }

    /// A change of the rate of a link.
    pub struct RateStep {
        /// Time of the change.
        #[range("0 s", "1000 h")]
        pub at: Duration,
        /// Rate from then on; at zero the link sends nothing.
        #[range("0 bit/s", "10 Tbit/s")]
        pub rate: RateOrZero,
    }
}

impl StepsRateChanges {
    /// The changes of a link with the rate `first` before them.
    pub fn build(&self, first: &Rate) -> Schedule {
        Schedule::new(*first, self.in_order(), self.repeat)
    }

    fn in_order(&self) -> Vec<Change> {
        self.changes
            .iter()
            .map(|step| (step.at, step.rate))
            .collect()
    }

    fn check(&self) -> Option<Conflict> {
        if self.changes.is_empty() {
            return Some(Conflict {
                name: "changes",
                problem: "the list is empty".to_string(),
                hint: "write for example `[{ at = \"20 s\", rate = \"5 Mbit/s\" }]`, or leave \
                       `rate_changes` out"
                    .to_string(),
            });
        }
        let falls = |pair: &[RateStep]| pair[0].at >= pair[1].at;
        if let Some(before) = self.changes.windows(2).position(falls) {
            let after = before + 1;
            return Some(Conflict {
                name: "changes",
                problem: format!("`changes[{after}]` does not come after `changes[{before}]`"),
                hint: "list the changes in the order of their times, one for each time".to_string(),
            });
        }
        mistake(&self.in_order(), self.repeat, "changes")
    }
}
