//! Amendments of a host to the cells that it has announced: it recalls them, or gives them new
//! instants. Ours: see `docs/decisions/0014-data-cells-are-committed-ahead.md`.

use std::collections::VecDeque;

use kernel::{Duration, Time};

use super::ArrivingCells;
use super::train::ArrivingTrain;
use crate::wire::unit::Amendment;

impl ArrivingCells {
    /// Changes the cells of an input that arrive after `now`, as an amendment of the host states.
    pub fn amend(&mut self, now: Time, input: usize, amendment: Amendment) {
        match amendment {
            Amendment::Recall(cells) => self.recall(now, input, cells),
            Amendment::Respace { after, spacing } => {
                self.respace(now, input, now + after, spacing);
            }
        }
    }

    fn recall(&mut self, now: Time, input: usize, cells: u32) {
        assert!(self.first[input].is_some(), "a cell is announced");
        self.take_rest(now, input);
        let recalled: u32 = self.behind.rest.drain(..).map(|rest| rest.cells).sum();
        assert_eq!(recalled, cells, "no more and no less than has not come");
    }

    fn respace(&mut self, now: Time, input: usize, first: Time, spacing: Duration) {
        self.take_rest(now, input);
        let mut arrival = first;
        while let Some(rest) = self.behind.rest.pop() {
            let again = ArrivingTrain {
                arrival,
                spacing,
                ..rest
            };
            self.append(input, again);
            arrival += spacing * u64::from(rest.cells);
        }
    }

    /// Moves the cells of an input that arrive after `now` into `rest`, the last train first.
    fn take_rest(&mut self, now: Time, input: usize) {
        while let Some(last) = self.last_mut(input) {
            let arrived = last.arrived(now);
            if arrived == last.cells {
                return;
            }
            let mut rest = *last;
            rest.cells -= arrived;
            if arrived > 0 {
                last.cells = arrived;
                last.last = last.cell;
                return self.behind.rest.push(rest);
            }
            self.behind.rest.push(rest);
            let behind = self.behind.trains.get_mut(input);
            if behind.and_then(VecDeque::pop_back).is_none() {
                self.first[input] = None;
            }
        }
    }

    fn last_mut(&mut self, input: usize) -> Option<&mut ArrivingTrain> {
        let behind = self
            .behind
            .trains
            .get_mut(input)
            .and_then(VecDeque::back_mut);
        behind.or(self.first[input].as_mut())
    }
}
