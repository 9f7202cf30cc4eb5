//! Traffic sources: when an application hands data to its transport, and how much.

use kernel::{Duration, Rate, Seed, Stream, Time};

parameters::registry! {
    /// When an application has data to send, and how much.
    pub enum SourceSpec builds Box<dyn Source>, for Application {
        greedy => Greedy,
        telnet => Telnet,
        constant_rate => ConstantRate,
        on_off => OnOff,
    } default greedy
}

/// An application, as known before the run.
#[derive(Clone, Debug)]
pub struct Application {
    /// Name of the flow: owner of its random streams.
    pub name: String,
    /// Seed of the run.
    pub seed: Seed,
    /// User octets in a full packet of its transport.
    pub message: u64,
    /// Time that its carriage takes for such a packet at its own rate, if it has one.
    pub message_time: Option<Duration>,
}

impl Application {
    /// From one full packet to the next at `rate` of user data, or at that of its carriage.
    ///
    /// # Panics
    /// If neither is given.
    pub fn beat(&self, rate: Option<Rate>) -> Beat {
        match (rate, self.message_time) {
            (Some(rate), _) => Beat::new(self.message * 8, rate),
            (None, Some(time)) => Beat::of(time),
            (None, None) => unreachable!("lowering refuses a source without a rate"),
        }
    }

    /// The stream for one purpose.
    pub fn stream(&self, purpose: &str) -> Stream {
        self.seed.stream(&self.name, purpose)
    }
}

/// Data handed to the transport.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Write {
    /// When.
    pub at: Time,
    /// How many octets.
    pub octets: u64,
}

/// Instants that are evenly apart, and exact in the mean where a picosecond does not divide them.
#[derive(Clone, Copy, Debug)]
pub struct Beat {
    whole: u64,
    /// What remains of a beat, in parts of a picosecond, and how many of them it has.
    rest: u64,
    parts: u64,
    carried: u64,
}

impl Beat {
    /// The time that `bits` take at `rate`.
    fn new(bits: u64, rate: Rate) -> Beat {
        let ps = u128::from(bits) * 1_000_000_000_000;
        let parts = u128::from(rate.bits_per_second());
        Beat {
            whole: u64::try_from(ps / parts).unwrap_or(u64::MAX),
            rest: (ps % parts) as u64,
            parts: parts as u64,
            carried: 0,
        }
    }

    fn of(time: Duration) -> Beat {
        Beat {
            whole: time.ps(),
            rest: 0,
            parts: 1,
            carried: 0,
        }
    }

    /// Time to the next of them.
    pub fn step(&mut self) -> Duration {
        self.carried += self.rest;
        let carry = self.carried >= self.parts;
        self.carried -= if carry { self.parts } else { 0 };
        Duration::from_ps(self.whole.saturating_add(u64::from(carry)))
    }
}

impl Write {
    /// The one that does not come.
    pub const NEVER: Write = Write {
        at: Time::NEVER,
        octets: 0,
    };
}

/// More than any run can send.
pub const ENDLESS: u64 = u64::MAX / 4;

/// A traffic source.
pub trait Source {
    /// The write after the last one, if there is one.
    fn next(&mut self) -> Option<Write>;
}

impl SourceSpec {
    /// Whether the source always has something to send, so that its flow takes what it can get.
    pub fn is_greedy(&self) -> bool {
        matches!(self, SourceSpec::Greedy(_))
    }

    /// What is said of its rate, if it writes at one.
    pub fn pace(&self) -> Option<Pace> {
        match self {
            SourceSpec::Greedy(_) | SourceSpec::Telnet(_) => None,
            SourceSpec::ConstantRate(source) => Some(Pace {
                rate: source.rate,
                share: 1.0,
            }),
            SourceSpec::OnOff(source) => Some(Pace {
                rate: source.rate,
                share: source.share(),
            }),
        }
    }
}

/// How a source writes that does so at a rate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pace {
    /// User data while it writes, if given.
    pub rate: Option<Rate>,
    /// Share of the time in which it writes, in the mean.
    pub share: f64,
}
