//! An endless file: from the start on, there is always something to send.

use kernel::Time;
use parameters::{RandomTime, parameters};

use super::{Application, ENDLESS, Source, Write};

parameters! {
    /// Sends as much as it can, from the start on.
    pub struct Greedy {
        /// When it begins; drawn anew for each member of a group.
        pub start: RandomTime = "0 s",
    }
}

impl Greedy {
    /// The source of one flow.
    pub fn build(&self, application: &Application) -> Box<dyn Source> {
        let start = self.start.draw(&mut application.stream("start"));
        Box::new(Once(Some(Time::ZERO + start)))
    }
}

/// When the only write is, until it was.
struct Once(Option<Time>);

impl Source for Once {
    fn next(&mut self) -> Option<Write> {
        self.0.take().map(|at| Write {
            at,
            octets: ENDLESS,
        })
    }
}
