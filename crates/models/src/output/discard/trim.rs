//! Trimming: a packet that does not fit into the buffer loses its payload instead of being dropped
//! whole, and its first octets go on, so that the receiver learns at once what is missing.
//!
//! Cheng, Ren, Shu and Lin, "Catch the Whole Lot in an Action: Rapid Precise Packet Loss Notification
//! in Data Center", NSDI 2014, cut payloads in one queue; Handley, Raiciu, Agache, Voinescu, Moore,
//! Antichi and Wójcik, "Re-architecting datacenter networks and stacks for low latency and high
//! performance" (NDP), SIGCOMM 2017, section 3.1, give headers a queue of their own, which is the
//! scheduler `headers_first` here. The size, the rule and the counters are those of "Packet Trimming",
//! a proposal for the Switch Abstraction Interface (SAI) of the Open Compute Project, 2024.
//!
//! A packet for which there is no room even when it is trimmed may go back to its sender, once: "return
//! to sender" in the simulator of NDP, `compositequeue.cpp`.
//!
//! Our own choices: a packet that is no longer than the rest of a trimmed one is not trimmed, no packet
//! is trimmed twice, only packets of data go back, and cells, which have no payload to lose, are dropped
//! as by tail drop.

use parameters::{BufferSize, Bytes, choices, parameters};

use super::{Buffer, Discard, DiscardKind, Trimming};
use crate::output::decision::fit::AcceptIfFits;

parameters! {
    /// Cuts a packet that does not fit into the buffer down to its first octets, and sends these on.
    #[alias("packet_trimming")]
    #[alias("cut_payload")]
    pub struct Trim {
        /// Octets that are left of a trimmed packet.
        #[range("64 B", "16 KiB")]
        pub size: Bytes = "128 B",
        /// Memory for the queue of headers of `scheduler.headers_first`; if not given, as large as the
        /// buffer of the other packets.
        pub headers: Option<BufferSize>,
        /// Fate of a packet that does not fit even when it is trimmed.
        pub no_room: NoRoom = "dropped",
    }
}

choices! {
    /// Fate of a packet that does not fit even when it is trimmed.
    pub enum NoRoom {
        /// The packet is dropped.
        dropped => Dropped,
        /// The trimmed packet goes back to its sender, over the path of the answers.
        returned => Returned,
    }
}

impl Trim {
    /// The policy for one buffer: tail drop, of which the output trims the drops.
    pub fn build(&self, _buffer: &Buffer) -> Box<dyn Discard> {
        Box::new(AcceptIfFits)
    }
}

impl DiscardKind for Trim {
    fn needs_shared_queue(&self) -> bool {
        false
    }

    fn drop_levels(&self, _buffer: &Buffer) -> Vec<(&'static str, u64)> {
        Vec::new()
    }

    fn drops_whole_packets(&self) -> bool {
        true
    }

    fn trimming(&self) -> Option<Trimming> {
        let octets = u32::try_from(self.size.0).expect("the range bounds the size to 16 KiB");
        Some(Trimming {
            octets,
            headers: self.headers,
            returns: self.no_room == NoRoom::Returned,
        })
    }
}

#[cfg(test)]
mod tests {
    use parameters::ParameterTable;

    use super::super::script::decisions;
    use super::*;

    #[test]
    fn refuses_exactly_what_does_not_fit() {
        assert_eq!(decisions(&mut AcceptIfFits, "0 9 10 9. 10. 0"), "++-+-+");
    }

    #[test]
    fn a_trimmed_packet_keeps_as_many_octets_as_sai_proposes() {
        let trimming = Trim::defaults().trimming().expect("the policy trims");
        assert_eq!((trimming.octets, trimming.headers), (128, None));
    }
}
