//! A burst: one message at a given time, and nothing after it.

use kernel::Time;
use parameters::{Bytes, RandomTime, parameters};

use super::{Application, Demand, OnLink, PacketSizes, Source, SourceKind, Spacing, Write};

parameters! {
    /// Sends one message.
    pub struct Burst {
        /// Time of the message; drawn for each member of a group.
        pub start: RandomTime = "0 s",
        /// User data of the message.
        #[range("1 B", "1 GiB")]
        pub size: Bytes = "64 KiB",
    }
}

impl Burst {
    /// The source of one flow.
    pub fn build(&self, application: &Application) -> Box<dyn Source> {
        let start = self.start.draw(&mut application.stream("start"));
        Box::new(State(Some(Write {
            at: Time::ZERO + start,
            octets: self.size.0,
        })))
    }
}

impl SourceKind for Burst {
    fn start(&self) -> RandomTime {
        self.start
    }

    fn demand(&self) -> Demand<'_> {
        Demand::Open
    }

    fn spacing(&self, _packets: &PacketSizes) -> Option<Spacing> {
        None
    }

    fn load(&self, _link: &OnLink) -> Option<(&'static str, f64)> {
        None
    }
}

struct State(Option<Write>);

impl Source for State {
    fn next(&mut self) -> Option<Write> {
        self.0.take()
    }
}

#[cfg(test)]
mod tests {
    use parameters::ParameterTable;

    use super::*;
    use crate::traffic::tests::application;

    #[test]
    fn writes_once() {
        let mut source = Burst::defaults().build(&application(1000));
        let write = source.next().expect("one message");
        assert_eq!((write.at, write.octets), (Time::ZERO, 65_536));
        assert_eq!(source.next(), None);
    }
}
