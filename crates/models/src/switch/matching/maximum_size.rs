//! Maximum size matching: of all matchings one with the most pairs.
//!
//! Inputs are taken in a new random order each time, and so are the outputs that an input may have,
//! since a fixed order would always prefer the same among several matchings of equal size. More
//! pairs in a slot do not mean more throughput: where loads differ from pair to pair the queues of
//! a busy input may grow without end, although no input and no output is overloaded; McKeown,
//! Mekkittikul, Anantharam and Walrand, "Achieving 100% Throughput in an Input-Queued Switch", IEEE
//! Transactions on Communications 47(8), 1999, have an example of three inputs.
//!
//! The algorithm is the subject of Hopcroft and Karp, "An n^(5/2) Algorithm for Maximum Matchings in Bipartite Graphs", SIAM Journal
//! on Computing 2(4), 1973.

use kernel::{Stream, Time};
use parameters::parameters;

use super::{Crossbar, Matched, Matching};
use crate::switch::virtual_queues::VirtualQueues;

parameters! {
    /// The matching with the most pairs; of several, one at random.
    pub struct MaximumSize {}
}

impl MaximumSize {
    /// The matching of one switch.
    pub fn build(&self, crossbar: &Crossbar) -> Box<dyn Matching> {
        let (inputs, outputs) = (crossbar.inputs, crossbar.outputs);
        Box::new(State {
            random: crossbar.random.clone(),
            inputs: (0..inputs).collect(),
            outputs: (0..outputs).collect(),
            level: vec![None; inputs].into(),
            reached: Vec::with_capacity(inputs),
            output_of: vec![None; inputs].into(),
            input_of: vec![None; outputs].into(),
        })
    }
}

struct State {
    random: Stream,
    /// The inputs in the order in which they are taken.
    inputs: Box<[usize]>,
    /// The outputs in the order in which they are tried.
    outputs: Box<[usize]>,
    /// Number of pairs on the shortest alternating path from an input without output, by input.
    level: Box<[Option<u32>]>,
    /// The inputs that the search for shortest paths has reached.
    reached: Vec<usize>,
    output_of: Box<[Option<usize>]>,
    input_of: Box<[Option<usize>]>,
}

/// The requests of inputs and outputs that are free before the matching.
struct Graph<'a> {
    queues: &'a VirtualQueues,
    matched: &'a Matched,
}

impl Graph<'_> {
    fn joins(&self, input: usize, output: usize) -> bool {
        self.queues.requests(input, output) && self.matched.is_output_free(output)
    }
}

impl Matching for State {
    fn find(&mut self, _now: Time, queues: &VirtualQueues, matched: &mut Matched) {
        self.random.shuffle(&mut self.inputs, usize::MAX);
        self.random.shuffle(&mut self.outputs, usize::MAX);
        self.output_of.fill(None);
        self.input_of.fill(None);
        let graph = Graph { queues, matched };
        while self.measure_paths(&graph) {
            for index in 0..self.inputs.len() {
                let input = self.inputs[index];
                if self.level[input] == Some(0) && self.output_of[input].is_none() {
                    self.lengthen(input, &graph);
                }
            }
        }
        for (input, output) in self.output_of.iter().enumerate() {
            if let Some(output) = output {
                matched.join(input, *output);
            }
        }
    }
}

impl State {
    /// Finds the lengths of shortest alternating paths; returns true if one of them ends at an
    /// output without input.
    fn measure_paths(&mut self, graph: &Graph<'_>) -> bool {
        self.level.fill(None);
        self.reached.clear();
        for input in &self.inputs {
            let starts = self.output_of[*input].is_none() && graph.matched.is_input_free(*input);
            if starts && !graph.queues.outputs_of(*input).is_empty() {
                self.level[*input] = Some(0);
                self.reached.push(*input);
            }
        }
        let (mut next, mut ends) = (0, false);
        while let Some(input) = self.reached.get(next).copied() {
            next += 1;
            for output in &self.outputs {
                if !graph.joins(input, *output) {
                    continue;
                }
                match self.input_of[*output] {
                    None => ends = true,
                    Some(other) if self.level[other].is_none() => {
                        self.level[other] = self.level[input].map(|level| level + 1);
                        self.reached.push(other);
                    }
                    Some(_) => {}
                }
            }
        }
        ends
    }

    /// Follows a shortest path from `input` to an output without input, and exchanges the pairs
    /// along it; returns true if there is one.
    fn lengthen(&mut self, input: usize, graph: &Graph<'_>) -> bool {
        let further = self.level[input].map(|level| level + 1);
        for index in 0..self.outputs.len() {
            let output = self.outputs[index];
            if !graph.joins(input, output) {
                continue;
            }
            let is_end = match self.input_of[output] {
                None => true,
                Some(other) => self.level[other] == further && self.lengthen(other, graph),
            };
            if is_end {
                self.output_of[input] = Some(output);
                self.input_of[output] = Some(input);
                self.level[input] = None;
                return true;
            }
        }
        // No path leads on from here, so none is tried again.
        self.level[input] = None;
        false
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::MatchingSpec;
    use super::super::script::FilledQueues;
    use super::*;

    const MAXIMUM: MatchingSpec = MatchingSpec::MaximumSize(MaximumSize {});

    /// Largest number of pairs of any matching, by trying all.
    fn largest(requests: &[Vec<bool>], input: usize, taken: &mut [bool]) -> usize {
        let Some(row) = requests.get(input) else {
            return 0;
        };
        let mut best = largest(requests, input + 1, taken);
        for output in 0..row.len() {
            if row[output] && !taken[output] {
                taken[output] = true;
                best = best.max(1 + largest(requests, input + 1, taken));
                taken[output] = false;
            }
        }
        best
    }

    fn requests() -> impl Strategy<Value = Vec<Vec<bool>>> {
        (1usize..7, 1usize..7).prop_flat_map(|(inputs, outputs)| {
            let request = prop::bool::weighted(0.4);
            prop::collection::vec(prop::collection::vec(request, outputs), inputs)
        })
    }

    proptest! {
        #[test]
        fn no_matching_has_more_pairs(requests in requests()) {
            let best = largest(&requests, 0, &mut vec![false; requests[0].len()]);
            let lengths: Vec<Vec<u64>> = requests
                .iter()
                .map(|row| row.iter().map(|request| u64::from(*request)).collect())
                .collect();
            let mut script = FilledQueues::of_lengths(&MAXIMUM, &lengths);
            for _ in 0..5 {
                prop_assert_eq!(script.find().len(), best);
            }
        }
    }

    #[test]
    fn every_largest_matching_has_its_turn() {
        // Input 0 has cells for both outputs, and each of the others for one. Three matchings have
        // two pairs, and one of them leaves out input 0.
        let mut script = FilledQueues::of(&MAXIMUM, &["xx", "x.", ".x"]);
        let without = (0..6000)
            .filter(|_| script.find() == [(1, 0), (2, 1)])
            .count();
        // Five standard deviations of 6000 draws with a probability of a third.
        assert!((1817..2183).contains(&without), "{without}");
    }
}
