//! A parsed conformance script.

use std::fmt;

use kernel::{Duration, Time};
use models::transport::{Following, Segment, TransportSpec};
use models::wire::connection::ConnectionId;

use crate::xtp;

/// A script: a rule of a transport, the source of the rule, and events that test it.
#[derive(Debug)]
pub struct Script {
    /// The rule, in our words.
    pub rule: String,
    /// The publication and the section that state the rule.
    pub source: String,
    /// Whose rule the script expects, where sources may differ.
    pub judge: Option<String>,
    /// Parameters of the connection.
    pub transport: TransportSpec,
    /// The end that is tested.
    pub end: TestedEnd,
    /// True if it is the end of connections that come and go, each opened by a write.
    pub come_and_go: bool,
    /// The events, in order.
    pub events: Vec<Event>,
}

/// The tested transport protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TestedProtocol {
    Tcp,
    Xtp,
}

impl TestedProtocol {
    pub const ALL: [TestedProtocol; 2] = [TestedProtocol::Tcp, TestedProtocol::Xtp];

    /// The protocol of a script, from the name of its file.
    pub fn of(name: &str) -> TestedProtocol {
        if name.ends_with(TestedProtocol::Xtp.suffix()) {
            TestedProtocol::Xtp
        } else {
            TestedProtocol::Tcp
        }
    }

    /// Name of the folder of scripts of this protocol.
    pub fn name(self) -> &'static str {
        &self.suffix()[1..]
    }

    /// Suffix of the file names of scripts of this protocol.
    pub fn suffix(self) -> &'static str {
        match self {
            TestedProtocol::Tcp => ".tcp",
            TestedProtocol::Xtp => ".xtp",
        }
    }
}

/// The tested end of the connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TestedEnd {
    Sender,
    Receiver,
}

/// A line of a script.
#[derive(Debug)]
pub struct Event {
    /// Number of the line, counted from one.
    pub line: usize,
    pub when: EventTime,
    pub action: Action,
}

/// The time of an event.
#[derive(Clone, Copy, Debug)]
pub struct EventTime {
    pub start: Start,
    /// Largest deviation from the time, in either direction.
    pub tolerance: Duration,
}

#[derive(Clone, Copy, Debug)]
pub enum Start {
    /// An instant since the start of the script.
    At(Time),
    /// A duration after the line before.
    After(Duration),
}

/// The action of one end, or a state that the script expects.
#[derive(Debug)]
pub enum Action {
    /// The application writes this number of octets, and may say what follows them.
    Write(u64, Option<Following>),
    /// The application asks for everything that waits for more data to be sent.
    Push,
    /// The application reads this number of octets.
    Read(u64),
    /// Segments arrive; the tested end may answer only the last.
    Arrive {
        segments: Vec<Segment>,
        marked: bool,
    },
    /// The tested end sends a segment.
    Send(ScriptedSegment),
    /// The tested end sends nothing up to and including this instant.
    Nothing,
    /// A property of the tested end has this value.
    Hold(Property, Expected),
}

/// A segment, and the octets of its packet if they matter.
#[derive(Debug)]
pub struct ScriptedSegment {
    pub segment: Segment,
    pub octets: Option<u64>,
}

/// A property of the state of an end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Property {
    /// Congestion window, octets.
    Cwnd,
    /// Slow-start threshold, octets.
    Ssthresh,
    /// Octets in the output buffer.
    Buffered,
    /// XTP: octets that the sender may send before RTIMER expires.
    Credit,
    /// Smoothed round-trip time.
    Srtt,
    /// Retransmission timeout, backoff included.
    Rto,
    /// Duration of WTIMER if it were started now.
    Wtimer,
    /// Time until a timer expires.
    Timer,
    /// Timeouts so far.
    Timeouts,
    /// Fast retransmissions so far.
    FastRetransmits,
    /// Retransmissions found to be needless so far.
    SpuriousRetransmits,
    /// One if the sender has given up, and zero if not.
    GivenUp,
    /// Octets of user data that have arrived so far, each counted once.
    Received,
}

