//! TCP as a transport: its properties before the run.

use super::Tcp;
use super::acknowledge::Reception;
use super::ecn::Ecn;
use super::receiver::TcpReceiver;
use crate::bearer::Wrapping;
use crate::transport::{Connection, Doubt, Headers, RateLimit, Receiver, TransportKind};
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

    fn full_packet(&self) -> u64 {
        self.packet.0
    }

    fn largest_packet(&self) -> u64 {
        self.largest()
    }

    fn smallest_packet(&self) -> u64 {
        self.smallest()
    }

    fn full_payload(&self) -> u64 {
        self.mss()
    }

    fn last_acknowledgment(&self) -> Option<u64> {
        Some(self.acknowledgment.0 + self.timestamps.octets())
    }

    fn keeps_messages(&self) -> bool {
        false
    }

    fn has_flow_control(&self) -> bool {
        true
    }

    fn rate_limit(&self, _over: Wrapping) -> Option<RateLimit> {
        None
    }

    fn answers_marks(&self) -> Option<&'static str> {
        (self.echo() != Ecn::Off).then(|| self.congestion.kind())
    }

    fn codepoint(&self) -> Codepoint {
        match self.echo() {
            Ecn::Off => Codepoint::NotCapable,
            // A control that answers the share of marks is scalable in the sense of RFC 9331,
            // section 4.3.
            _ if self.congestion.needs_exact_marks() => Codepoint::Scalable,
            _ => Codepoint::Classic,
        }
    }

    fn finds_spurious(&self) -> bool {
        self.spurious.is_on()
    }

    fn may_give_up(&self) -> bool {
        self.give_up.is_on()
    }

    fn doubts(&self) -> Vec<Doubt> {
        let packet = self.counted();
        let narrow = (self.advertised() < packet).then(|| {
            let says = format!(
                "`transport.tcp.window` of `{} B` is smaller than a packet of `{packet} B`, so \
                 packets leave one at a time",
                self.advertised()
            );
            Doubt {
                code: "narrow_window",
                parameter: "window",
                says,
                hint: format!("make it at least `{packet} B`"),
            }
        });
        narrow.into_iter().collect()
    }

    fn headers(&self) -> Headers<'_> {
        Headers::Tcp(self)
    }
}
