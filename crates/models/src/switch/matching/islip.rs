//! iSLIP: outputs grant, and inputs accept, round robin.
//!
//! In each iteration every free output grants to the requesting input that comes first from its
//! grant pointer, and every input accepts the output that comes first from its accept pointer. The
//! pointers of an output and an input that are matched move to the number after the other, modulo
//! N, and only in the first iteration: an output whose grant is not accepted tries the same input
//! again, so no request waits for ever, and the pointers of busy outputs move apart.
//!
//! McKeown, "The iSLIP Scheduling Algorithm for Input-Queued Switches", IEEE/ACM Transactions on
//! Networking 7(2), 1999, in the words of those who describe it: of the paper we have read the
//! abstract. All pointers start at the lowest number, which is our own choice.

use kernel::Time;
use parameters::parameters;

use super::{Crossbar, Matched, Matching, requesting_from};
use crate::switch::matching_steps::SlotSteps;
use crate::switch::virtual_queues::VirtualQueues;

parameters! {
    /// iSLIP: outputs grant, and inputs accept, round robin from pointers.
    pub struct Islip {
        /// Iterations of a matching; one that adds no pair is the last.
        #[range(1, 1024)]
        pub iterations: u32 = 4,
    }
}

impl Islip {
    /// The matching of one switch.
    pub fn build(&self, crossbar: &Crossbar) -> Box<dyn Matching> {
        Box::new(State {
            iterations: self.iterations,
            grant_pointers: vec![0; crossbar.outputs].into(),
            accept_pointers: vec![0; crossbar.inputs].into(),
            nearest: vec![None; crossbar.inputs].into(),
        })
    }
}

struct State {
    iterations: u32,
    /// The grant pointer of each output: an input.
    grant_pointers: Box<[usize]>,
    /// The accept pointer of each input: an output.
    accept_pointers: Box<[usize]>,
    /// The grant of this iteration that is nearest to the accept pointer, by input.
    nearest: Box<[Option<Grant>]>,
}

#[derive(Clone, Copy)]
struct Grant {
    output: usize,
    /// Number of outputs from the accept pointer to this one, in cyclic order.
    distance: usize,
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
        if let Some(steps) = &mut steps {
            steps.pointers(&self.grant_pointers, &self.accept_pointers);
        }
        for iteration in 0..self.iterations {
            if let Some(steps) = &mut steps {
                steps.iterate();
            }
            self.grant(queues, matched, steps.as_deref_mut());
            if !self.accept(iteration == 0, matched) {
                return;
            }
        }
    }

    /// Lets free outputs grant.
    fn grant(
        &mut self,
        queues: &VirtualQueues,
        matched: &Matched,
        mut steps: Option<&mut SlotSteps>,
    ) {
        let outputs = self.grant_pointers.len();
        for output in (0..outputs).filter(|output| matched.is_output_free(*output)) {
            let granted = requesting_from(self.grant_pointers[output], output, queues, matched);
            let Some(input) = granted else {
                continue;
            };
            if let Some(steps) = &mut steps {
                steps.grant(output, input);
            }
            let distance = (output + outputs - self.accept_pointers[input]) % outputs;
            let nearest = &mut self.nearest[input];
            if nearest.is_none_or(|grant| distance < grant.distance) {
                *nearest = Some(Grant { output, distance });
            }
        }
    }

    /// Lets inputs accept; returns true if any did.
    fn accept(&mut self, is_first: bool, matched: &mut Matched) -> bool {
        let (inputs, outputs) = (self.accept_pointers.len(), self.grant_pointers.len());
        let mut any = false;
        for input in 0..inputs {
            let Some(Grant { output, .. }) = self.nearest[input].take() else {
                continue;
            };
            matched.join(input, output);
            any = true;
            if is_first {
                self.grant_pointers[output] = (input + 1) % inputs;
                self.accept_pointers[input] = (output + 1) % outputs;
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

    fn islip(iterations: u32) -> MatchingSpec {
        MatchingSpec::Islip(Islip { iterations })
    }

    #[test]
    fn pointers_of_a_full_switch_move_apart_and_serve_every_pair_in_turn() {
        // A switch of two inputs matches one pair in the first slot. From the second slot on its
        // outputs point to different inputs, and it matches two.
        let mut script = FilledQueues::full(&islip(1), 2);
        assert_eq!(script.find(), [(0, 0)]);
        for _ in 0..3 {
            assert_eq!(script.find(), [(0, 1), (1, 0)]);
            assert_eq!(script.find(), [(0, 0), (1, 1)]);
        }
    }

    #[test]
    fn a_full_switch_matches_every_output_once_its_pointers_differ() {
        for ports in [3, 8, 16] {
            let mut script = FilledQueues::full(&islip(1), ports);
            (0..ports).for_each(|_| drop(script.find()));
            for _ in 0..2 * ports {
                assert_eq!(script.find().len(), ports);
            }
        }
    }

    #[test]
    fn pointers_stay_where_a_later_iteration_matches() {
        // All outputs grant to input 0, which accepts output 0; in the second iteration outputs 1
        // and 2 grant to input 1, which accepts output 1.
        let mut script = FilledQueues::full(&islip(2), 3);
        assert_eq!(script.find(), [(0, 0), (1, 1)]);
        // Outputs 1 and 2 still point to input 0, which accepts output 1, where its pointer has
        // moved. A pointer of output 1 that had moved to input 2 would match these two.
        assert_eq!(script.find(), [(0, 1), (1, 0), (2, 2)]);
    }

    #[test]
    fn a_request_that_is_not_accepted_is_granted_again() {
        // Input 1 has cells for output 1 only, which grants to input 0 first.
        let mut script = FilledQueues::of(&islip(1), &["xx", ".x"]);
        assert_eq!(script.find(), [(0, 0)]);
        assert_eq!(script.find(), [(0, 1)]);
        assert_eq!(script.find(), [(0, 0), (1, 1)]);
    }

    #[test]
    fn as_many_iterations_as_inputs_leave_no_request_between_free_ports() {
        let mut script = FilledQueues::of(&islip(4), &["x.x.", "xx..", "..xx", "x..x"]);
        for _ in 0..200 {
            script.find_maximal();
        }
    }
}
