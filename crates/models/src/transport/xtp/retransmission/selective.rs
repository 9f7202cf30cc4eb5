//! Selective retransmission: only missing data is sent again.
//!
//! The receiver keeps out-of-order data and reports it in spans; the data before and between the
//! spans is missing: Ajmone Marsan, Bianco, Lo Cigno, Munafò and Baldi, "On the Performance of
//! Transport Protocols over ATM Networks", section 2.2. Data beyond the last span may be missing or
//! in flight: the answer to a request made after that data was sent decides, as at the end of a
//! handshake. The paper does not state how this data is retransmitted, so this is a parameter.

use parameters::{choices, parameters};

use super::{ReceiverReport, Retransmission};
use crate::transport::xtp::buffer::SendBuffer;

parameters! {
    /// Selective retransmission: the data that the receiver's spans do not report.
    pub struct Selective {
        /// Retransmission of data beyond the last span, when it is known to be lost.
        pub beyond_spans: BeyondSpans = "everything",
    }
}

choices! {
    /// Retransmission of data beyond the last span.
    pub enum BeyondSpans {
        /// All data that was sent before the request.
        everything => Everything,
        /// The first packet beyond the last span; the answer to this packet then decides whether
        /// the next one was lost.
        first => First,
    }
}

impl Selective {
    /// The rule for one association.
    pub fn build(&self, (): &()) -> Box<dyn Retransmission> {
        Box::new(State {
            beyond_spans: self.beyond_spans,
        })
    }
}

struct State {
    beyond_spans: BeyondSpans,
}

impl Retransmission for State {
    fn keeps_what_is_out_of_order(&self) -> bool {
        true
    }

    fn on_report(&self, buffer: &mut SendBuffer, report: &ReceiverReport) -> bool {
        let mut beyond = match self.beyond_spans {
            BeyondSpans::Everything => usize::MAX,
            BeyondSpans::First => 1,
        };
        let lost = buffer.mark_lost(report.echo, |packet, is_gap| {
            if !report.tells_of_loss(packet, is_gap) || (!is_gap && beyond == 0) {
                return false;
            }
            beyond -= usize::from(!is_gap);
            true
        });
        lost > 0
    }

    fn on_trimmed(&self, buffer: &mut SendBuffer, seq: u64) -> bool {
        buffer.mark_one_lost(seq)
    }
}
