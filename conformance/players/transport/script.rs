//! What a conformance script says.

use std::fmt;

use kernel::{Duration, Time};
use models::segment::ConnectionId;
use models::transport::{Segment, TransportSpec};

use crate::xtp;

/// One behaviour of a transport: its rule, where that is written, and events that show it.
#[derive(Debug)]
pub struct Script {
    /// The rule, in our words.
    pub rule: String,
    /// Who published it, and where.
    pub source: String,
    /// Parameters of the connection.
    pub transport: TransportSpec,
    /// The end that is tested.
    pub end: End,
    /// True if it is the end of connections that come and go, each opened by a write.
    pub come_and_go: bool,
    /// What happens, in order.
    pub events: Vec<Event>,
}

/// Which transport is tested.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Protocol {
    Tcp,
    Xtp,
}

impl Protocol {
    pub const ALL: [Protocol; 2] = [Protocol::Tcp, Protocol::Xtp];

    /// That of a script, by its name.
    pub fn of(name: &str) -> Protocol {
        if name.ends_with(Protocol::Xtp.suffix()) {
            Protocol::Xtp
        } else {
            Protocol::Tcp
        }
    }

    /// The name of the folder of its scripts.
    pub fn name(self) -> &'static str {
        &self.suffix()[1..]
    }

    /// What the names of its scripts end with.
    pub fn suffix(self) -> &'static str {
        match self {
            Protocol::Tcp => ".tcp",
            Protocol::Xtp => ".xtp",
        }
    }
}

/// Which end of the connection is tested.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    Sender,
    Receiver,
}

/// A line of a script.
#[derive(Debug)]
pub struct Event {
    /// Number of the line, counted from one.
    pub line: usize,
    pub when: When,
    pub what: What,
}

/// When something happens.
#[derive(Clone, Copy, Debug)]
pub struct When {
    pub start: Start,
    /// How much earlier or later it may be.
    pub tolerance: Duration,
}

#[derive(Clone, Copy, Debug)]
pub enum Start {
    /// At an instant of the script.
    At(Time),
    /// So long after the line before.
    After(Duration),
}

/// What happens.
#[derive(Debug)]
pub enum What {
    /// The application writes so many octets.
    Write(u64),
    /// Segments arrive, of which only the last may be answered.
    Arrive {
        segments: Vec<Segment>,
        marked: bool,
    },
    /// A segment is sent.
    Send(Sent),
    /// Nothing is sent up to and including this instant.
    Nothing,
    /// The state is this.
    Hold(Property, Expected),
}

/// A segment, and the octets of its packet if they matter.
#[derive(Debug)]
pub struct Sent {
    pub segment: Segment,
    pub octets: Option<u64>,
}

/// What can be asked of an end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Property {
    /// Congestion window, octets.
    Cwnd,
    /// Slow-start threshold, octets.
    Ssthresh,
    /// Octets in the output buffer.
    Buffered,
    /// Octets that may be sent before RTIMER expires.
    Credit,
    /// Smoothed round-trip time.
    Srtt,
    /// Retransmission timeout, backoff included.
    Rto,
    /// How long WTIMER runs if it is started now.
    Wtimer,
    /// Time until a timer expires.
    Timer,
    /// Timeouts so far.
    Timeouts,
    /// Fast retransmissions so far.
    FastRetransmits,
    /// User octets that have arrived so far, each counted once.
    Received,
}

const SENDER: &[End] = &[End::Sender];
const RECEIVER: &[End] = &[End::Receiver];
const BOTH: &[End] = &[End::Sender, End::Receiver];
const TCP: &[Protocol] = &[Protocol::Tcp];
const XTP: &[Protocol] = &[Protocol::Xtp];
const ANY: &[Protocol] = &Protocol::ALL;

