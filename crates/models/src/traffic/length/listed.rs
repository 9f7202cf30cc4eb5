//! Lengths from a list, in order and without randomness. Our own source of lengths, for measured
//! lengths, and for tests that must know each message.

use parameters::{MessageLength, Parameter, Path, Problem, Problems, Shape, Value, Written};

use super::{Application, LengthKind, Lengths, count, is_in_cells};

/// Lengths from a list, in order; after the last, the list begins again.
#[derive(Clone, Debug, PartialEq)]
pub struct Listed(pub Vec<MessageLength>);

impl Parameter for Listed {
    fn shape() -> Shape {
        Vec::<MessageLength>::shape()
    }

    fn help() -> String {
        "Lengths from a list, in order; after the last, the list begins again.".into()
    }

    fn read(written: &Written, at: &Path, problems: &mut Problems) -> Option<Listed> {
        let lengths = Vec::<MessageLength>::read(written, at, problems)?;
        let problem = match &lengths[..] {
            [] => Some("the list is empty"),
            [first, rest @ ..] => {
                let other = |length: &MessageLength| is_in_cells(*length) != is_in_cells(*first);
                rest.iter()
                    .any(other)
                    .then_some("the list has both cells and bytes")
            }
        };
        let Some(problem) = problem else {
            return Some(Listed(lengths));
        };
        let hint = "write for example `[\"10 kB\", \"1 MB\"]`, or all lengths in cells";
        problems.add(Problem::new(at, written.place, problem).hint(hint));
        None
    }

    fn write(&self) -> Value {
        self.0.write()
    }
}

impl Listed {
    /// The lengths of one flow.
    pub fn build(&self, _application: &Application) -> Box<dyn Lengths> {
        Box::new(State {
            lengths: self.0.iter().map(|length| count(*length)).collect(),
            next: 0,
        })
    }
}

impl LengthKind for Listed {
    fn examples(&self) -> &[MessageLength] {
        &self.0
    }

    fn examples_are_all(&self) -> bool {
        true
    }

    fn mean(&self) -> f64 {
        let lengths = self.0.iter().map(|length| count(*length) as f64);
        lengths.sum::<f64>() / self.0.len() as f64
    }
}

struct State {
    lengths: Box<[u64]>,
    next: usize,
}

impl Lengths for State {
    fn next(&mut self) -> u64 {
        let length = self.lengths[self.next];
        self.next = (self.next + 1) % self.lengths.len();
        length
    }
}

#[cfg(test)]
mod tests {
    use parameters::{understand, value};

    use super::*;
    use crate::traffic::tests::application;

    #[test]
    fn a_list_begins_again() {
        let listed: Listed = understand(&value!(["3 B", "5 B"])).expect("a list");
        let mut lengths = listed.build(&application(1));
        let first: Vec<u64> = (0..5).map(|_| lengths.next()).collect();
        assert_eq!(first, [3, 5, 3, 5, 3]);
    }
}
