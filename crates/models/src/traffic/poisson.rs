//! Messages of a Poisson process: each comes independently of the others.
//!
//! The gaps are exponential; the lengths are independent of the gaps and of each other: the
//! compound Poisson process. With truncated geometric lengths it is the background traffic of
//! Ajmone Marsan et al., "On the Performance of Transport Protocols over ATM Networks", section 3;
//! with messages of a single cell, the arrivals of M/D/1: Kleinrock, "Queueing Systems", volume 1,
//! 1975. Our own choice: the rate may be stated as `load`, `rate` or `gap`, because studies use all
//! three.

use kernel::{Duration, Rate, Stream, Time};
use parameters::{Conflict, RandomTime, RateOrZero, parameters};

use super::length::{LengthSpec, Messages};
use super::{
    Application, Demand, OnLink, PacketSizes, Source, SourceKind, Spacing, StatedLoad, Write,
    one_rate,
};

parameters! {
    /// Messages with exponential gaps, which are independent of each other.
    #[check(conflict)]
    pub struct Poisson {
        /// Length of messages.
        pub length: LengthSpec,
        /// Mean load of the messages on the link of the host, headers, padding and cell headers
        /// included; may be zero.
        pub load: Option<RateOrZero>,
        /// Mean user data per second, if `load` is not given.
        pub rate: Option<Rate>,
        /// Mean time from one message to the next, if neither `load` nor `rate` is given.
        pub gap: Option<Duration>,
        /// Start of the process; drawn for each member of a group.
        pub start: RandomTime = "0 s",
    }
}

impl Poisson {
    /// The source of one flow.
    pub fn build(&self, application: &Application) -> Box<dyn Source> {
        let start = self.start.draw(&mut application.stream("start"));
        let gap = self.mean_gap(&application.packets).unwrap_or(f64::INFINITY);
        if gap.is_infinite() {
            return Box::new(Silence);
        }
        Box::new(State {
            gap,
            mean_bits: (!self.length.is_in_cells()).then(|| self.length.mean() * 8.0),
            last: Time::ZERO + start,
            random: application.stream("gap"),
            messages: self.length.messages(application),
        })
    }

    /// Mean time between two messages in seconds, infinite if there are no messages; none if the
    /// lengths do not determine it.
    pub fn mean_gap(&self, packets: &PacketSizes) -> Option<f64> {
        if let Some(load) = self.load {
            return Some(self.length.mean_bits(packets)? / load.0 as f64);
        }
        if let Some(rate) = self.rate {
            let octets = (!self.length.is_in_cells()).then(|| self.length.mean())?;
            return Some(octets * 8.0 / rate.bits_per_second() as f64);
        }
        self.gap.map(Duration::seconds)
    }

    /// The name of the parameter that sets the rate of messages.
    pub fn said_by(&self) -> &'static str {
        match (self.load, self.rate) {
            (Some(_), _) => "load",
            (None, Some(_)) => "rate",
            (None, None) => "gap",
        }
    }

    fn conflict(&self) -> Option<Conflict> {
        let given = [self.load.is_some(), self.rate.is_some(), self.gap.is_some()];
        one_rate(given, "messages", "20 Mbit/s")
    }
}

impl SourceKind for Poisson {
    fn start(&self) -> RandomTime {
        self.start
    }

    fn demand(&self) -> Demand<'_> {
        Demand::Messages(("length", &self.length))
    }

    fn spacing(&self, packets: &PacketSizes) -> Option<Spacing> {
        Some(Spacing {
            parameter: self.said_by(),
            seconds: self.mean_gap(packets),
        })
    }

    fn load(&self, link: &OnLink) -> Option<(&'static str, f64)> {
        let bits = self.length.mean_bits_on(link);
        Some((self.said_by(), bits / self.mean_gap(&link.at_host)?))
    }

    fn stated_load(&self) -> Option<StatedLoad> {
        let rate = |rate: Rate| RateOrZero(rate.bits_per_second());
        let rate = self.load.or(self.rate.map(rate)).map(StatedLoad::Rate);
        rate.or(self.gap.map(RandomTime::Constant).map(StatedLoad::Time))
    }
}

struct State {
    /// Mean gap, in seconds.
    gap: f64,
    /// Mean length of a message in bits of user data; none for lengths in cells.
    mean_bits: Option<f64>,
    last: Time,
    random: Stream,
    messages: Messages,
}

impl Source for State {
    fn next(&mut self) -> Option<Write> {
        let gap = Duration::from_seconds_f64(self.gap * self.random.exponential_unit());
        // Time must advance, or infinitely many messages could be due at one instant.
        self.last += gap.max(Duration::from_ps(1));
        Some(Write {
            at: self.last,
            octets: self.messages.draw(),
        })
    }

