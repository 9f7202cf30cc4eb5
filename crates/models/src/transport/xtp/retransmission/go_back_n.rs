//! Go-back-N: everything from the first missing octet on is sent again.
//!
//! The receiver drops data that is out of order, so the sender must send all data from the gap on:
//! the go-back-N scheme of Ajmone Marsan, Bianco, Lo Cigno, Munafò and Baldi, "On the Performance of
//! Transport Protocols over ATM Networks", section 2.2.

use parameters::parameters;

use super::{ReceiverReport, Retransmission};
use crate::transport::xtp::buffer::SendBuffer;

parameters! {
    /// Go-back-N: everything from the first missing octet on; the receiver keeps nothing beyond it.
    pub struct GoBackN {}
}

impl GoBackN {
    /// The rule for one association.
    pub fn build(&self, (): &()) -> Box<dyn Retransmission> {
        Box::new(State)
    }
}

struct State;

impl Retransmission for State {
    fn keeps_what_is_out_of_order(&self) -> bool {
        false
    }

    fn on_report(&self, buffer: &mut SendBuffer, report: &ReceiverReport) -> bool {
        let is_lost = buffer.first().is_some_and(|packet| {
            packet.is_under_way() && report.tells_of_loss(packet, report.missing)
        });
        if is_lost {
            buffer.mark_all_lost();
        }
        is_lost
    }

    fn on_trimmed(&self, buffer: &mut SendBuffer, seq: u64) -> bool {
        let is_lost = buffer.mark_one_lost(seq);
        if is_lost {
            buffer.mark_lost_from(seq);
        }
        is_lost
    }
}
