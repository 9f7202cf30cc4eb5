//! TCP, from which every choice that has ever changed a result can be taken by name.
//!
//! Connections exist from the start: there is no handshake and no close. Sequence numbers do not
//! wrap. See the concept page for what else is left out.

pub mod backoff;
pub mod congestion;
pub mod receiver;
pub mod sender;
pub mod timers;

use parameters::{Amount, Bytes, Conflict, choices, parameters};

use super::{Connection, Ends};
use backoff::BackoffSpec;
use congestion::{CongestionSpec, Limits};
use receiver::TcpReceiver;
use sender::TcpSender;
use timers::TimersSpec;

parameters! {
    /// TCP between the two ends of a flow.
    #[check(conflict)]
    pub struct Tcp {
        /// Size of a full packet, headers included.
        #[range("1 B", "16 MiB")]
        pub packet: Bytes = "1500 B",
        /// Octets of each packet that are not user data.
        pub header: Bytes = "40 B",
        /// Size of a pure acknowledgment.
        #[range("1 B", "64 KiB")]
        pub acknowledgment: Bytes = "40 B",
        /// Window that the receiver advertises, taken in whole packets and never less than one.
        #[range("1 B", "1 TiB")]
        pub window: Bytes = "64 KiB",
        /// Slow-start threshold at the start, as an amount or as a share of the window.
        pub initial_ssthresh: Amount = "100 %",
        /// Congestion window at the start, in packets.
        #[range(1, 1000)]
        pub initial_window: u32 = 1,
        /// How the congestion window answers acknowledgments and losses.
        pub congestion: CongestionSpec = default,
        /// Identical acknowledgments after the first that make a fast retransmit.
        #[range(1, 1000)]
        pub duplicates: u32 = 3,
        /// Whether a fast retransmit may follow another before the data of the first is acknowledged.
        pub repeated_fast_retransmit: Repeated = "allowed",
        /// How the retransmission timeout is estimated.
        pub timers: TimersSpec = default,
        /// How the timeout grows when it expires again, and when it shrinks.
        pub backoff: BackoffSpec = default,
        /// Whether small packets wait while data is outstanding.
        pub nagle: bool = false,
    }
}

choices! {
    /// Whether duplicates caused by a sender's own retransmissions may trigger it again.
    pub enum Repeated {
        /// Nothing is remembered: BSD, and the simulators of 1994.
        allowed => Allowed,
        /// Only once more than all data sent before the last loss is acknowledged: `bugFix_` of ns.
        guarded => Guarded,
    }
}

impl Tcp {
    /// The two ends of a connection.
    pub fn build(&self, connection: &Connection) -> Ends {
        Ends {
            sender: Box::new(TcpSender::new(self, connection)),
            receiver: Box::new(TcpReceiver::new(self.acknowledgment.0)),
        }
    }

    fn conflict(&self) -> Option<Conflict> {
        (self.header >= self.packet).then(|| Conflict {
            name: "header",
            problem: format!(
                "a header of `{} B` leaves no room in a packet of `{} B`",
                self.header.0, self.packet.0
            ),
            hint: "make `packet` larger than `header`".into(),
        })
    }

    /// What the congestion window may range over, in octets of user data.
    pub fn limits(&self) -> Limits {
        let mss = self.packet.0 - self.header.0;
        let window = (self.window.0 / self.packet.0).max(1) * mss;
        let ssthresh = match self.initial_ssthresh {
            Amount::Share(share) => (share * window as f64) as u64,
            Amount::Bytes(octets) => octets,
            Amount::Cells(cells) => cells * crate::cell::PAYLOAD_OCTETS,
        };
        Limits {
            mss,
            window,
            initial: u64::from(self.initial_window) * mss,
            ssthresh,
        }
    }
}
