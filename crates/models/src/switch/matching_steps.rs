//! The steps of the matchings of a slot, noted for those who watch a switch slot by slot. Our own
//! rule: a matching finds the same pairs whether its steps are noted or not.

use kernel::Time;

use super::matching::{Matched, Matching};
use super::virtual_queues::VirtualQueues;

/// A step of a matching. Inputs and outputs are numbered among those that VCs use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SlotStep {
    /// Number of the matching in its slot, from zero.
    pub matching: u32,
    /// Number of the iteration, from one; zero for a matching without iterations, and for what was so
    /// before the first.
    pub iteration: u32,
    /// The act of the input and the output.
    pub kind: StepKind,
    /// The input.
    pub input: u32,
    /// The output.
    pub output: u32,
}

/// The act of an input and an output in a step of a matching.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StepKind {
    /// The grant pointer of the output points to the input.
    GrantPointer,
    /// The accept pointer of the input points to the output.
    AcceptPointer,
    /// A packet of which cells are still to cross holds the pair.
    Held,
    /// The output grants to the input.
    Grant,
    /// The pair is matched.
    Pair,
}

impl StepKind {
    /// All kinds.
    pub const ALL: [StepKind; 5] = [
        StepKind::GrantPointer,
        StepKind::AcceptPointer,
        StepKind::Held,
        StepKind::Grant,
        StepKind::Pair,
    ];

    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            StepKind::GrantPointer => "grant_pointer",
            StepKind::AcceptPointer => "accept_pointer",
            StepKind::Held => "held",
            StepKind::Grant => "grant",
            StepKind::Pair => "pair",
        }
    }
}

/// The steps of the last slot that had a matching.
#[derive(Debug, Default)]
pub struct SlotSteps {
    /// End of the slot, when its cells crossed; none before the first.
    end: Option<Time>,
    /// Number of matchings in the slot.
    matchings: u32,
    /// Number of iterations of the present matching.
    iterations: u32,
    /// The steps, in order. The list keeps its capacity for the next slot.
    steps: Vec<SlotStep>,
}

impl SlotSteps {
    /// The end of the last slot with a matching, and its steps; none before the first.
    pub fn last(&self) -> Option<(Time, &[SlotStep])> {
        Some((self.end?, &self.steps))
    }

    /// Adds the pairs of a matching to those that packets hold, and notes all of its steps.
    pub fn find(
        &mut self,
        matching: &mut dyn Matching,
        now: Time,
        queues: &VirtualQueues,
        matched: &mut Matched,
    ) {
        if self.end == Some(now) {
            self.matchings += 1;
        } else {
            (self.end, self.matchings) = (Some(now), 0);
            self.steps.clear();
        }
        self.iterations = 0;
        self.note_pairs(StepKind::Held, queues.outputs(), matched);
        matching.find_in_steps(now, queues, matched, self);
        self.note_pairs(StepKind::Pair, queues.outputs(), matched);
    }

    /// Notes the pairs that this matching has not noted, each under the iteration of its grant.
    fn note_pairs(&mut self, kind: StepKind, outputs: usize, matched: &Matched) {
        for output in 0..outputs {
            let Some(input) = matched.input_of(output) else {
                continue;
            };
            let is_of = |step: &&SlotStep| {
                step.matching == self.matchings
                    && (step.input, step.output) == (input as u32, output as u32)
            };
            let noted = |kind| {
                self.steps
                    .iter()
                    .filter(is_of)
                    .find(|step| step.kind == kind)
            };
            if noted(StepKind::Held).is_none() {
                let iteration = noted(StepKind::Grant).map_or(0, |grant| grant.iteration);
                self.note(iteration, kind, input, output);
            }
        }
    }

    fn note(&mut self, iteration: u32, kind: StepKind, input: usize, output: usize) {
        self.steps.push(SlotStep {
            matching: self.matchings,
            iteration,
            kind,
            input: input as u32,
            output: output as u32,
        });
    }

    /// A matching begins with these pointers of outputs to inputs, and of inputs to outputs.
    pub fn pointers(&mut self, grant: &[usize], accept: &[usize]) {
        for (output, input) in grant.iter().enumerate() {
            self.note(0, StepKind::GrantPointer, *input, output);
        }
        for (input, output) in accept.iter().enumerate() {
            self.note(0, StepKind::AcceptPointer, input, *output);
        }
    }

    /// Another iteration begins.
    pub fn iterate(&mut self) {
        self.iterations += 1;
    }

    /// An output grants to an input.
    pub fn grant(&mut self, output: usize, input: usize) {
        self.note(self.iterations, StepKind::Grant, input, output);
    }
}

#[cfg(test)]
mod tests {
    use super::super::matching::MatchingSpec;
    use super::super::matching::islip::Islip;
    use super::super::matching::pim::Pim;
    use super::super::matching::script::FilledQueues;
    use super::super::matching::wavefront::Wavefront;
    use super::*;

    /// Steps of a kind: iteration, input and output.
    fn of(steps: &[SlotStep], kind: StepKind) -> Vec<(u32, u32, u32)> {
        let found = steps.iter().filter(|step| step.kind == kind);
        found
            .map(|step| (step.iteration, step.input, step.output))
            .collect()
    }

    #[test]
    fn islip_tells_its_pointers_its_grants_and_the_iteration_of_each_pair() {
        // All outputs grant to input 0, which accepts output 0; then the other two to input 1.
        let mut script = FilledQueues::full(&MatchingSpec::Islip(Islip { iterations: 2 }), 3);
        let steps = script.find_in_steps();
        let first = [(1, 0, 0), (1, 0, 1), (1, 0, 2), (2, 1, 1), (2, 1, 2)];
        assert_eq!(of(&steps, StepKind::Grant), first);
        assert_eq!(of(&steps, StepKind::Pair), [(1, 0, 0), (2, 1, 1)]);
        let steps = script.find_in_steps();
        let pointers = of(&steps, StepKind::GrantPointer);
        assert_eq!(pointers, [(0, 1, 0), (0, 0, 1), (0, 0, 2)]);
        let pointers = of(&steps, StepKind::AcceptPointer);
        assert_eq!(pointers, [(0, 0, 1), (0, 1, 0), (0, 2, 0)]);
    }

    #[test]
    fn a_matching_without_iterations_tells_its_pairs() {
        let mut script = FilledQueues::full(&MatchingSpec::Wavefront(Wavefront {}), 2);
        let steps = script.find_in_steps();
        assert_eq!(of(&steps, StepKind::Pair), [(0, 0, 0), (0, 1, 1)]);
        assert_eq!(steps.len(), 2);
    }

    #[test]
    fn a_matching_finds_the_same_pairs_if_its_steps_are_noted() {
        let rows = ["x.x.", "xx..", "..xx", "x..x"];
        for spec in [
            MatchingSpec::Pim(Pim { iterations: 2 }),
            MatchingSpec::Islip(Islip { iterations: 2 }),
        ] {
            let [mut noted, mut other] = [(); 2].map(|()| FilledQueues::of(&spec, &rows));
            for _ in 0..100 {
                let mut pairs: Vec<_> = of(&noted.find_in_steps(), StepKind::Pair)
                    .into_iter()
                    .map(|(_, input, output)| (input as usize, output as usize))
                    .collect();
                pairs.sort_unstable();
                assert_eq!(pairs, other.find());
            }
        }
    }
}
