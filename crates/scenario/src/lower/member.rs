//! What nodes, links and flows are called.

use parameters::Named;

/// One of those that were written under one name.
///
/// Names are put together when they are asked for: those of a large group would take more memory than
/// what they are the names of.
#[derive(Clone, Copy, Debug)]
pub struct Member {
    spec: u32,
    number: Option<u32>,
}

impl Member {
    /// The member `index` of what is written at place `spec`, whose members may be numbered.
    pub fn new(spec: usize, index: usize, numbered: bool) -> Member {
        Member {
            spec: spec as u32,
            number: numbered.then_some(index as u32),
        }
    }

    /// Place, in the scenario, of what it is a member of.
    pub fn spec(self) -> usize {
        self.spec as usize
    }

    /// Its number, if what was written stands for several.
    pub fn number(self) -> Option<u32> {
        self.number
    }

    /// Its name: what was written, with its number if it has one.
    pub fn name<T>(self, written: &Named<T>) -> String {
        let (stem, _) = &written.0[self.spec()];
        match self.number {
            Some(number) => format!("{stem}[{number}]"),
            None => stem.clone(),
        }
    }
}
