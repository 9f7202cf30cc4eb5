//! A receiver-driven transport: a sender begins with a window at the rate of its link, and then sends a
//! packet each time that the receiver pulls one.
//!
//! Handley, Raiciu, Agache, Voinescu, Moore, Antichi and Wójcik, "Re-architecting datacenter networks
//! and stacks for low latency and high performance" (NDP), SIGCOMM 2017, section 3.2. The receiver
//! acknowledges each packet at once, answers a trimmed one by a negative acknowledgment, and adds a pull
//! for either to the queue that all flows to its host share, which paces the pulls at the rate of the
//! link of the host. `docs/concepts/pull.md` lists what is left out.
//!
//! Our own choices: the numbers of pulls are cumulative, as in the simulator of the paper, and every
//! answer repeats the number, so that a lost pull costs little; timeouts, which the paper leaves to the
//! implementation, double while nothing is heard; a sender that waits for a pull has a longer timeout,
//! since its pull waits for the turns of all flows to the host; a sender keeps pulls that find nothing to
//! send, up to a window; and one whose receiver has everything begins anew with a window. A packet that
//! brings nothing new earns no pull, since its first copy did.

mod patience;
mod receiver;
mod sender;
mod sent;

use kernel::Duration;
use parameters::{Bytes, Conflict, parameters};

use super::{
    Connection, Ends, Headers, Receiver, TransportFacts, TransportKind, no_space_for_data,
};
use crate::wire::ecn::Codepoint;
use receiver::PullReceiver;
use sender::PullSender;

parameters! {
    /// A receiver-driven transport: after an initial window the receiver pulls each packet.
    #[alias("ndp")]
    #[alias("receiver_driven")]
    #[check(conflict)]
    pub struct Pull {
        /// Size of a full packet, headers included.
        #[range("41 B", "16 MiB")]
        pub packet: Bytes = "9000 B",
        /// Octets of each packet that are not user data; an acknowledgment, a negative acknowledgment
        /// or a pull is as long.
        #[range("40 B", "1 KiB")]
        pub header: Bytes = "64 B",
        /// Packets that a sender sends before the first pull.
        #[range(1, 65_536)]
        pub initial_window: u32 = 23,
        /// Size of the packet whose time on the last link separates two pulls; if not given, a full
        /// packet. A larger one leaves a part of the link free, and with a smaller one more is pulled
        /// than the link can carry.
        #[range("40 B", "16 MiB")]
        pub spacing: Option<Bytes>,
        /// Least time after which a packet that was not answered is sent again.
        #[range("1 us", "1000 s")]
        pub timeout: Duration = "1 ms",
        /// Least time after which a sender with nothing in flight sends a packet without a pull: longer
        /// than the turns of all flows to a host take, since a pull waits for them.
        #[range("1 us", "1000 s")]
        pub pull_timeout: Duration = "100 ms",
    }
}

impl Pull {
    /// The two ends of a flow.
    pub fn build(&self, connection: &Connection) -> Ends {
        Ends {
            sender: Box::new(PullSender::new(self)),
            receiver: self.receiver(connection),
        }
    }

    /// User octets of a full packet.
    fn payload(&self) -> u64 {
        self.packet.0 - self.header.0
    }

    fn conflict(&self) -> Option<Conflict> {
        no_space_for_data(self.header, self.packet)
    }
}

impl TransportKind for Pull {
    fn receiver(&self, _connection: &Connection) -> Box<dyn Receiver> {
        Box::new(PullReceiver::new(self.header.0))
    }

    fn facts(&self) -> TransportFacts<'_> {
        TransportFacts {
            full_packet: self.packet.0,
            largest_packet: self.packet.0,
            // An acknowledgment.
            smallest_packet: self.header.0,
            full_payload: self.payload(),
            keeps_messages: false,
            has_flow_control: true,
            pulled_packet: Some(self.spacing.map_or(self.packet.0, |packet| packet.0)),
            takes_back: true,
            answers: true,
            last_acknowledgment: None,
            rate_limit: None,
            answers_marks: None,
            codepoint: Codepoint::NotCapable,
            finds_spurious: false,
            may_give_up: false,
            doubt: None,
            headers: Headers::Udp(self.header.0),
        }
    }
}
