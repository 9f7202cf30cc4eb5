//! Traffic sources: the times at which an application hands data to its transport, and the amounts.
//!
//! Our own interface: a source states its next write, so a test runs it without a transport. Each
//! source names its own model.

pub mod arrivals;
mod beat;
pub mod length;
mod lines;
mod one_rate;
mod packet_filter;
mod packet_sizes;
mod period;
mod stated_load;
mod turns;

use kernel::{Duration, Rate, Seed, Stream, Time};
use parameters::{RandomTime, RateOrZero};

pub use beat::{Beat, EvenWrites};
use connections::Connections;
use length::LengthSpec;
pub use lines::{FileLines, TextFile, Wrong, read_lines, rows};
use one_rate::one_rate;
pub use packet_filter::{AddressRange, PacketFields, PacketFilter, Protocol};
pub use packet_sizes::{OnLink, PacketSizes};
use period::ends_after;
pub use stated_load::StatedLoad;
pub use trace::{Replay, Writes};
use turns::Turns;

parameters::registry! {
    /// Traffic source: the times at which an application has data to send, and their amounts.
    pub enum SourceSpec builds Box<dyn Source>, for Application, answers dyn SourceKind {
        greedy => Greedy,
        telnet => Telnet,
        constant_rate => ConstantRate,
        on_off => OnOff,
        poisson => Poisson,
        bernoulli => Bernoulli,
        files => Files,
        request_response => RequestResponse,
        trace => Trace,
        connections => Connections,
        steps => Steps,
        pcap => Pcap,
    } default greedy open to Outside
}

/// An application, as known before the run.
#[derive(Clone, Debug)]
pub struct Application {
    /// Name of the flow, which owns the random streams.
    pub name: String,
    /// Name of the sending host, whose flows may share a stream.
    pub host: String,
    /// Seed of the run.
    pub seed: Seed,
    /// User octets of a full packet of the transport.
    pub message: u64,
    /// Transmission time of a full packet at the rate of the bearer, if it has one.
    pub message_time: Option<Duration>,
    /// Size of user data on a link.
    pub packets: PacketSizes,
    /// User octets per second that the slowest link of the path carries in full packets.
    pub carried: f64,
    /// Number of flows of the group from the same host, which divide its connections.
    pub siblings: u32,
    /// Number of flows that the source awaits, and that end at its host.
    pub awaited: usize,
}

impl Application {
    /// A [`Beat`] of full packets at `rate` of user data, or at the rate of the bearer.
    ///
    /// # Panics
    /// If neither rate is given.
    pub fn beat(&self, rate: Option<Rate>) -> Beat {
        match (rate, self.message_time) {
            (Some(rate), _) => Beat::new(self.message * 8, rate),
            (None, Some(time)) => Beat::of(time),
            (None, None) => unreachable!("lowering refuses a source without a rate"),
        }
    }

    /// The random stream for one purpose.
    pub fn stream(&self, purpose: &str) -> Stream {
        self.seed.stream(&self.name, purpose)
    }
}

/// Data handed to the transport.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Write {
    /// Time of the write.
    pub at: Time,
    /// Number of octets.
    pub octets: u64,
}

impl Write {
    /// The write of a source that has ended, which never comes.
    pub const NEVER: Write = Write {
        at: Time::NEVER,
        octets: 0,
    };
}

/// Shortest mean time between writes: with shorter times a simulated second would take hours of
/// computing time.
pub const SHORTEST_GAP: Duration = Duration::from_ps(1_000);

/// A number of octets larger than any run can send.
pub const ENDLESS: u64 = u64::MAX / 4;

/// A traffic source.
pub trait Source: Send {
    /// The next write; none if the source has ended, or waits for an acknowledgment.
    fn next(&mut self) -> Option<Write>;

    /// True if a write waits until all earlier writes are acknowledged.
    fn takes_turns(&self) -> bool {
        false
    }

    /// True if the times of its steps are measured, from a write until the next may follow.
    fn times_steps(&self) -> bool {
        false
    }

    /// An awaited flow has delivered `octets` at `now`; returns the next write if this ends a step,
    /// and [`Write::NEVER`] if that was the last.
    fn on_delivered(&mut self, now: Time, awaited: usize, octets: u64) -> Option<Write> {
        let _ = (now, awaited, octets);
        None
    }

    /// Rate of user data during on times; none if no parameter states it. A run may change the
    /// rate.
    fn rate(&self) -> Option<Rate> {
        None
    }

    /// Changes the rate; the write that [`Source::next`] returned last keeps its time.
    ///
    /// Called only if [`Source::rate`] returns a rate.
    fn set_rate(&mut self, rate: Rate) {
        let _ = rate;
    }

