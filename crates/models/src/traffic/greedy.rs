//! An endless file: from the start on, there is always data to send.

use kernel::Time;
use parameters::{RandomTime, parameters};

use super::{Application, ENDLESS, Source, Write};

parameters! {
    /// Always has data to send, from the start on.
    pub struct Greedy {
        /// Time of the first data; drawn for each member of a group.
        pub start: RandomTime = "0 s",
    }
}

impl Greedy {
    /// The source of one flow.
    pub fn build(&self, application: &Application) -> Box<dyn Source> {
        let start = self.start.draw(&mut application.stream("start"));
        Box::new(Once(Time::ZERO + start))
    }
}

/// Time of the only write; [`Time::NEVER`] after it.
struct Once(Time);

impl Source for Once {
    fn next(&mut self) -> Option<Write> {
        let at = std::mem::replace(&mut self.0, Time::NEVER);
        (at < Time::NEVER).then_some(Write {
            at,
            octets: ENDLESS,
        })
    }
}
