//! Marking beyond a threshold: a unit that joins a queue longer than the threshold is marked.
//!
//! The present queue counts, not an average, as in ATM switches and as DCTCP requires: ATM Forum,
//! "Traffic Management Specification 4.0", af-tm-0056.000, 1996; RFC 8257, section 3.1.

use parameters::{Amount, parameters};

use super::Mark;
use crate::output::decision::{Buffer, Occupancy};

parameters! {
    /// Marks cells or packets that join a queue longer than a threshold.
    pub struct Threshold {
        /// Queue length beyond which arriving cells or packets are marked.
        pub above: Amount,
    }
}

impl Threshold {
    /// The rule for one output.
    pub fn build(&self, buffer: &Buffer) -> Box<dyn Mark> {
        Box::new(State {
            above: buffer.units(self.above),
        })
    }
}

struct State {
    above: u64,
}

impl Mark for State {
    fn marks(&mut self, queue: Occupancy) -> bool {
        queue.queued > self.above
    }
}

#[cfg(test)]
mod tests {
    use kernel::Time;

    use super::*;

    #[test]
    fn marks_units_that_find_more_than_the_threshold_waiting() {
        let buffer = Buffer::of_cells(100, 53, 1);
        let mut rule = Threshold {
            above: Amount::Share(0.65),
        }
        .build(&buffer);
        let marked = [0, 64, 65, 66, 99].map(|queued| {
            rule.marks(Occupancy {
                at: Time::ZERO,
                queued,
                capacity: 100,
                size: 1,
            })
        });
        assert_eq!(marked, [false, false, false, true, true]);
    }
}
