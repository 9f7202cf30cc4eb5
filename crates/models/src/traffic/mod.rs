//! Traffic sources: the times at which an application hands data to its transport, and the amounts.

mod length;

use kernel::{Duration, Rate, Seed, Stream, Time};
use parameters::RandomTime;

use crate::aal5::{self, TRAILER_OCTETS};
use crate::cell::{CELL_BITS, PAYLOAD_OCTETS};
use length::{LengthSpec, Messages};

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
    } default greedy
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
}

/// Segmentation of user data into packets, and of packets into cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PacketSizes {
    /// User octets of a full packet.
    pub payload: u64,
    /// Octets that the transport and the bearer add to each packet.
    pub added: u64,
    /// True if packets are segmented into cells.
    pub in_cells: bool,
}

impl PacketSizes {
    /// Bits of `octets` of user data on a link.
    pub fn bits(&self, octets: u64) -> u128 {
        let full = u128::from(octets / self.payload) * self.bits_of_packet(self.payload);
        match octets % self.payload {
            0 => full,
            rest => full + self.bits_of_packet(rest),
        }
    }

    /// User octets that fill exactly `cells` cells; none if a packet of the message has no room for
    /// user data.
    pub fn filling(&self, cells: u64) -> Option<u64> {
        let of_full = u64::from(aal5::cells(self.payload + self.added));
        let (full, rest) = (cells / of_full, cells % of_full);
        let in_rest = match rest {
            0 => 0,
            rest => (rest * PAYLOAD_OCTETS).checked_sub(self.added + TRAILER_OCTETS + 1)? + 1,
        };
        Some(full * self.payload + in_rest)
    }

    fn bits_of_packet(&self, octets: u64) -> u128 {
        let octets = octets + self.added;
        if self.in_cells {
            u128::from(aal5::cells(octets)) * u128::from(CELL_BITS)
        } else {
            u128::from(octets) * 8
        }
    }
}

impl Application {
    /// Interval between full packets at `rate` of user data, or at the rate of the bearer.
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

/// Evenly spaced instants, exact in the mean where the interval is no whole number of picoseconds.
#[derive(Clone, Copy, Debug)]
pub struct Beat {
    whole: u64,
    /// Remainder of the interval in fractions of a picosecond, as numerator and denominator.
    rest: u64,
    parts: u64,
    carried: u64,
}

impl Beat {
    /// The interval of `bits` at `rate`.
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

    /// Time to the next instant.
    pub fn step(&mut self) -> Duration {
        self.carried += self.rest;
        let carry = self.carried >= self.parts;
        self.carried -= if carry { self.parts } else { 0 };
        Duration::from_ps(self.whole.saturating_add(u64::from(carry)))
    }
}

impl Write {
    /// A write that never comes.
    pub const NEVER: Write = Write {
        at: Time::NEVER,
        octets: 0,
    };
}

/// A number of octets that no run can send.
pub const ENDLESS: u64 = u64::MAX / 4;

/// A traffic source.
pub trait Source {
    /// The next write; none if the source has ended or waits for an acknowledgment.
    fn next(&mut self) -> Option<Write>;

    /// True if a write waits until all earlier writes are acknowledged.
    fn takes_turns(&self) -> bool {
        false
    }

    /// All written data is acknowledged at `now`; returns the next write, if there is one.
    fn on_acknowledged(&mut self, now: Time) -> Option<Write> {
        let _ = now;
        None
    }
}

/// Messages that each wait until the message before is acknowledged, and for a gap after that.
struct Turns {
    messages: Messages,
    pause: RandomTime,
    random: Stream,
    /// Number of messages still to come.
    left: u64,
    /// Time of the first message, until it has come.
    first: Option<Time>,
}

impl Turns {
    fn write(&mut self, at: Time) -> Option<Write> {
        self.left = self.left.checked_sub(1)?;
        Some(Write {
            at,
            octets: self.messages.draw(),
        })
    }
}

impl Source for Turns {
    fn next(&mut self) -> Option<Write> {
        let first = self.first.take()?;
        self.write(first)
    }

    fn takes_turns(&self) -> bool {
        true
    }

    fn on_acknowledged(&mut self, now: Time) -> Option<Write> {
        let pause = self.pause.draw(&mut self.random);
        self.write(now + pause)
    }
}

/// The properties of a source before the run, which each member states in its own file.
pub trait SourceKind {
    /// Start of the source.
    fn start(&self) -> RandomTime;

