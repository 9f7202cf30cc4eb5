//! On and off: a constant bit rate during on times, and no data during off times.
//!
//! With fixed times it is a square wave of period `on` + `off`, duty cycle `on` / (`on` + `off`)
//! and amplitude `rate`; Jain et al., "TCP/IP over ABR", 1996, use one with equal on and off times
//! as their VBR background. With exponential times it is the on-off process of telephone speech:
//! Brady, "A Model for Generating On-Off Speech Patterns in Two-Way Conversation", Bell System
//! Technical Journal 48(7), 1969, whose subject is this process.

use kernel::{Rate, Stream, Time};
use parameters::{Conflict, RandomTime, parameters};

use super::{
    Application, Demand, EvenWrites, OnLink, PacketSizes, SHORTEST_GAP, Source, SourceKind,
    SourceRate, Spacing, StatedLoad, Write,
};

parameters! {
    /// Writes a full packet of data at even intervals during on times, and nothing during off
    /// times.
    #[check(conflict)]
    pub struct OnOff {
        /// Length of an on time.
        pub on: RandomTime,
        /// Length of the off time after each on time.
        pub off: RandomTime,
        /// User data per second during on times; if not given, as much as `over.cbr` or `over.vbr`
        /// carries.
        pub rate: Option<Rate>,
        /// Start of the first on time; drawn for each member of a group.
        pub start: RandomTime = "0 s",
    }
}

impl OnOff {
    /// The source of one flow.
    pub fn build(&self, application: &Application) -> Box<dyn Source> {
        let start = self.start.draw(&mut application.stream("start"));
        let mut state = State {
            on: self.on,
            off: self.off,
            random_on: application.stream("on"),
            random_off: application.stream("off"),
            writes: EvenWrites::new(application, Time::ZERO + start, self.rate),
            until: Time::ZERO,
        };
        state.until = state.writes.due + self.on.draw(&mut state.random_on);
        Box::new(state)
    }

    /// Mean share of time in which the source is on.
    pub fn share(&self) -> f64 {
        let [on, off] = [self.on, self.off].map(|time| time.mean().seconds());
        on / (on + off)
    }

    fn conflict(&self) -> Option<Conflict> {
        (self.on.mean() < SHORTEST_GAP).then(|| Conflict {
            name: "on",
            problem: format!(
                "with a mean on time of `{}` the source never writes",
                self.on.mean()
            ),
            hint: format!("write a mean of at least `\"{SHORTEST_GAP}\"`"),
        })
    }

    fn pace(&self) -> SourceRate {
        SourceRate {
            rate: self.rate,
            share: self.share(),
            on: Some(self.on.mean()),
        }
    }
}

impl SourceKind for OnOff {
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

struct State {
    on: RandomTime,
    off: RandomTime,
    random_on: Stream,
    random_off: Stream,
    /// The messages; the next is written when it is due, unless the source is off then.
    writes: EvenWrites,
    /// End of the present on time.
    until: Time,
}

impl Source for State {
    /// An interval that an off time interrupts continues in the next on time. Messages thus keep
    /// their interval within on times, and off times neither lose nor add data.
    fn next(&mut self) -> Option<Write> {
        while self.writes.due >= self.until {
            let rest = self.writes.due.since(self.until);
            let begin = self.until + self.off.draw(&mut self.random_off);
            self.until = begin + self.on.draw(&mut self.random_on);
            self.writes.due = begin + rest;
        }
        self.writes.next()
    }

    fn rate(&self) -> Option<Rate> {
        self.writes.rate()
    }

    fn set_rate(&mut self, rate: Rate) {
        self.writes.set_rate(rate);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::traffic::tests::application;
    use kernel::Duration;

    const MS: fn(u64) -> RandomTime = |ms| RandomTime::Constant(Duration::from_ms(ms));

    /// The times at which a source writes before `end`, in picoseconds.
    fn writes(source: &OnOff, message: u64, end: Duration) -> Vec<u64> {
        let mut source = source.build(&application(message));
        let times = std::iter::from_fn(|| source.next().map(|write| write.at.ps()));
        times.take_while(|at| *at < end.ps()).collect()
    }

    #[test]
    fn an_interval_that_an_off_time_interrupts_continues_in_the_next_on_time() {
        let source = OnOff {
            on: MS(10),
            off: MS(5),
            rate: Some(Rate::from_bits_per_second(2_000_000)),
            start: MS(2),
        };
        // A message takes 4 ms.
        let writes = writes(&source, 1000, Duration::from_ms(50));
        let ms: Vec<u64> = writes.iter().map(|at| at / 1_000_000_000).collect();
        assert_eq!(ms, [2, 6, 10, 19, 23, 32, 36, 40, 49]);
    }

    #[test]
    fn the_mean_rate_is_the_amplitude_times_the_duty() {
        let amplitude = Rate::from_bits_per_second(93_898_868);
        for (on, off) in [(30, 30), (1, 1), (7, 20)] {
            let source = OnOff {
                on: MS(on),
                off: MS(off),
                rate: Some(amplitude),
                start: MS(0),
            };
            let periods = 100;
            let end = Duration::from_ms(periods * (on + off));
            let messages = writes(&source, 40, end).len() as f64;
            let promised = amplitude.bits_per_second() as f64 * end.seconds() * source.share();
            assert!((messages - promised / 320.0).abs() <= 1.0, "{on}, {off}");
        }
    }

    #[test]
    fn random_times_vary_as_much_as_exponential_ones_do() {
        let exponential = |ms| RandomTime::Exponential {
            mean: Duration::from_ms(ms),
        };
        let source = OnOff {
            on: exponential(2),
            off: exponential(3),
            rate: Some(Rate::from_bits_per_second(3_200_000)),
            start: MS(0),
        };
        let (windows, width) = (2_000, 0.5);
        let mut on = vec![0.0; windows];
        let end = Duration::from_ms(1_000_000);
        for at in writes(&source, 40, end) {
            // The source produces the data of a message over 0.1 ms.
            on[(at as f64 * 1e-12 / width) as usize] += 1e-4;
        }
        let count = windows as f64;
        let mean = on.iter().sum::<f64>() / count;
        let variance = on.iter().map(|one| (one - mean).powi(2)).sum::<f64>() / count;
        // The on time in a window has a variance of 2 (ab)^2 / (a + b)^3 for each second of the
        // window, for an alternating renewal process with means a and b and windows much longer
        // than the correlation time, here 1.2 ms.
        let expected = 2.0 * (2e-3_f64 * 3e-3).powi(2) / 5e-3_f64.powi(3) * width;
        let error = 5.0 * (2.0 / count).sqrt();
        assert!(
            (variance / expected - 1.0).abs() < error,
            "{variance}, not {expected}"
        );
    }

    #[test]
    fn random_times_keep_the_mean_rate() {
        let exponential = |ms| RandomTime::Exponential {
            mean: Duration::from_ms(ms),
        };
        let source = OnOff {
            on: exponential(2),
            off: exponential(3),
            rate: Some(Rate::from_bits_per_second(3_200_000)),
            start: MS(0),
        };
        let end = Duration::from_ms(1_000_000);
        let messages = writes(&source, 40, end).len() as f64;
        let promised = 3_200_000.0 * end.seconds() * 0.4 / 320.0;
        // Over n periods the share of on time has a standard error of 0.4 * 0.6 * sqrt(2 / n).
        let error = 5.0 * 0.6 * (2.0 * 0.005 / end.seconds()).sqrt();
        assert!(
            (messages / promised - 1.0).abs() < error,
            "{messages} of {promised}"
        );
    }
}