const SENDER: &[TestedEnd] = &[TestedEnd::Sender];
const RECEIVER: &[TestedEnd] = &[TestedEnd::Receiver];
const BOTH: &[TestedEnd] = &[TestedEnd::Sender, TestedEnd::Receiver];
const TCP: &[TestedProtocol] = &[TestedProtocol::Tcp];
const XTP: &[TestedProtocol] = &[TestedProtocol::Xtp];
const ANY: &[TestedProtocol] = &TestedProtocol::ALL;

/// The properties, each with its protocol, its end and its word in scripts.
type Owners = (
    Property,
    &'static str,
    &'static [TestedEnd],
    &'static [TestedProtocol],
);

const OWNERS: [Owners; 13] = [
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
    (
        Property::SpuriousRetransmits,
        "spurious_retransmits",
        SENDER,
        TCP,
    ),
    (Property::GivenUp, "given_up", SENDER, TCP),
    (Property::Received, "received", RECEIVER, ANY),
];

impl Property {
    /// The properties of `end` in this protocol, with their words.
    pub fn of(
        protocol: TestedProtocol,
        end: TestedEnd,
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

    /// True if the property is a time, false if it is a number.
    pub fn is_time(self) -> bool {
        matches!(
            self,
            Property::Srtt | Property::Rto | Property::Wtimer | Property::Timer
        )
    }
}

/// A value of a property.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PropertyValue {
    Number(u64),
    Time(Duration),
    /// The state of a timer that is not running.
    Off,
}

/// A value and its tolerance, in the unit of the property or in picoseconds.
#[derive(Clone, Copy, Debug)]
pub struct Expected {
    pub value: PropertyValue,
    pub tolerance: u64,
}

impl Expected {
    pub fn allows(&self, seen: PropertyValue) -> bool {
        match (self.value, seen) {
            (PropertyValue::Number(one), PropertyValue::Number(other)) => {
                one.abs_diff(other) <= self.tolerance
            }
            (PropertyValue::Time(one), PropertyValue::Time(other)) => {
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

impl fmt::Display for PropertyValue {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PropertyValue::Number(number) => write!(out, "{number}"),
            PropertyValue::Time(span) => write!(out, "{}", Seconds(*span)),
            PropertyValue::Off => write!(out, "off"),
        }
    }
}

impl fmt::Display for Expected {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}", self.value)?;
        match (self.tolerance, self.value) {
            (0, _) => Ok(()),
            (steps, PropertyValue::Time(_)) => {
                write!(out, "~{}", Seconds(Duration::from_ps(steps)))
            }
            (steps, _) => write!(out, "~{steps}"),
        }
    }
}

/// A segment as scripts write it.
pub struct WrittenSegment<'a>(pub &'a Segment);

impl fmt::Display for WrittenSegment<'_> {
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
        } else if segment.is_probe() {
            write!(out, "probe {}", segment.seq)?;
        } else if segment.number() > 0 {
            write!(out, "last {}", segment.seq)?;
        } else {
            write!(out, "ack {}", segment.ack)?;
        }
        if let Some((start, end)) = segment.duplicate() {
            write!(out, " dsack {start}:{end}")?;
        }
        if segment.sacks().len() > 0 {
            write!(out, " sack")?;
        }
        for (start, end) in segment.sacks() {
            write!(out, " {start}:{end}")?;
        }
        if let Some(window) = segment.window() {
            write!(out, " window {window}")?;
        }
        if let Some(stamp) = segment.stamp() {
            write!(out, " stamp {}", Seconds(stamp.since(Time::ZERO)))?;
        }
        let flags = [
            (segment.flags.ece, " ece"),
            (segment.cwr(), " cwr"),
            (segment.not_ect(), " not_ect"),
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
