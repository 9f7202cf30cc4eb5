//! Transports: what the two ends of a flow say to each other.
//!
//! An end knows neither links nor clocks: it is told what happens and when, and answers by
//! transmitting segments. A test runs it with a few calls.

pub mod ranges;

use kernel::{Duration, Seed, Time};

use crate::metrics::SenderMeter;
pub use crate::segment::Segment;

parameters::registry! {
    /// Transport protocol of a flow.
    pub enum TransportSpec builds Ends, for Connection {
        tcp => Tcp,
        datagram => Datagram,
    }
}

impl TransportSpec {
    /// Octets of the largest packet, headers included.
    pub fn full_packet(&self) -> u64 {
        match self {
            TransportSpec::Tcp(tcp) => tcp.packet.0,
            TransportSpec::Datagram(datagram) => datagram.packet.0,
        }
    }

    /// Octets of the smallest packet that either end may send.
    pub fn smallest_packet(&self) -> u64 {
        match self {
            TransportSpec::Tcp(tcp) => tcp.acknowledgment.0.min(tcp.header.0 + 1),
            TransportSpec::Datagram(datagram) => datagram.header.0 + 1,
        }
    }

    /// User octets of the largest packet.
    pub fn full_payload(&self) -> u64 {
        match self {
            TransportSpec::Tcp(tcp) => tcp.limits().mss,
            TransportSpec::Datagram(datagram) => datagram.payload(),
        }
    }

    /// Whether it sends only as fast as the other end lets it.
    pub fn has_flow_control(&self) -> bool {
        match self {
            TransportSpec::Tcp(_) => true,
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

    /// The state that a series records, if it has any.
    fn state(&self, now: Time) -> Option<SenderState> {
        let _ = now;
        None
    }
}

/// What an outside observer may see of a sender.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SenderState {
    /// Congestion window, octets.
    pub cwnd: u64,
    /// Slow-start threshold, octets.
    pub ssthresh: u64,
    /// Smoothed round-trip time.
    pub srtt: Duration,
    /// Retransmission timeout, backoff included.
    pub rto: Duration,
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
