//! TCP as a transport: its properties before the run.

use super::Tcp;
use super::acknowledge::Reception;
use super::ecn::Ecn;
use super::receiver::TcpReceiver;
use crate::transport::{Connection, Doubt, Headers, Receiver, TransportFacts, TransportKind};
use crate::wire::ecn::Codepoint;

impl TransportKind for Tcp {
    fn receiver(&self, connection: &Connection) -> Box<dyn Receiver> {
        let limits = self.limits(connection.over.cells());
        let reception = Reception {
            mss: limits.mss,
            window: self.first_window(),
            random: connection
                .seed
                .stream(&connection.name, "phase of the receiver's clock"),
        };
        let acknowledge = self.acknowledge.build(&reception);
        Box::new(TcpReceiver::new(self, limits.window, acknowledge))
    }

    fn facts(&self) -> TransportFacts<'_> {
        TransportFacts {
            full_packet: self.packet.0,
            largest_packet: self.largest(),
            smallest_packet: self.smallest(),
            full_payload: self.mss(),
            keeps_messages: false,
            has_flow_control: true,
            pulled_packet: None,
            takes_back: false,
            answers: true,
            last_acknowledgment: Some(self.acknowledgment.0 + self.timestamps.octets()),
            rate_limit: None,
            answers_marks: (self.echo() != Ecn::Off).then(|| self.congestion.kind()),
            codepoint: self.codepoint(),
            finds_spurious: self.spurious.is_on(),
            may_give_up: self.give_up.is_on(),
            doubt: self.doubt(),
            headers: Headers::Tcp(self),
        }
    }
}

impl Tcp {
    /// The ECN codepoint of the data.
    pub fn codepoint(&self) -> Codepoint {
        match self.echo() {
            Ecn::Off => Codepoint::NotCapable,
            // A control that answers the share of marks is scalable in the sense of RFC 9331,
            // section 4.3.
            _ if self.congestion.needs_exact_marks() => Codepoint::Scalable,
            _ => Codepoint::Classic,
        }
    }

    /// A warning about a window of less than a packet.
    fn doubt(&self) -> Option<Doubt> {
        let packet = self.counted();
        (self.advertised() < packet).then(|| Doubt {
            code: "narrow_window",
            parameter: "window",
            says: format!(
                "`transport.tcp.window` of `{} B` is smaller than a packet of `{packet} B`, so \
                 packets leave one at a time",
                self.advertised()
            ),
            hint: format!("make it at least `{packet} B`"),
        })
    }
}
