//! The opening of a connection at its sending end, as far as it is simulated: a SYN and its answer.
//!
//! RFC 9293, section 3.5. The third segment of the handshake is not sent by itself, since data
//! follows at once and carries the acknowledgment.

use kernel::Time;

use super::TcpSender;
use crate::metrics::Limit;
use crate::transport::{Segment, Transmit};

/// State of the opening.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Opening {
    /// No SYN has been sent.
    Closed,
    /// A SYN has been sent.
    Asked,
    /// A SYN has been sent more than once.
    AskedAgain,
    /// The connection is open for data.
    Done,
    /// The sender has given the connection up.
    GivenUp,
}

impl Opening {
    /// The state at the start; without a handshake, the connection is open.
    pub(super) fn new(handshake: bool) -> Opening {
        if handshake {
            Opening::Closed
        } else {
            Opening::Done
        }
    }

    /// Counts a SYN that is sent; the count shows whether the answer belongs to a repeated SYN.
    pub(super) fn ask(&mut self) {
        *self = match self {
            Opening::Asked | Opening::AskedAgain => Opening::AskedAgain,
            _ => Opening::Asked,
        };
    }

    /// True if more than one SYN was sent.
    pub(super) fn repeated(self) -> bool {
        self == Opening::AskedAgain
    }
}

impl TcpSender {
    /// Sends a SYN.
    pub(super) fn open(&mut self, now: Time, out: &mut dyn Transmit) {
        self.opening.ask();
        self.limit = Limit::Handshake;
        if !self.opening.repeated() {
            self.timer.sent(now, 0, 0, 0);
        }
        self.meter.sent(now, 0, !self.opening.repeated());
        let mut segment = Segment::default();
        segment.flags.syn = true;
        self.transmit(now, self.unmarkable(segment), out);
    }

    /// The connection is open: the handshake gives a first round-trip time.
    pub(super) fn on_open(&mut self, now: Time, answer: &Segment) {
        if self.opening.repeated() {
            // RFC 5681, section 3.1: a lost SYN counts as a loss.
            self.window.control.resume_from(self.data.mss);
            self.timer.opened_late();
        }
        // Departs from RFC 6298, section 5.7, with time stamps: the answer to a repeated SYN gives
        // a round-trip time (RFC 7323, section 4.1), which replaces the three seconds.
        self.take_round_trip(now, answer);
        self.timer.stop();
        self.opening = Opening::Done;
        if let Some(patience) = self.rare.patience() {
            patience.opened();
        }
        if answer.window().is_some() {
            self.take_window(now, answer);
        }
    }
}
