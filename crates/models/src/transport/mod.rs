//! Transports: the protocol between the two ends of a flow.
//!
//! An end knows neither links nor clocks: it gets each event with its time, and answers by
//! transmitting segments. Our own interface: a test runs an end with a few calls.

mod facts;
mod ranges;

use kernel::{Duration, Seed, Time};
use parameters::{Bytes, Conflict};

pub use self::facts::{Doubt, Headers, RateLimit, TransportFacts};
use crate::bearer::Wrapping;
use crate::metrics::{ConnectionMeter, Halves, Limit, ListedConnection, SenderMeter, Underway};
pub use crate::wire::segment::Segment;

parameters::registry! {
    /// Transport protocol of a flow.
    pub enum TransportSpec builds Ends, for Connection, answers dyn TransportKind {
        tcp => Tcp,
        xtp => Xtp,
        datagram => Datagram,
        pull => Pull,
    }
}

/// A transport before the run, which each member states in its own file.
pub trait TransportKind {
    /// The receiving end of a connection alone.
    fn receiver(&self, connection: &Connection) -> Box<dyn Receiver>;

    /// Its properties.
    fn facts(&self) -> TransportFacts<'_>;
}

/// A connection, as known before the run.
#[derive(Clone, Debug)]
pub struct Connection {
    /// Name of the flow, which owns the random streams.
    pub name: String,
    /// Seed of the run.
    pub seed: Seed,
    /// Size of the packets on the wire, for protocols that count it.
    pub over: Wrapping,
}

/// The two ends of a connection.
pub struct Ends {
    /// The end that sends user data.
    pub sender: Box<dyn Sender>,
    /// The end that receives user data.
    pub receiver: Box<dyn Receiver>,
}

/// Output of an end of a connection.
pub trait Transmit {
    /// Sends a segment in a packet of `octets`, headers included.
    fn transmit(&mut self, now: Time, segment: Segment, octets: u64);
}

/// The data that follows a write, as the application announces it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Following {
    /// More data comes soon, so a segment that is not full may wait for it: `MSG_MORE`.
    More,
    /// The message ends, and no segment holds octets before and after its end: `MSG_EOR`.
    Message,
}

/// The end that sends user data.
pub trait Sender: Send {
    /// The application writes `octets` more.
    fn write(&mut self, now: Time, octets: u64, out: &mut dyn Transmit);

    /// The application writes `octets` more, and says what follows them. Protocols without a place for
    /// this take them as any others.
    fn write_before(&mut self, now: Time, octets: u64, what: Following, out: &mut dyn Transmit) {
        let _ = what;
        self.write(now, octets, out);
    }

    /// The application asks for everything that waits for more data to be sent.
    fn push(&mut self, now: Time, out: &mut dyn Transmit) {
        let _ = (now, out);
    }

    /// A segment arrives from the receiver.
    fn receive(&mut self, now: Time, segment: &Segment, out: &mut dyn Transmit);

    /// A packet of data comes back, because an output had no room for it. Only senders whose kind
    /// [takes packets back](TransportFacts::takes_back) get any.
    fn take_back(&mut self, now: Time, packet: &Segment, out: &mut dyn Transmit) {
        let _ = (now, packet, out);
    }

    /// Time at which a timer next expires.
    fn next_wake(&self) -> Time;

    /// True if a timer runs that ends the silence of this sender should nothing arrive: its
    /// retransmission timer, or one that stands in for it. Pacing ends none that is longer than a
    /// round trip.
    fn awaits_timer(&self) -> bool {
        self.next_wake() < Time::NEVER
    }

    /// Handles the timers that have expired by `now`; there may be none, since timers move.
    fn wake(&mut self, now: Time, out: &mut dyn Transmit);

    /// Counts of this sender.
    fn meter(&mut self) -> &mut SenderMeter;

    /// Number of the first user octets that are all known to have arrived.
    fn acknowledged(&self) -> u64;

    /// The limit that keeps the sender from sending at present.
    fn limit(&self) -> Limit;

    /// All limits that may keep this sender from sending.
    fn limits(&self) -> &'static [Limit];

    /// Restarts the counts at the beginning of the measured time.
    fn begin_counting(&mut self, measured: Halves) {
        self.meter().begin(measured.from);
    }

    /// Counts of connections, if they come and go.
    fn connections(&self) -> Option<&ConnectionMeter> {
        None
    }

    /// The connections that are open, if they come and go.
    fn underway(&self) -> Vec<Underway> {
        Vec::new()
    }

    /// Lists the connections from now on, before the first, if they come and go.
    fn list_connections(&mut self) {}

    /// The listed connections, in the order of their arrivals.
    fn listed_connections(&self) -> &[ListedConnection] {
        &[]
    }

    /// The cap of the congestion window, if the protocol has such a window. A run may change it.
    fn window_cap(&mut self) -> Option<WindowCap<'_>> {
        None
    }

    /// State for a time series, if the protocol has any.
    fn state(&self, now: Time) -> Option<SenderState> {
        let _ = now;
        None
    }
}

