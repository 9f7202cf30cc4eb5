//! Scripts for the tests of matchings: requests in, and pairs out.

use kernel::{Duration, Seed, Time};

use super::{Crossbar, Matched, Matching, MatchingSpec};
use crate::switch::matching_steps::{SlotStep, SlotSteps};
use crate::switch::virtual_queues::VirtualQueues;
use crate::wire::cell::{Data, Train};
use crate::wire::contents::ContentsId;
use crate::wire::format::CellFormat;
use crate::wire::vc::Vc;

/// Time of each matching.
const NOW: Time = Time::from_ps(1_000_000);

/// A matching, and queues that no matching empties.
pub struct FilledQueues {
    matching: Box<dyn Matching>,
    queues: VirtualQueues,
}

impl FilledQueues {
    /// Queues that are not empty where a row, which belongs to an input, has an `x`.
    pub fn of(spec: &MatchingSpec, rows: &[&str]) -> FilledQueues {
        let row = |row: &&str| row.chars().map(|mark| u64::from(mark == 'x')).collect();
        FilledQueues::of_lengths(spec, &rows.iter().map(row).collect::<Vec<Vec<u64>>>())
    }

    /// A square switch with a cell for every output at every input.
    pub fn full(spec: &MatchingSpec, ports: usize) -> FilledQueues {
        FilledQueues::of_lengths(spec, &vec![vec![1; ports]; ports])
    }

    /// Queues of these lengths, by input and output.
    pub fn of_lengths(spec: &MatchingSpec, lengths: &[Vec<u64>]) -> FilledQueues {
        let mut script = FilledQueues::empty(spec, lengths.len(), lengths[0].len());
        for (input, row) in lengths.iter().enumerate() {
            for (output, length) in row.iter().enumerate() {
                (0..*length).for_each(|_| script.push(input, output, Time::ZERO));
            }
        }
        script
    }

    /// Queues whose oldest cell has this age in picoseconds, by input and output; empty for zero.
    pub fn of_ages(spec: &MatchingSpec, ages: &[Vec<u64>]) -> FilledQueues {
        let mut script = FilledQueues::empty(spec, ages.len(), ages[0].len());
        for (input, row) in ages.iter().enumerate() {
            for (output, age) in row.iter().enumerate().filter(|(_, age)| **age > 0) {
                script.push(input, output, Time::from_ps(NOW.ps() - age));
            }
        }
        script
    }

    fn empty(spec: &MatchingSpec, inputs: usize, outputs: usize) -> FilledQueues {
        let seed = Seed {
            seed: 1,
            replication: 0,
        };
        let crossbar = Crossbar {
            inputs,
            outputs,
            random: seed.stream("s1", "fabric"),
        };
        FilledQueues {
            matching: spec.build(&crossbar),
            queues: VirtualQueues::new(inputs, outputs, CellFormat::ATM),
        }
    }

    fn push(&mut self, input: usize, output: usize, arrival: Time) {
        let data = Data::new(0, ContentsId(0), false);
        let cell = Train::data(Vc(0), data, 1, Duration::ZERO).cell(0, Vc(0));
        self.queues.push(input, output, &cell, arrival);
    }

    /// The pairs of the next matching, by input.
    pub fn find(&mut self) -> Vec<(usize, usize)> {
        let (inputs, outputs) = (self.queues.inputs(), self.queues.outputs());
        let mut matched = Matched::new(inputs, outputs);
        self.matching.find(NOW, &self.queues, &mut matched);
        let pair = |output| Some((matched.input_of(output)?, output));
        let mut pairs: Vec<_> = (0..outputs).filter_map(pair).collect();
        pairs.sort_unstable();
        for (input, output) in &pairs {
            assert!(self.queues.requests(*input, *output), "a pair has a cell");
        }
        pairs
    }

    /// The steps of the next matching.
    pub fn find_in_steps(&mut self) -> Vec<SlotStep> {
        let mut steps = SlotSteps::default();
        let mut matched = Matched::new(self.queues.inputs(), self.queues.outputs());
        steps.find(&mut *self.matching, NOW, &self.queues, &mut matched);
        let (end, noted) = steps.last().expect("there was a matching");
        assert_eq!(end, NOW);
        noted.to_vec()
    }

    /// As [`FilledQueues::find`].
    ///
    /// # Panics
    /// If an input that is left free requests an output that is left free.
    pub fn find_maximal(&mut self) -> Vec<(usize, usize)> {
        let pairs = self.find();
        for input in 0..self.queues.inputs() {
            for output in 0..self.queues.outputs() {
                let is_free = pairs
                    .iter()
                    .all(|(one, other)| *one != input && *other != output);
                assert!(
                    !(is_free && self.queues.requests(input, output)),
                    "{pairs:?}"
                );
            }
        }
        pairs
    }
}
