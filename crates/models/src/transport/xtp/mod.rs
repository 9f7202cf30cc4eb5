//! XTP 4.0, the Xpress Transport Protocol, as a rate-controlled carrier of bulk data.
//!
//! An association exists from the start and is never closed; user data flows one way, and flow
//! control is off. `docs/concepts/xtp.md` lists everything else that is left out.
//!
//! XTP Forum, "Xpress Transport Protocol Specification, Revision 4.0", report XTP 95-20, March
//! 1995. The rules are those that Ajmone Marsan, Bianco, Lo Cigno, Munafò and Baldi, "On the
//! Performance of Transport Protocols over ATM Networks", Politecnico di Torino, undated, section
//! 2.2, report of the specification and of its implementation by Sandia National Laboratories,
//! release 1.3. The specification leaves many choices open. The defaults here are those of the
//! paper (sections 2.2 and 3), as far as it states them. The paper does not state how long WTIMER
//! runs before the first round-trip time is known; its results require less than the default here,
//! half a second.

pub mod buffer;
pub mod format;
pub mod rate;
mod receiver;
pub mod retransmission;
mod sender;
mod wtimer;

use kernel::Rate;
use parameters::{Bytes, Conflict, choices, parameters};

use super::{Connection, Ends, Headers, RateLimit, Receiver, TransportFacts, TransportKind};
use crate::bearer::Wrapping;
use crate::wire::ecn::Codepoint;
use crate::wire::segment::MOST_SPANS;
use receiver::XtpReceiver;
use retransmission::RetransmissionSpec;
use sender::XtpSender;
use wtimer::WTimerSpec;

parameters! {
    /// XTP between the two ends of a flow.
    #[check(conflict)]
    pub struct Xtp {
        /// Size of a full packet, with its header of 32 octets.
        #[range("33 B", "16 MiB")]
        pub packet: Bytes = "1500 B",
        /// Rate of the sender's rate control.
        #[range("1 bit/s", "10 Tbit/s")]
        pub rate: Rate,
        /// Number of full packets that may leave at once, once per RTIMER.
        #[range(1, 65_536)]
        pub burst: u32 = 1,
        /// Octets that count towards rate and burst.
        pub rate_counts: RateCounts = "wire",
        /// Capacity of the output buffer in packets; a packet leaves the buffer when all data up to
        /// its end has arrived.
        #[range(1, 65_536)]
        pub buffer: u32 = 48,
        /// Number of data packets from one request for an answer (SREQ) to the next.
        #[range(1, 65_536)]
        pub request_interval: u32 = 1,
        /// True if data packets request an immediate report of data missing before them (FASTNAK).
        pub fast_nak: bool = true,
        /// Retransmission policy: the data that is sent again when data is missing.
        pub retransmission: RetransmissionSpec = default,
        /// Meaning of a report that was sent before the retransmission of the missing data arrived.
        pub repeated_nak: RepeatedNak = "guarded",
        /// Timer for the answer to a request.
        pub wtimer: WTimerSpec = {},
    }
}

choices! {
    /// Octets that count towards a rate.
    pub enum RateCounts {
        /// Octets on the wire: cells with headers and padding, if there are cells.
        wire => Wire,
        /// Octets of packets, headers included.
        packets => Packets,
    }
}

impl RateCounts {
    /// Octets that the rate control counts for a packet of `octets` over this bearer.
    pub fn octets(self, octets: u64, over: Wrapping) -> u64 {
        match self {
            RateCounts::Wire => over.on_wire(octets),
            RateCounts::Packets => octets,
        }
    }
}

choices! {
    /// Meaning of a report of missing data that has been sent again meanwhile.
    pub enum RepeatedNak {
        /// The report covers only data sent before the request that it answers; data sent again
        /// since that request is still in flight.
        guarded => Guarded,
        /// Every report counts: the missing data is sent once more.
        believed => Believed,
    }
}

/// Largest output buffer in octets, because spans are stored as distances of 32 bits.
const LARGEST_BUFFER: u64 = 1 << 30;

impl Xtp {
    /// The two ends of an association.
    pub fn build(&self, connection: &Connection) -> Ends {
        Ends {
            sender: Box::new(XtpSender::new(self, connection)),
            receiver: self.receiver(connection),
        }
    }

    /// User octets of a full packet.
    fn payload(&self) -> u64 {
        self.packet.0 - format::HEADER
    }

    fn conflict(&self) -> Option<Conflict> {
        if self.request_interval > self.buffer {
            return Some(Conflict {
                name: "request_interval",
                problem: format!(
                    "an output buffer of `{}` packets is full before the first request",
                    self.buffer
                ),
                hint: "make `buffer` at least as large as `request_interval`".into(),
            });
        }
        let octets = u64::from(self.buffer) * self.packet.0;
        (octets > LARGEST_BUFFER).then(|| Conflict {
            name: "buffer",
            problem: format!(
                "`{}` packets of `{} B` exceed `1 GiB`",
                self.buffer, self.packet.0
            ),
            hint: format!("write at most `{}`", LARGEST_BUFFER / self.packet.0),
        })
    }
}

impl TransportKind for Xtp {
    fn receiver(&self, _connection: &Connection) -> Box<dyn Receiver> {
        let keeps = self.retransmission.build(&()).keeps_what_is_out_of_order();
        Box::new(XtpReceiver::new(keeps))
    }

    fn facts(&self) -> TransportFacts<'_> {
        let spans = format::SPAN_COUNT + format::SPAN * MOST_SPANS as u64;
        TransportFacts {
            full_packet: self.packet.0,
            // A full packet, or an ECNTL packet with all of its spans.
            largest_packet: self.packet.0.max(format::HEADER + format::CONTROL + spans),
            // A header and one octet of data.
            smallest_packet: format::HEADER + 1,
            full_payload: self.payload(),
            keeps_messages: false,
            has_flow_control: true,
            pulled_packet: None,
            takes_back: false,
            answers: true,
            last_acknowledgment: None,
            rate_limit: Some(RateLimit {
                rate: self.rate,
                counts_wire: self.rate_counts == RateCounts::Wire,
            }),
            answers_marks: None,
            codepoint: Codepoint::NotCapable,
            finds_spurious: false,
            may_give_up: false,
            doubt: None,
            headers: Headers::Xtp,
        }
    }
}