/// The largest amount that a congestion window may allow to be outstanding.
#[derive(Debug)]
pub struct WindowCap<'a> {
    /// The cap, in octets; it holds from the next event of the sender on.
    pub octets: &'a mut u64,
    /// Lower bound of the cap: one segment, because less would stop the flow.
    pub least: u64,
    /// Upper bound of the cap: the receiver's window, beyond which a cap has no effect.
    pub most: u64,
}

/// Named state of a sender for time series; one sender always has the same names.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SenderState(pub [(&'static str, StateValue); SenderState::LINES]);

impl SenderState {
    /// Number of values in the state of any transport.
    pub const LINES: usize = 4;

    /// The value of this name, if there is one.
    pub fn get(&self, name: &str) -> Option<StateValue> {
        let found = self.0.iter().find(|(known, _)| *known == name);
        found.map(|(_, value)| *value)
    }
}

/// A value and its unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StateValue {
    /// Octets.
    Octets(u64),
    /// A span of time.
    Time(Duration),
}

impl StateValue {
    /// Value in the SI unit.
    pub fn value(self) -> f64 {
        match self {
            StateValue::Octets(octets) => octets as f64,
            StateValue::Time(span) => span.seconds(),
        }
    }

    /// SI unit of the value.
    pub fn unit(self) -> &'static str {
        match self {
            StateValue::Octets(_) => "B",
            StateValue::Time(_) => "s",
        }
    }
}

/// The end that receives user data.
pub trait Receiver: Send {
    /// A segment arrives; returns the number of user octets that had not arrived before.
    ///
    /// `marked` is true if the network marked the segment (EFCI, or CE of RFC 3168).
    fn receive(
        &mut self,
        now: Time,
        segment: &Segment,
        marked: bool,
        out: &mut dyn Transmit,
    ) -> u64;

    /// A segment arrives whose packet an output of the network has trimmed: its headers are left, and its
    /// data is lost. A protocol that does not know of trimming takes the packet for damaged, since its
    /// length and its checksum are wrong, and discards it.
    fn receive_trimmed(&mut self, now: Time, segment: &Segment, out: &mut dyn Transmit) {
        let _ = (now, segment, out);
    }

    /// Number of packets that the end wants to pull and may not yet, if it pulls any.
    fn pulls(&self) -> u64 {
        0
    }

    /// Pulls a packet, since it is its turn.
    fn pull(&mut self, now: Time, out: &mut dyn Transmit) {
        let _ = (now, out);
    }

    /// The application reads `octets`. From the first call on it reads nothing by itself.
    fn read(&mut self, now: Time, octets: u64, out: &mut dyn Transmit) {
        let _ = (now, octets, out);
    }

    /// Time at which the last octet of the connection with this first octet arrived, if connections
    /// come and go; none if it has not, or once the sender knows.
    fn completed(&self, first: u64) -> Option<Time> {
        let _ = first;
        None
    }

    /// Acknowledges all data at once.
    fn acknowledge_now(&mut self, now: Time, out: &mut dyn Transmit) {
        let _ = (now, out);
    }

    /// Time at which a timer next expires.
    fn next_wake(&self) -> Time {
        Time::NEVER
    }

    /// Handles the timers that have expired by `now`; there may be none, since timers move.
    fn wake(&mut self, now: Time, out: &mut dyn Transmit) {
        let _ = (now, out);
    }
}

/// The conflict of a header that leaves no space for data in a packet, if it leaves none.
fn no_space_for_data(header: Bytes, packet: Bytes) -> Option<Conflict> {
    (header >= packet).then(|| Conflict {
        name: "header",
        problem: format!(
            "a header of `{} B` leaves no space for data in a packet of `{} B`",
            header.0, packet.0
        ),
        hint: format!(
            "write at most `\"{} B\"`, or a larger `packet`",
            packet.0 - 1
        ),
    })
}

#[cfg(test)]
mod tests {
    use parameters::{Value, understand, value};

    use super::*;

    #[test]
    fn the_smallest_packet_is_an_acknowledgment_a_syn_or_an_octet_of_data() {
        let smallest = |transport: Value| {
            let spec: TransportSpec = understand(&transport).expect("a transport");
            spec.facts().smallest_packet
        };
        assert_eq!(smallest(value!({ tcp = {} })), 40);
        assert_eq!(smallest(value!({ tcp = { header = "20 B" } })), 21);
        let opened = value!({ tcp = { header = "20 B", handshake = true } });
        assert_eq!(smallest(opened), 20);
        assert_eq!(smallest(value!({ xtp = { rate = "1 Mbit/s" } })), 33);
        assert_eq!(smallest(value!({ datagram = { header = "8 B" } })), 9);
    }

    #[test]
    fn the_largest_packet_is_one_of_data_or_an_answer() {
        let largest = |transport: Value| {
            let spec: TransportSpec = understand(&transport).expect("a transport");
            spec.facts().largest_packet
        };
        assert_eq!(largest(value!({ tcp = { packet = "1500 B" } })), 1500);
        // Four SACK blocks take 36 octets.
        let answers = value!({ tcp = { packet = "1500 B", acknowledgment = "2000 B" } });
        assert_eq!(largest(answers), 2036);
        let small = value!({ xtp = { rate = "1 Mbit/s", packet = "40 B" } });
        assert_eq!(largest(small), 32 + 20 + 4 + 3 * 16);
    }
}