    /// The times and amounts of the data of the source.
    fn demand(&self) -> Demand<'_>;

    /// The mean time between messages, if a parameter states it.
    fn spacing(&self, packets: &PacketSizes) -> Option<Spacing>;

    /// The load of the source on a link in bit/s, with the name of the parameter that states it;
    /// none if the source waits for the network.
    fn load(&self, link: &OnLink) -> Option<(&'static str, f64)>;
}

/// The times and amounts of the data of a source.
#[derive(Clone, Copy, Debug)]
pub enum Demand<'a> {
    /// Data at any time, so that the flow takes all the capacity it can get.
    Endless,
    /// Full packets at a rate.
    Paced(Pace),
    /// Messages, each written when all earlier data is acknowledged.
    Turns(MessageLengths<'a>),
    /// Messages at times that do not depend on the network.
    Messages(MessageLengths<'a>),
    /// Other amounts, at times that do not depend on the network.
    Open,
}

/// Lengths of messages, with the name of their parameter.
pub type MessageLengths<'a> = (&'static str, &'a LengthSpec);

impl SourceSpec {
    /// True if the source always has data to send.
    pub fn is_greedy(&self) -> bool {
        matches!(self.demand(), Demand::Endless)
    }

    /// True if the source writes only when all it has written is acknowledged.
    pub fn takes_turns(&self) -> bool {
        matches!(self.demand(), Demand::Turns(_))
    }

    /// Lengths of the messages, if the source has messages.
    pub fn lengths(&self) -> Option<MessageLengths<'_>> {
        match self.demand() {
            Demand::Turns(lengths) | Demand::Messages(lengths) => Some(lengths),
            Demand::Endless | Demand::Paced(_) | Demand::Open => None,
        }
    }

    /// The rate at which the source writes full packets; none for other sources.
    pub fn pace(&self) -> Option<Pace> {
        match self.demand() {
            Demand::Paced(pace) => Some(pace),
            Demand::Endless | Demand::Turns(_) | Demand::Messages(_) | Demand::Open => None,
        }
    }
}

/// The size of the data of a flow on a link, from which a source computes its load.
#[derive(Clone, Copy, Debug)]
pub struct OnLink {
    /// Segmentation of the flow's data on that link.
    pub packets: PacketSizes,
    /// Segmentation of the flow's data at the sending host.
    pub at_host: PacketSizes,
    /// True if each message begins a new packet.
    pub keeps_messages: bool,
}

impl OnLink {
    /// Bits on the link for each octet of a long stream of data.
    pub fn bits_of_octet(&self) -> f64 {
        self.packets.bits(self.packets.payload) as f64 / self.packets.payload as f64
    }

    /// Bits on the link for a message, in the mean.
    pub fn bits(&self, octets: u64) -> f64 {
        if self.keeps_messages {
            self.packets.bits(octets) as f64
        } else {
            octets as f64 * self.bits_of_octet()
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
pub struct Pace {
    /// User data per second during on times, if given.
    pub rate: Option<Rate>,
    /// Mean share of time in which the source writes.
    pub share: f64,
    /// Mean length of an on time, if the source pauses.
    pub on: Option<Duration>,
}

impl Pace {
    /// The load of a source with this rate.
    fn load(&self, link: &OnLink) -> Option<(&'static str, f64)> {
        let octets = self.rate?.bits_per_second() as f64 / 8.0;
        Some(("rate", octets * link.bits_of_octet() * self.share))
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
                added: 0,
                in_cells: false,
            },
        }
    }

    #[test]
    fn cells_are_filled_packet_by_packet() {
        // Full packets of 21 cells, in which 28 octets are headers.
        let packets = PacketSizes {
            payload: 972,
            added: 28,
            in_cells: true,
        };
        for cells in [1, 2, 20, 21, 22, 42, 45] {
            let octets = packets.filling(cells).expect("room");
            assert_eq!(packets.bits(octets), u128::from(cells) * 424);
            assert!(cells % 21 == 0 || packets.bits(octets + 1) == u128::from(cells + 1) * 424);
        }
        assert_eq!(packets.filling(1), Some(12));
        let crowded = PacketSizes {
            added: 40,
            ..packets
        };
        assert_eq!(crowded.filling(1), None);
        assert_eq!(crowded.filling(23), None);
        assert_eq!(crowded.filling(2), Some(48));
    }
}
