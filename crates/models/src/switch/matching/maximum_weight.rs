//! Maximum weight matching: of all matchings the one whose pairs have the largest sum of weights.
//!
//! The weight of a pair is the length of its queue ("longest queue first"), or the age of its oldest
//! cell ("oldest cell first"). With either weight the queues are stable for all independent
//! arrivals that overload no input and no output; a matching of the largest number of pairs is not.
//! That is the subject of McKeown, Mekkittikul, Anantharam and Walrand, "Achieving 100% Throughput in
//! an Input-Queued Switch", IEEE Transactions on Communications 47(8), 1999.
//!
//! The assignment is exact: Kuhn, "The Hungarian Method for the Assignment Problem", Naval Research
//! Logistics Quarterly 2, 1955, with the shortest augmenting paths of Jonker and Volgenant, "A
//! Shortest Augmenting Path Algorithm for Dense and Sparse Linear Assignment Problems", Computing
//! 38, 1987. The time of a matching grows with the cube of the number of ports. Inputs and outputs
//! are taken in a new random order each time, since a fixed order would always prefer the same among
//! several matchings of equal weight.

use kernel::{Stream, Time};
use parameters::{choices, parameters};

use super::{Crossbar, Matched, Matching};
use crate::switch::virtual_queues::VirtualQueues;

parameters! {
    /// The matching with the largest sum of weights; of several, one at random.
    pub struct MaximumWeight {
        /// Weight of a pair of an input and an output.
        pub weight: Weight = "queue_length",
    }
}

choices! {
    /// Weight of a pair of an input and an output.
    pub enum Weight {
        /// Number of cells in the virtual output queue.
        queue_length => QueueLength,
        /// Time since the arrival of the first cell of the virtual output queue.
        oldest_cell => OldestCell,
    }
}

impl MaximumWeight {
    /// The matching of one switch.
    pub fn build(&self, crossbar: &Crossbar) -> Box<dyn Matching> {
        let side = crossbar.inputs.max(crossbar.outputs);
        Box::new(State {
            weight: self.weight,
            random: crossbar.random.clone(),
            outputs: (0..crossbar.outputs).collect(),
            requesting: Vec::with_capacity(crossbar.inputs),
            row_prices: vec![0; crossbar.inputs].into(),
            columns: vec![Column::default(); side].into(),
        })
    }
}

struct State {
    weight: Weight,
    random: Stream,
    /// The output of each column, as far as there are outputs.
    outputs: Box<[usize]>,
    /// The free inputs with a cell, in the order in which they are taken.
    requesting: Vec<usize>,
    /// The dual variable of each row; rows are the inputs in `requesting`.
    row_prices: Box<[i64]>,
    /// The columns of the outputs, and as many more as inputs may need that send nothing.
    columns: Box<[Column]>,
}

/// A column of the assignment.
#[derive(Clone, Copy, Default)]
struct Column {
    /// The dual variable.
    price: i64,
    /// The row that is assigned to this column.
    row: Option<usize>,
    /// Least reduced cost at which the search has reached this column.
    least: i64,
    /// The column before this one on the path of the search; none if the path begins here.
    before: Option<usize>,
    /// True if the search has left this column for its row.
    is_visited: bool,
}

impl Matching for State {
    fn find(&mut self, now: Time, queues: &VirtualQueues, matched: &mut Matched) {
        self.requesting.clear();
        let inputs = (0..queues.inputs()).filter(|input| matched.is_input_free(*input));
        self.requesting
            .extend(inputs.filter(|input| !queues.outputs_of(*input).is_empty()));
        self.random.shuffle(&mut self.requesting, usize::MAX);
        self.random.shuffle(&mut self.outputs, usize::MAX);
        self.row_prices.fill(0);
        self.columns.fill(Column::default());
        for row in 0..self.requesting.len() {
            self.assign(row, now, queues, matched);
        }
        for (output, column) in self.outputs.iter().zip(&self.columns) {
            if let Some(row) = column.row
                && matched.is_output_free(*output)
                && queues.requests(self.requesting[row], *output)
            {
                matched.join(self.requesting[row], *output);
            }
        }
    }
}

impl State {
    /// Assigns a column to `row`, by the shortest path to a column without a row; rows on the path
    /// change their columns.
    fn assign(&mut self, row: usize, now: Time, queues: &VirtualQueues, matched: &Matched) {
        for column in &mut self.columns {
            (column.least, column.before, column.is_visited) = (i64::MAX, None, false);
        }
        let (mut from, mut at) = (row, None);
        loop {
            self.relax(from, at, now, queues, matched);
            let next = self.nearest();
            self.move_prices(row, self.columns[next].least);
            at = Some(next);
            match self.columns[next].row {
                Some(taken) => from = taken,
                None => break,
            }
            self.columns[next].is_visited = true;
        }
        while let Some(column) = at {
            let before = self.columns[column].before;
            self.columns[column].row = match before {
                Some(before) => self.columns[before].row,
                None => Some(row),
            };
            at = before;
        }
    }

