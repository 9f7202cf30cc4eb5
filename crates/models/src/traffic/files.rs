//! Files, one after another over one connection; each begins when the file before it has arrived.
//!
//! Our own source, for completion times of files: a closed loop, in which a user waits for a file
//! before requesting the next. For files whose arrivals do not depend on earlier files, use a
//! Poisson source of long messages.

use kernel::Time;
use parameters::{RandomTime, parameters};

use super::length::LengthSpec;
use super::{Application, Demand, OnLink, PacketSizes, Source, SourceKind, Spacing, Turns};

parameters! {
    /// Sends files, each after the file before it has been acknowledged completely.
    pub struct Files {
        /// Length of files, in bytes.
        pub length: LengthSpec,
        /// Number of files; if not given, without end.
        #[range(1, 1_000_000_000)]
        pub count: Option<u32>,
        /// Time from the last acknowledgment of a file to the beginning of the next.
        pub gap: RandomTime = "0 s",
        /// Time of the first file; drawn for each member of a group.
        pub start: RandomTime = "0 s",
    }
}

impl Files {
    /// The source of one flow.
    pub fn build(&self, application: &Application) -> Box<dyn Source> {
        let start = self.start.draw(&mut application.stream("start"));
        Box::new(Turns {
            messages: self.length.messages(application),
            pause: self.gap,
            random: application.stream("gap"),
            left: self.count.map_or(u64::MAX, u64::from),
            first: Some(Time::ZERO + start),
        })
    }
}

impl SourceKind for Files {
    fn start(&self) -> RandomTime {
        self.start
    }

    fn demand(&self) -> Demand<'_> {
        Demand::Turns(("length", &self.length))
    }

    fn spacing(&self, _packets: &PacketSizes) -> Option<Spacing> {
        None
    }

    fn load(&self, _link: &OnLink) -> Option<(&'static str, f64)> {
        None
    }
}

#[cfg(test)]
mod tests {
    use kernel::Duration;
    use parameters::{understand, value};

    use super::*;
    use crate::traffic::Write;
    use crate::traffic::tests::application;

    const MS: fn(u64) -> Time = |ms| Time::ZERO + Duration::from_ms(ms);

    #[test]
    fn each_file_waits_for_the_file_before_and_the_last_ends_the_source() {
        let files: Files = understand(&value!({
            length = { listed = ["3 kB", "5 kB"] }, count = 3, gap = "2 ms", start = "1 ms"
        }))
        .expect("a source");
        let mut source = files.build(&application(1000));
        let write = |ms, octets| Some(Write { at: MS(ms), octets });
        assert!(source.takes_turns());
        assert_eq!(source.next(), write(1, 3000));
        assert_eq!(source.next(), None);
        assert_eq!(source.on_acknowledged(MS(10)), write(12, 5000));
        assert_eq!(source.next(), None);
        assert_eq!(source.on_acknowledged(MS(20)), write(22, 3000));
        assert_eq!(source.on_acknowledged(MS(30)), None);
    }
}
