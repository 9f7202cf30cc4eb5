//! What is sent again when the receiver tells that something is missing.

use super::RepeatedNak;
use super::buffer::{Buffer, Packet};

parameters::registry! {
    /// What is sent again when something is missing.
    pub enum RetransmissionSpec builds Box<dyn Retransmission>, for () {
        go_back_n => GoBackN,
        selective => Selective,
    } default selective
}

/// An answer or a fast NAK, once what it tells has been noted in the buffer.
#[derive(Clone, Copy, Debug)]
pub struct Report {
    /// The latest request that the receiver had when it answered.
    pub echo: u32,
    /// It tells that something is missing.
    pub missing: bool,
    /// What is made of data that is missing again.
    pub repeated: RepeatedNak,
}

impl Report {
    /// Whether a packet that is under way must be taken for lost. `is_gap` tells that something sent
    /// later is known to have arrived.
    ///
    /// Nothing overtakes anything on a virtual channel. So what was sent before a request, and is not
    /// told of in its answer, is lost; and what was sent only once is, if anything beyond it has
    /// arrived. Of what was sent again, only an answer to a later request tells anything.
    pub fn tells_of_loss(&self, packet: &Packet, is_gap: bool) -> bool {
        let believed = self.repeated == RepeatedNak::Believed || !packet.was_sent_again();
        packet.is_known_to(self.echo) || (is_gap && believed)
    }
}

/// Decides what is sent again.
pub trait Retransmission {
    /// Whether the receiver keeps data that comes out of order, and tells of it in spans.
    fn keeps_what_is_out_of_order(&self) -> bool;

    /// Takes packets for lost upon a report; returns whether there are any.
    fn on_report(&self, buffer: &mut Buffer, report: &Report) -> bool;
}
