//! An endless file: from the start on, there is always data to send.
//!
//! The greedy source of ATM Forum, "Traffic Management Specification 4.0", af-tm-0056.000, 1996,
//! and the infinite source of Romanow and Floyd, "Dynamics of TCP Traffic over ATM Networks", IEEE
//! JSAC 13(4), 1995, section 2.

use kernel::Time;
use parameters::{RandomTime, parameters};

use super::{
    Application, Demand, ENDLESS, OnLink, PacketSizes, Source, SourceKind, Spacing, Write,
};

parameters! {
    /// Always has data to send, from the start on.
    #[alias("ftp")]
    #[alias("bulk")]
    #[alias("infinite")]
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

impl SourceKind for Greedy {
    fn start(&self) -> RandomTime {
        self.start
    }

    fn demand(&self) -> Demand<'_> {
        Demand::Endless
    }

    fn spacing(&self, _packets: &PacketSizes) -> Option<Spacing> {
        None
    }

    fn load(&self, _link: &OnLink) -> Option<(&'static str, f64)> {
        None
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
