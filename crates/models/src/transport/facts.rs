//! What is known of a transport before the run: each member states it in its own file, once.

use kernel::Rate;

use super::tcp::Tcp;
use crate::wire::ecn::Codepoint;

/// The properties of a transport before the run. Sizes of packets include headers.
// Each is a fact by itself.
#[allow(clippy::struct_excessive_bools)]
#[derive(Clone, Debug)]
pub struct TransportFacts<'a> {
    /// Octets of the largest packet of data.
    pub full_packet: u64,
    /// Octets of the largest packet that either end may send: an answer may be larger than a full
    /// packet.
    pub largest_packet: u64,
    /// Octets of the smallest packet that either end may send.
    pub smallest_packet: u64,
    /// User octets of the largest packet of data.
    pub full_payload: u64,
    /// True if each write begins a new packet.
    pub keeps_messages: bool,
    /// True if the receiver may limit the sender by a window.
    pub has_flow_control: bool,
    /// Octets of the packet whose time on the last link separates two pulls, if the receiving end
    /// pulls packets, by turns with the other flows that end at its host.
    pub pulled_packet: Option<u64>,
    /// True if the sending end can use packets that outputs send back to it for want of room.
    pub takes_back: bool,
    /// True if the receiving end may send packets, such as acknowledgments.
    pub answers: bool,
    /// Octets of the packet by which the end that opened a connection acknowledges its close; none
    /// if connections of the protocol are neither opened nor closed.
    pub last_acknowledgment: Option<u64>,
    /// The rate limit that the parameters state; none without rate control.
    pub rate_limit: Option<RateLimit>,
    /// The name of the algorithm that reacts to congestion marks; none if marks are ignored.
    pub answers_marks: Option<&'static str>,
    /// The ECN codepoint of its data.
    pub codepoint: Codepoint,
    /// True if the sender detects retransmissions that were needless.
    pub finds_spurious: bool,
    /// True if the sender gives up when the receiver no longer answers.
    pub may_give_up: bool,
    /// A warning about parameters that are valid and probably a mistake.
    pub doubt: Option<Doubt>,
    /// The headers with which a capture shows its packets.
    pub headers: Headers<'a>,
}

/// A warning about a parameter of a transport.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Doubt {
    /// Word that stays the same in each text of this warning.
    pub code: &'static str,
    /// Name of the parameter.
    pub parameter: &'static str,
    /// Description of the problem.
    pub says: String,
    /// What to write instead.
    pub hint: String,
}

/// A rate that a transport does not exceed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RateLimit {
    /// The rate.
    pub rate: Rate,
    /// True if octets on the wire count towards the rate, cells with headers and padding if there
    /// are cells; false if only the packets do, headers included.
    pub counts_wire: bool,
}

/// Headers with which a capture shows packets.
#[derive(Clone, Copy, Debug)]
pub enum Headers<'a> {
    /// TCP over IPv4.
    Tcp(&'a Tcp),
    /// XTP over IPv4.
    Xtp,
    /// UDP over IPv4, in place of headers of this many octets.
    Udp(u64),
}
