//! Transports: what the two ends of a flow say to each other.
//!
//! An end knows neither links nor clocks: it is told what happens and when, and answers by
//! transmitting segments. A test runs it with a few calls.

pub mod ranges;

use kernel::{Duration, Seed, Time};

use crate::carriage::Wrapping;
use crate::metrics::{Limit, SenderMeter};
pub use crate::segment::Segment;

parameters::registry! {
    /// Transport protocol of a flow.
    pub enum TransportSpec builds Ends, for Connection {
        tcp => Tcp,
        xtp => Xtp,
        datagram => Datagram,
    }
}

impl TransportSpec {
    /// Octets of the largest packet, headers included.
    pub fn full_packet(&self) -> u64 {
        match self {
            TransportSpec::Tcp(tcp) => tcp.packet.0,
            TransportSpec::Xtp(xtp) => xtp.packet.0,
            TransportSpec::Datagram(datagram) => datagram.packet.0,
        }
    }

    /// Octets of the smallest packet that either end may send.
    pub fn smallest_packet(&self) -> u64 {
        match self {
            TransportSpec::Tcp(tcp) => tcp.smallest_packet(),
            TransportSpec::Xtp(_) => xtp::format::HEADER + 1,
            TransportSpec::Datagram(datagram) => datagram.header.0 + 1,
        }
    }

    /// User octets of the largest packet.
    pub fn full_payload(&self) -> u64 {
        match self {
            TransportSpec::Tcp(tcp) => tcp.limits().mss,
            TransportSpec::Xtp(xtp) => xtp.payload(),
            TransportSpec::Datagram(datagram) => datagram.payload(),
        }
    }

    /// Whether each write begins a packet of its own.
    pub fn keeps_messages(&self) -> bool {
        matches!(self, TransportSpec::Datagram(_))
    }

    /// Whether it sends only as fast as the other end lets it.
    pub fn has_flow_control(&self) -> bool {
        match self {
            TransportSpec::Tcp(_) | TransportSpec::Xtp(_) => true,
            TransportSpec::Datagram(_) => false,
        }
    }
}

/// A connection, as known before the run.
#[derive(Clone, Debug)]
pub struct Connection {
    /// Name of the flow: owner of its random streams.
    pub name: String,
    /// Seed of the run.
    pub seed: Seed,
    /// What carriage makes of its packets, for who counts what they take on the wire.
    pub over: Wrapping,
}

/// The two ends of a connection.
pub struct Ends {
    /// The end that sends user data.
    pub sender: Box<dyn Sender>,
    /// The end that takes it.
    pub receiver: Box<dyn Receiver>,
}

/// Where an end puts what it sends.
pub trait Transmit {
    /// Sends a segment that makes a packet of `octets`, headers included.
    fn transmit(&mut self, now: Time, segment: Segment, octets: u64);
}

/// The end that sends user data.
pub trait Sender {
    /// The application hands over `octets` more.
    fn write(&mut self, now: Time, octets: u64, out: &mut dyn Transmit);

    /// A segment arrives from the receiver.
    fn receive(&mut self, now: Time, segment: &Segment, out: &mut dyn Transmit);

    /// When a timer next expires.
    fn next_wake(&self) -> Time;

    /// A timer expires, or was thought to.
    fn wake(&mut self, now: Time, out: &mut dyn Transmit);

    /// What is counted here.
    fn meter(&mut self) -> &mut SenderMeter;

    /// User octets that are known to have arrived, all that were written before them among them.
    fn acknowledged(&self) -> u64;

    /// What keeps it from sending now.
    fn limit(&self) -> Limit;

    /// What may keep it from sending.
    fn limits(&self) -> &'static [Limit];

    /// The state that a series records, if it has any.
    fn state(&self, now: Time) -> Option<SenderState> {
        let _ = now;
        None
    }
}

/// What an outside observer may see of a sender, by name; the names are always the same.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SenderState(pub [(&'static str, Quantity); 4]);

impl SenderState {
    /// The quantity of a name, if there is one.
    pub fn get(&self, name: &str) -> Option<Quantity> {
        let found = self.0.iter().find(|(known, _)| *known == name);
        found.map(|(_, quantity)| *quantity)
    }
}

/// A value and what it counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantity {
    /// Octets.
    Octets(u64),
    /// A span of time.
    Time(Duration),
}

impl Quantity {
    /// Its value in the SI unit.
    pub fn value(self) -> f64 {
        match self {
            Quantity::Octets(octets) => octets as f64,
            Quantity::Time(span) => span.seconds(),
        }
    }

    /// That unit.
    pub fn unit(self) -> &'static str {
        match self {
            Quantity::Octets(_) => "B",
            Quantity::Time(_) => "s",
        }
    }
}

/// The end that takes user data.
pub trait Receiver {
    /// A segment arrives; returns the user octets that had not arrived before.
    ///
    /// `marked` tells that the network marked it on the way (EFCI, or CE of RFC 3168).
    fn receive(
        &mut self,
        now: Time,
        segment: &Segment,
        marked: bool,
        out: &mut dyn Transmit,
    ) -> u64;

    /// When a timer next expires.
    fn next_wake(&self) -> Time {
        Time::NEVER
    }

    /// A timer expires, or was thought to.
    fn wake(&mut self, now: Time, out: &mut dyn Transmit) {
        let _ = (now, out);
    }
}

#[cfg(test)]
mod tests {
    use parameters::{Value, understand, value};

    use super::*;

    #[test]
    fn the_smallest_packet_is_an_acknowledgment_a_syn_or_an_octet_of_data() {
        let smallest = |transport: Value| {
            let spec: TransportSpec = understand(&transport).expect("a transport");
            spec.smallest_packet()
        };
        assert_eq!(smallest(value!({ tcp = {} })), 40);
        assert_eq!(smallest(value!({ tcp = { header = "20 B" } })), 21);
        let opened = value!({ tcp = { header = "20 B", handshake = true } });
        assert_eq!(smallest(opened), 20);
        assert_eq!(smallest(value!({ xtp = { rate = "1 Mbit/s" } })), 33);
        assert_eq!(smallest(value!({ datagram = { header = "8 B" } })), 9);
    }
}
