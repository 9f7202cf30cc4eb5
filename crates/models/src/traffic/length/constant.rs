//! All messages have one length.

use parameters::{Length, parameters};

use super::{Application, Lengths, count};

parameters! {
    /// All messages have this length.
    pub struct Constant(pub Length);
}

impl Constant {
    /// The lengths of one flow.
    pub fn build(&self, _application: &Application) -> Box<dyn Lengths> {
        Box::new(Always(count(self.0)))
    }
}

struct Always(u64);

impl Lengths for Always {
    fn next(&mut self) -> u64 {
        self.0
    }
}
