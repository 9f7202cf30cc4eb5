//! Wrapped wave front arbiter: the requests are decided along the diagonals of a matrix.
//!
//! The matrix has a row for each input and a column for each output. The requests of one wrapped
//! diagonal lie in different rows and columns, so the arbiter decides all of them at once: it
//! matches every pair that is free. The diagonals follow each other cyclically, and each slot
//! begins with the diagonal after the one with which the last slot began.
//!
//! The arbiter is a subject of Tamir and Chi, "Symmetric Crossbar Arbiters for VLSI Communication Switches", IEEE Transactions
//! on Parallel and Distributed Systems 4(1), 1993.

use kernel::Time;
use parameters::parameters;

use super::{Crossbar, Matched, Matching};
use crate::switch::virtual_queues::VirtualQueues;

parameters! {
    /// Wrapped wave front arbiter: requests are decided diagonal by diagonal.
    pub struct Wavefront {}
}

impl Wavefront {
    /// The matching of one switch.
    pub fn build(&self, crossbar: &Crossbar) -> Box<dyn Matching> {
        Box::new(State {
            inputs: crossbar.inputs,
            outputs: crossbar.outputs,
            first: 0,
        })
    }
}

struct State {
    inputs: usize,
    outputs: usize,
    /// The diagonal that is decided first.
    first: usize,
}

impl Matching for State {
    fn find(&mut self, _now: Time, queues: &VirtualQueues, matched: &mut Matched) {
        let side = self.inputs.max(self.outputs);
        for wave in 0..side {
            let diagonal = self.first + wave;
            for input in 0..self.inputs {
                let output = (diagonal + side - input) % side;
                let is_free = output < self.outputs
                    && matched.is_input_free(input)
                    && matched.is_output_free(output);
                if is_free && queues.requests(input, output) {
                    matched.join(input, output);
                }
            }
        }
        self.first = (self.first + 1) % side.max(1);
    }
}

#[cfg(test)]
mod tests {
    use super::super::MatchingSpec;
    use super::super::script::FilledQueues;
    use super::*;

    const WAVEFRONT: MatchingSpec = MatchingSpec::Wavefront(Wavefront {});

    #[test]
    fn diagonals_have_priority_in_turn() {
        let mut script = FilledQueues::full(&WAVEFRONT, 3);
        // The inputs and outputs of a diagonal add up to its number, modulo three.
        assert_eq!(script.find(), [(0, 0), (1, 2), (2, 1)]);
        assert_eq!(script.find(), [(0, 1), (1, 0), (2, 2)]);
        assert_eq!(script.find(), [(0, 2), (1, 1), (2, 0)]);
        assert_eq!(script.find(), [(0, 0), (1, 2), (2, 1)]);
    }

    #[test]
    fn later_diagonals_take_what_is_free() {
        // The first diagonal has no request, the second has (0, 1), and the third (1, 1) and (2, 0).
        let mut script = FilledQueues::of(&WAVEFRONT, &[".x.", ".x.", "x.."]);
        assert_eq!(script.find(), [(0, 1), (2, 0)]);
        assert_eq!(script.find(), [(0, 1), (2, 0)]);
        assert_eq!(script.find(), [(1, 1), (2, 0)]);
    }

    #[test]
    fn no_request_remains_between_free_ports_whatever_the_shape() {
        for rows in [
            &["x.x.", "xx.."][..],
            &["x", "x", "."],
            &["x.x.", "xx..", "..xx", "x..x"],
        ] {
            let mut script = FilledQueues::of(&WAVEFRONT, rows);
            for _ in 0..10 {
                script.find_maximal();
            }
        }
    }
}