/// Which ends of which protocols have a property, and its word in scripts.
type Owners = (Property, &'static str, &'static [End], &'static [Protocol]);

const OWNERS: [Owners; 11] = [
    (Property::Cwnd, "cwnd", SENDER, TCP),
    (Property::Ssthresh, "ssthresh", SENDER, TCP),
    (Property::Buffered, "buffered", SENDER, XTP),
    (Property::Credit, "credit", SENDER, XTP),
    (Property::Srtt, "srtt", SENDER, ANY),
    (Property::Rto, "rto", SENDER, TCP),
    (Property::Wtimer, "wtimer", SENDER, XTP),
    (Property::Timer, "timer", BOTH, ANY),
    (Property::Timeouts, "timeouts", SENDER, ANY),
    (Property::FastRetransmits, "fast_retransmits", SENDER, ANY),
    (Property::Received, "received", RECEIVER, ANY),
];

impl Property {
    /// Those of `end`, with their names.
    pub fn of(
        protocol: Protocol,
        end: End,
    ) -> impl Iterator<Item = (Property, &'static str)> + Clone {
        let known = OWNERS.iter().filter(move |(_, _, ends, protocols)| {
            ends.contains(&end) && protocols.contains(&protocol)
        });
        known.map(|(property, name, ..)| (*property, *name))
    }

    /// The word in scripts.
    pub fn name(self) -> &'static str {
        let known = OWNERS.iter().find(|(property, ..)| *property == self);
        known.expect("every property has a name").1
    }

    /// Whether it is a time rather than a number.
    pub fn is_time(self) -> bool {
        matches!(
            self,
            Property::Srtt | Property::Rto | Property::Wtimer | Property::Timer
        )
    }
}

/// A value of a property.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value {
    Number(u64),
    Time(Duration),
    /// A timer that is not running.
    Off,
}

/// A value, and how far from it is still right, in its own unit or in picoseconds.
#[derive(Clone, Copy, Debug)]
pub struct Expected {
    pub value: Value,
    pub tolerance: u64,
}

impl Expected {
    pub fn allows(&self, seen: Value) -> bool {
        match (self.value, seen) {
            (Value::Number(one), Value::Number(other)) => one.abs_diff(other) <= self.tolerance,
            (Value::Time(one), Value::Time(other)) => {
                one.ps().abs_diff(other.ps()) <= self.tolerance
            }
            (one, other) => one == other,
        }
    }
}

/// Seconds, with as many digits as there are.
pub struct Seconds(pub Duration);

impl fmt::Display for Seconds {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (whole, rest) = (
            self.0.ps() / 1_000_000_000_000,
            self.0.ps() % 1_000_000_000_000,
        );
        let digits = format!("{rest:012}");
        let fraction = digits.trim_end_matches('0');
        let point = if fraction.is_empty() { "" } else { "." };
        write!(out, "{whole}{point}{fraction}s")
    }
}

impl fmt::Display for Value {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Number(number) => write!(out, "{number}"),
            Value::Time(span) => write!(out, "{}", Seconds(*span)),
            Value::Off => write!(out, "off"),
        }
    }
}

impl fmt::Display for Expected {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}", self.value)?;
        match (self.tolerance, self.value) {
            (0, _) => Ok(()),
            (steps, Value::Time(_)) => write!(out, "~{}", Seconds(Duration::from_ps(steps))),
            (steps, _) => write!(out, "~{steps}"),
        }
    }
}

/// A segment as scripts write it.
pub struct Written<'a>(pub &'a Segment);

impl fmt::Display for Written<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [id, of_ack] = [self.0.seq, self.0.ack].map(ConnectionId::of);
        let id = if id == of_ack {
            id
        } else {
            ConnectionId::default()
        };
        let segment = &self.0.within(id);
        if let Some(options) = segment.options() {
            return xtp::write(segment, options, out);
        }
        if segment.flags.syn {
            write!(out, "syn")?;
        } else if segment.len > 0 {
            write!(out, "{}:{}", segment.seq, segment.end())?;
        } else if segment.seq > 0 {
            write!(out, "last {}", segment.seq)?;
        } else {
            write!(out, "ack {}", segment.ack)?;
        }
        if segment.sacks().len() > 0 {
            write!(out, " sack")?;
        }
        for (start, end) in segment.sacks() {
            write!(out, " {start}:{end}")?;
        }
        if let Some(stamp) = segment.stamp() {
            write!(out, " stamp {}", Seconds(stamp.since(Time::ZERO)))?;
        }
        let flags = [
            (segment.flags.ece, " ece"),
            (segment.flags.cwr, " cwr"),
            (segment.fin(), " fin"),
        ];
        for (_, name) in flags.iter().filter(|(is_set, _)| *is_set) {
            write!(out, "{name}")?;
        }
        match id.generation {
            0 => Ok(()),
            generation => write!(out, " of {generation}"),
        }
    }
}
