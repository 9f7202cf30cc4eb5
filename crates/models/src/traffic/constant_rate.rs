//! A constant bit rate: a full packet of data at even intervals.
//!
//! The application of the CBR service: ATM Forum, "Traffic Management Specification 4.0",
//! af-tm-0056.000, 1996, section 2.1. Our own choice: full packets, because they take the fewest
//! headers.

use kernel::{Rate, Time};
use parameters::{RandomTime, parameters};

use super::{
    Application, Demand, EvenWrites, OnLink, PacketSizes, Source, SourceKind, SourceRate, Spacing,
    StatedLoad,
};

parameters! {
    /// Writes a full packet of data at even intervals, from the start on.
    #[alias("cbr")]
    pub struct ConstantRate {
        /// User data per second; if not given, as much as `over.cbr` or `over.vbr` carries.
        pub rate: Option<Rate>,
        /// Time of the first write; drawn for each member of a group.
        pub start: RandomTime = "0 s",
    }
}

impl ConstantRate {
    /// The source of one flow.
    pub fn build(&self, application: &Application) -> Box<dyn Source> {
        let start = self.start.draw(&mut application.stream("start"));
        let start = Time::ZERO + start;
        Box::new(EvenWrites::new(application, start, self.rate))
    }

    fn pace(&self) -> SourceRate {
        SourceRate {
            rate: self.rate,
            share: 1.0,
            on: None,
        }
    }
}

impl SourceKind for ConstantRate {
    fn start(&self) -> RandomTime {
        self.start
    }

    fn demand(&self) -> Demand<'_> {
        Demand::Paced(self.pace())
    }

    fn spacing(&self, _packets: &PacketSizes) -> Option<Spacing> {
        None
    }

    fn load(&self, link: &OnLink) -> Option<(&'static str, f64)> {
        self.pace().load(link)
    }

    fn stated_load(&self) -> Option<StatedLoad> {
        self.pace().stated_load()
    }
}

#[cfg(test)]
mod tests {
    use kernel::Duration;

    use super::*;
    use crate::traffic::Write;
    use crate::traffic::tests::application;

    #[test]
    fn messages_are_evenly_spaced_and_exact_in_the_mean() {
        let application = application(40);
        let rate = Rate::from_bits_per_second(93_898_868);
        let source = ConstantRate {
            rate: Some(rate),
            start: RandomTime::Constant(Duration::from_us(5)),
        };
        let mut source = source.build(&application);
        let writes: Vec<Write> = (0..100_001).filter_map(|_| source.next()).collect();
        for pair in writes.windows(2) {
            // The transmission of 320 bits takes 3.407921... us.
            assert!((3_407_921..=3_407_922).contains(&pair[1].at.since(pair[0].at).ps()));
        }
        let last = writes[100_000].at.since(writes[0].at);
        assert_eq!(last, rate.transmission(320 * 100_000));
    }
}
