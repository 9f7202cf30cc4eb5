//! All messages have one length: the deterministic service times of M/D/1. Kleinrock, "Queueing
//! Systems", volume 1, 1975, chapter 5, has the queue M/G/1, of which M/D/1 is a case.

use parameters::{MessageLength, parameters};

use super::{Application, LengthKind, Lengths, count};

parameters! {
    /// All messages have this length.
    pub struct ConstantLength(pub MessageLength);
}

impl ConstantLength {
    /// The lengths of one flow.
    pub fn build(&self, _application: &Application) -> Box<dyn Lengths> {
        Box::new(Always(count(self.0)))
    }
}

impl LengthKind for ConstantLength {
    fn examples(&self) -> &[MessageLength] {
        std::slice::from_ref(&self.0)
    }

    fn examples_are_all(&self) -> bool {
        true
    }

    fn mean(&self) -> f64 {
        count(self.0) as f64
    }
}

struct Always(u64);

impl Lengths for Always {
    fn next(&mut self) -> u64 {
        self.0
    }
}