    fn rate(&self) -> Option<Rate> {
        let rate = (self.mean_bits? / self.gap).round() as u64;
        Some(Rate::from_bits_per_second(rate.max(1)))
    }

    fn set_rate(&mut self, rate: Rate) {
        if let Some(bits) = self.mean_bits {
            self.gap = bits / rate.bits_per_second() as f64;
        }
    }
}

/// A source without messages.
struct Silence;

impl Source for Silence {
    fn next(&mut self) -> Option<Write> {
        None
    }
}

#[cfg(test)]
mod tests {
    use parameters::{understand, value};

    use super::*;
    use crate::traffic::tests::application;
    use crate::wire::format::CellFormat;

    fn poisson(value: &parameters::Value) -> Poisson {
        understand(value).expect("a source")
    }

    /// The messages before `end`, with times in seconds, and their octets.
    fn writes(source: &Poisson, application: &Application, end: f64) -> Vec<(f64, u64)> {
        let mut source = source.build(application);
        let writes = std::iter::from_fn(|| source.next());
        let writes = writes.map(|write| (write.at.seconds(), write.octets));
        writes.take_while(|(at, _)| *at < end).collect()
    }

    #[test]
    fn the_counts_of_messages_are_those_of_a_poisson_process() {
        let source = poisson(&value!({ length = { constant = "40 B" }, gap = "1 ms" }));
        let windows = 20_000;
        let mut counts = vec![0.0; windows];
        for (at, _) in writes(&source, &application(40), windows as f64 * 0.01) {
            counts[(at / 0.01) as usize] += 1.0;
        }
        let count = windows as f64;
        let mean = counts.iter().sum::<f64>() / count;
        let variance = counts.iter().map(|one| (one - mean).powi(2)).sum::<f64>() / count;
        // The number of messages in 10 ms has mean and variance 10; the bounds are five standard
        // errors, with the fourth central moment 3 * 10^2 + 10.
        assert!((mean - 10.0).abs() < 5.0 * (10.0 / count).sqrt(), "{mean}");
        assert!(
            (variance - 10.0).abs() < 5.0 * (210.0 / count).sqrt(),
            "{variance}"
        );
    }

    #[test]
    fn the_load_on_the_link_has_the_given_mean_and_the_variance_of_its_messages() {
        let source = poisson(&value!({
            length = { geometric = { mean = "20 cells", max = "200 cells" } },
            load = "20 Mbit/s"
        }));
        // Datagrams without headers of up to 200 cells.
        let application = Application {
            packets: PacketSizes {
                payload: 200 * 48 - 8,
                headers: 0,
                added: 0,
                least: 0,
                cells: Some(CellFormat::ATM),
            },
            ..application(9592)
        };
        let (windows, width) = (4_000, 0.05);
        let mut bits = vec![0.0; windows];
        for (at, octets) in writes(&source, &application, windows as f64 * width) {
            assert_eq!((octets + 8) % 48, 0, "messages fill their cells");
            bits[(at / width) as usize] += (octets + 8) as f64 / 48.0 * 424.0;
        }
        let count = windows as f64;
        let mean = bits.iter().sum::<f64>() / count;
        let variance = bits.iter().map(|one| (one - mean).powi(2)).sum::<f64>() / count;
        // The variance of a compound Poisson process is the mean number of messages in a window
        // times the second moment of their lengths.
        let messages = 20e6 * width / (20.0 * 424.0);
        let expected = messages * (20.0_f64.powi(2) + 19.4645_f64.powi(2)) * 424.0_f64.powi(2);
        assert!(
            (mean / (20e6 * width) - 1.0).abs() < 5.0 * (expected / count).sqrt() / (20e6 * width),
            "{mean}"
        );
        // The number of octets in a window is nearly normal, so the standard error of its variance
        // follows from the variance.
        assert!(
            (variance / expected - 1.0).abs() < 5.0 * (2.1 / count).sqrt(),
            "{variance}"
        );
    }

    #[test]
    fn a_rate_counts_user_data() {
        let source = poisson(&value!({ length = { constant = "500 B" }, rate = "4 Mbit/s" }));
        let gap = source.mean_gap(&application(1000).packets).expect("a gap");
        assert!((gap - 1e-3).abs() < 1e-15);
    }

    #[test]
    fn a_load_of_zero_gives_no_messages() {
        let source = poisson(&value!({ length = { constant = "1 cell" }, load = "0 Mbit/s" }));
        assert_eq!(source.build(&application(40)).next(), None);
    }
}
