//! Retransmission policies: the data that is sent again when the receiver reports a gap.
//!
//! Go-back-N and selective retransmission are the two schemes of XTP 4.0: Ajmone Marsan, Bianco, Lo
//! Cigno, Munafò and Baldi, "On the Performance of Transport Protocols over ATM Networks", section
//! 2.2.

use super::RepeatedNak;
use super::buffer::{SendBuffer, XtpPacket};

parameters::registry! {
    /// Retransmission policy: the data that is sent again when data is missing.
    pub enum RetransmissionSpec builds Box<dyn Retransmission>, for () {
        go_back_n => GoBackN,
        selective => Selective,
    } default selective
}

/// An answer or a fast NAK, after the buffer has recorded its spans.
#[derive(Clone, Copy, Debug)]
pub struct ReceiverReport {
    /// The latest request that had reached the receiver when it answered.
    pub echo: u32,
    /// True if the answer reports missing data.
    pub missing: bool,
    /// Meaning of a report of data that has been sent again meanwhile.
    pub repeated: RepeatedNak,
}

impl ReceiverReport {
    /// True if a packet in flight must be lost. `is_gap` is true if a packet sent later is known to
    /// have arrived.
    ///
    /// A VC keeps the order of packets. So a packet that was sent before a request, and is not
    /// reported in the answer to the request, is lost; and a packet sent only once is lost if a
    /// later packet has arrived. For a packet sent again, only the answer to a later request
    /// decides.
    pub fn tells_of_loss(&self, packet: &XtpPacket, is_gap: bool) -> bool {
        let believed = self.repeated == RepeatedNak::Believed || !packet.was_sent_again();
        packet.is_known_to(self.echo) || (is_gap && believed)
    }
}

/// Decides which data is sent again.
pub trait Retransmission: Send {
    /// True if the receiver keeps out-of-order data, and reports it in spans.
    fn keeps_what_is_out_of_order(&self) -> bool;

    /// Marks packets as lost after a report; returns true if there are any.
    fn on_report(&self, buffer: &mut SendBuffer, report: &ReceiverReport) -> bool;

    /// Marks packets as lost after the report that the packet at `seq` arrived trimmed; returns true if
    /// there are any.
    fn on_trimmed(&self, buffer: &mut SendBuffer, seq: u64) -> bool;
}