    /// Looks from a row, which the search reached through column `at`, at all columns that are not
    /// visited.
    fn relax(
        &mut self,
        row: usize,
        at: Option<usize>,
        now: Time,
        queues: &VirtualQueues,
        matched: &Matched,
    ) {
        let input = self.requesting[row];
        for column in 0..self.columns.len() {
            if self.columns[column].is_visited {
                continue;
            }
            let output = self.outputs.get(column).copied();
            let requested = output.filter(|output| {
                matched.is_output_free(*output) && queues.requests(input, *output)
            });
            let weight = requested.map_or(0, |output| self.weight.of(input, output, now, queues));
            let reduced = -weight - self.row_prices[row] - self.columns[column].price;
            if reduced < self.columns[column].least {
                self.columns[column].least = reduced;
                self.columns[column].before = at;
            }
        }
    }

    /// The column with the least reduced cost that is not visited.
    fn nearest(&self) -> usize {
        let columns = self.columns.iter().enumerate();
        let unvisited = columns.filter(|(_, column)| !column.is_visited);
        let nearest = unvisited.min_by_key(|(_, column)| column.least);
        nearest.expect("there are as many columns as rows").0
    }

    /// Moves the prices of all rows and columns of the search, so that the nearest column costs
    /// nothing; `row` is where the search began.
    fn move_prices(&mut self, row: usize, least: i64) {
        self.row_prices[row] += least;
        for column in &mut self.columns {
            if column.is_visited {
                column.price -= least;
                let row = column.row.expect("the search leaves a column for its row");
                self.row_prices[row] += least;
            } else {
                column.least = column.least.saturating_sub(least);
            }
        }
    }
}

impl Weight {
    /// The weight of a pair with a cell, which is positive.
    fn of(self, input: usize, output: usize, now: Time, queues: &VirtualQueues) -> i64 {
        match self {
            Weight::QueueLength => queues.length(input, output) as i64,
            Weight::OldestCell => now.since(queues.oldest(input, output)).ps() as i64,
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::MatchingSpec;
    use super::super::script::FilledQueues;
    use super::*;

    fn spec(weight: Weight) -> MatchingSpec {
        MatchingSpec::MaximumWeight(MaximumWeight { weight })
    }

    /// Largest sum of weights of any matching, by trying all.
    fn largest(weights: &[Vec<u64>], input: usize, taken: &mut [bool]) -> u64 {
        let Some(row) = weights.get(input) else {
            return 0;
        };
        let mut best = largest(weights, input + 1, taken);
        for output in 0..row.len() {
            if !taken[output] && row[output] > 0 {
                taken[output] = true;
                best = best.max(row[output] + largest(weights, input + 1, taken));
                taken[output] = false;
            }
        }
        best
    }

    fn weights() -> impl Strategy<Value = Vec<Vec<u64>>> {
        (1usize..6, 1usize..6).prop_flat_map(|(inputs, outputs)| {
            let weight = prop_oneof![Just(0), 1u64..4, 1u64..60];
            prop::collection::vec(prop::collection::vec(weight, outputs), inputs)
        })
    }

    proptest! {
        #[test]
        fn no_matching_has_a_larger_sum(weights in weights()) {
            let outputs = weights[0].len();
            let best = largest(&weights, 0, &mut vec![false; outputs]);
            for weight in [Weight::QueueLength, Weight::OldestCell] {
                let mut script = match weight {
                    Weight::QueueLength => FilledQueues::of_lengths(&spec(weight), &weights),
                    Weight::OldestCell => FilledQueues::of_ages(&spec(weight), &weights),
                };
                let found = script.find();
                let sum: u64 = found.iter().map(|(input, output)| weights[*input][*output]).sum();
                prop_assert_eq!(sum, best, "{:?}", found);
            }
        }
    }

    #[test]
    fn two_short_queues_may_outweigh_a_long_one() {
        let lengths = [vec![5, 3], vec![3, 0]];
        let mut script = FilledQueues::of_lengths(&spec(Weight::QueueLength), &lengths);
        assert_eq!(script.find(), [(0, 1), (1, 0)]);
        let lengths = [vec![7, 3], vec![3, 0]];
        let mut script = FilledQueues::of_lengths(&spec(Weight::QueueLength), &lengths);
        assert_eq!(script.find(), [(0, 0)]);
    }
}
