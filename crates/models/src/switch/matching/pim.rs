//! Parallel iterative matching (PIM): outputs grant to inputs at random, and inputs accept at
//! random.
//!
//! In each iteration every free output grants to one of the free inputs that request it, and every
//! input accepts one of its grants; each choice is uniform. One iteration matches a share of
//! 1 - (1 - 1/N)^N of the outputs where all inputs have cells for all outputs, since an input with
//! several grants accepts only one.
//!
//! PIM is the subject of Anderson, Owicki, Saxe and Thacker, "High-Speed Switch Scheduling for
//! Local-Area Networks", ACM Transactions on Computer Systems 11(4), 1993. We have not read the paper,
//! and follow those who describe it.

use kernel::{Stream, Time};
use parameters::parameters;

use super::{Crossbar, Matched, Matching, upward};
use crate::switch::matching_steps::SlotSteps;
use crate::switch::virtual_queues::VirtualQueues;

parameters! {
    /// Parallel iterative matching: outputs grant, and inputs accept, at random.
    pub struct Pim {
        /// Iterations of a matching; one that adds no pair is the last.
        #[range(1, 1024)]
        pub iterations: u32 = 4,
    }
}

impl Pim {
    /// The matching of one switch.
    pub fn build(&self, crossbar: &Crossbar) -> Box<dyn Matching> {
        Box::new(State {
            iterations: self.iterations,
            random: crossbar.random.clone(),
            requesting: Vec::with_capacity(crossbar.inputs),
            granted: vec![Grants::default(); crossbar.inputs].into(),
        })
    }
}

struct State {
    iterations: u32,
    random: Stream,
    /// The free inputs that request the output at hand.
    requesting: Vec<usize>,
    /// The grants of this iteration, by input.
    granted: Box<[Grants]>,
}

/// The grants of an input, of which it accepts one.
#[derive(Clone, Copy, Default)]
struct Grants {
    count: u64,
    accepted: usize,
}

impl Matching for State {
    fn find(&mut self, _now: Time, queues: &VirtualQueues, matched: &mut Matched) {
        self.iterate(queues, matched, None);
    }

    fn find_in_steps(
        &mut self,
        _now: Time,
        queues: &VirtualQueues,
        matched: &mut Matched,
        steps: &mut SlotSteps,
    ) {
        self.iterate(queues, matched, Some(steps));
    }
}

impl State {
    fn iterate(
        &mut self,
        queues: &VirtualQueues,
        matched: &mut Matched,
        mut steps: Option<&mut SlotSteps>,
    ) {
        for _ in 0..self.iterations {
            if let Some(steps) = &mut steps {
                steps.iterate();
            }
            self.grant(queues, matched, steps.as_deref_mut());
            if !self.accept(matched) {
                return;
            }
        }
    }

    fn grant(
        &mut self,
        queues: &VirtualQueues,
        matched: &Matched,
        mut steps: Option<&mut SlotSteps>,
    ) {
        for output in (0..queues.outputs()).filter(|output| matched.is_output_free(*output)) {
            self.requesting.clear();
            let inputs = upward(queues.inputs_of(output), 0);
            self.requesting
                .extend(inputs.filter(|input| matched.is_input_free(*input)));
            if self.requesting.is_empty() {
                continue;
            }
            let chosen = self.random.below(self.requesting.len() as u64) as usize;
            let input = self.requesting[chosen];
            if let Some(steps) = &mut steps {
                steps.grant(output, input);
            }
            let grants = &mut self.granted[input];
            grants.count += 1;
            // Each of `count` grants remains with the same probability: the last replaces the
            // others with probability 1 / count.
            if grants.count == 1 || self.random.below(grants.count) == 0 {
                grants.accepted = output;
            }
        }
    }

    /// Lets inputs accept; returns true if any did.
    fn accept(&mut self, matched: &mut Matched) -> bool {
        let mut any = false;
        for (input, grants) in self.granted.iter_mut().enumerate() {
            if std::mem::take(&mut grants.count) > 0 {
                matched.join(input, grants.accepted);
                any = true;
            }
        }
        any
    }
}

#[cfg(test)]
mod tests {
    use super::super::MatchingSpec;
    use super::super::script::FilledQueues;
    use super::*;

    fn pim(iterations: u32) -> MatchingSpec {
        MatchingSpec::Pim(Pim { iterations })
    }

    #[test]
    fn one_iteration_of_a_full_switch_matches_the_share_of_the_formula() {
        for ports in [2, 4, 16] {
            let mut script = FilledQueues::full(&pim(1), ports);
            let matched: usize = (0..20_000).map(|_| script.find().len()).sum();
            let share = matched as f64 / (20_000 * ports) as f64;
            let exact = 1.0 - (1.0 - 1.0 / ports as f64).powi(ports as i32);
            // Five standard deviations: the share of one matching deviates by less than 0.25.
            assert!((share - exact).abs() < 0.009, "{ports} ports: {share}");
        }
    }

    #[test]
    fn as_many_iterations_as_inputs_leave_no_request_between_free_ports() {
        let mut script = FilledQueues::of(&pim(4), &["x.x.", "xx..", "..xx", "x..x"]);
        for _ in 0..200 {
            script.find_maximal();
        }
    }

    #[test]
    fn each_input_is_granted_equally_often() {
        let mut script = FilledQueues::of(&pim(1), &["x", "x", "x"]);
        let mut granted = [0; 3];
        for _ in 0..9000 {
            granted[script.find()[0].0] += 1;
        }
        // Five standard deviations of 9000 draws with a probability of a third.
        assert!(granted.iter().all(|count| (2776..3224).contains(count)));
    }
}