    /// All written data is acknowledged at `now`; returns the next write, if there is one.
    fn on_acknowledged(&mut self, now: Time) -> Option<Write> {
        let _ = now;
        None
    }
}

/// The properties of a source before the run, which each member states in its own file.
pub trait SourceKind {
    /// Start of the source.
    fn start(&self) -> RandomTime;

    /// The times and amounts of the data of the source.
    fn demand(&self) -> Demand<'_>;

    /// The mean time between messages; none if no parameter states it.
    fn spacing(&self, packets: &PacketSizes) -> Option<Spacing>;

    /// The load of the source on a link in bit/s, with the name of the parameter that states it;
    /// none if the source waits for acknowledgments.
    fn load(&self, link: &OnLink) -> Option<(&'static str, f64)>;

    /// The value of the parameter that [`SourceKind::load`] names, with which a hint gives the
    /// largest load; none if the source has no load, or only several parameters state it.
    fn stated_load(&self) -> Option<StatedLoad> {
        None
    }

    /// The flows that the source awaits, if it has steps.
    fn awaits(&self) -> Option<&[String]> {
        None
    }

    /// The connections of the source, if they come and go.
    fn connections(&self) -> Option<&Connections> {
        None
    }
}

/// The times and amounts of the data of a source.
#[derive(Clone, Copy, Debug)]
pub enum Demand<'a> {
    /// Data is always available, so the flow takes all the capacity it can get.
    Endless,
    /// Full packets at a given rate.
    Paced(SourceRate),
    /// Messages, each written when all earlier data is acknowledged.
    Turns(MessageLengths<'a>),
    /// Messages at times that do not depend on the network.
    Messages(MessageLengths<'a>),
    /// Amounts other than messages, at times that do not depend on the network.
    Open,
    /// Connections that come and go, with the lengths of their data unless the arrivals state them.
    Connections(Option<MessageLengths<'a>>),
}

/// Lengths of messages, with the name of their parameter.
pub type MessageLengths<'a> = (&'static str, &'a LengthSpec);

impl SourceSpec {
    /// True if the source always has data to send.
    pub fn is_greedy(&self) -> bool {
        matches!(self.demand(), Demand::Endless)
    }

    /// True if the source sends at a constant rate, so that members of a group send the same.
    pub fn is_steady(&self) -> bool {
        matches!(self, SourceSpec::ConstantRate(_))
    }

    /// True if the source writes only when all it has written is acknowledged.
    pub fn takes_turns(&self) -> bool {
        matches!(self.demand(), Demand::Turns(_))
    }

    /// Lengths of the messages, if the source has messages.
    pub fn lengths(&self) -> Option<MessageLengths<'_>> {
        match self.demand() {
            Demand::Turns(lengths) | Demand::Messages(lengths) => Some(lengths),
            Demand::Connections(lengths) => lengths,
            Demand::Endless | Demand::Paced(_) | Demand::Open => None,
        }
    }

    /// The rate at which the source writes full packets; none for other sources.
    pub fn pace(&self) -> Option<SourceRate> {
        match self.demand() {
            Demand::Paced(pace) => Some(pace),
            Demand::Endless
            | Demand::Turns(_)
            | Demand::Messages(_)
            | Demand::Open
            | Demand::Connections(_) => None,
        }
    }
}

/// Mean time between the messages of a source.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spacing {
    /// The parameter that states it.
    pub parameter: &'static str,
    /// Mean seconds from one message to the next; none if the parameter and the lengths of messages
    /// do not determine it.
    pub seconds: Option<f64>,
}

/// The rate of a source.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SourceRate {
    /// User data per second during on times, if given.
    pub rate: Option<Rate>,
    /// Mean share of time in which the source is on.
    pub share: f64,
    /// Mean length of an on time, if the source has off times.
    pub on: Option<Duration>,
}

impl SourceRate {
    /// The load of a source with this rate, with the name of its parameter.
    fn load(&self, link: &OnLink) -> Option<(&'static str, f64)> {
        let octets = self.rate?.bits_per_second() as f64 / 8.0;
        Some(("rate", octets * link.bits_of_octet() * self.share))
    }

    /// The value of the parameter that states the load.
    fn stated_load(&self) -> Option<StatedLoad> {
        let bits = self.rate?.bits_per_second();
        Some(StatedLoad::Rate(RateOrZero(bits)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An application with full packets of `message` octets of user data, and no headers.
    pub fn application(message: u64) -> Application {
        Application {
            name: "t".into(),
            host: "h".into(),
            seed: Seed {
                seed: 1,
                replication: 0,
            },
            message,
            message_time: None,
            packets: PacketSizes {
                payload: message,
                headers: 0,
                added: 0,
                cells: None,
            },
            carried: 1e6,
            siblings: 1,
            awaited: 0,
        }
    }
}
