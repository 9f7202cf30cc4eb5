//! The opening of a connection, at its sending end.

use kernel::Time;

use super::super::opening::Opening;
use super::TcpSender;
use crate::metrics::Limit;
use crate::transport::{Segment, Transmit};

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
        out.transmit(now, segment, self.header.into());
    }

    /// The connection is open: the handshake gives a first round-trip time.
    pub(super) fn on_open(&mut self, now: Time) {
        if self.opening.repeated() {
            // RFC 5681, section 3.1: a lost SYN counts as a loss.
            self.control.set_cwnd(self.data.mss);
            self.timer.opened_late();
        }
        if let Some(rtt) = self.timer.acknowledged(now, 0) {
            self.meter.round_trip(rtt);
        }
        self.timer.stop();
        self.opening = Opening::Done;
    }
}
