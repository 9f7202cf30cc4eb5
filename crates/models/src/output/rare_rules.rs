//! Rules of the gate of a buffer that few outputs have, kept apart so that the others stay small.

use super::decision::{Buffer, Trimming};
use super::packet_limit::PacketLimit;

/// The rules of a gate that has some of them.
pub struct RareRules {
    /// The trimming of the packets that the policy drops; none if they are dropped whole.
    pub trimming: Option<Trimming>,
    /// The most packets that may wait; none if they are not counted.
    pub packets: Option<PacketLimit>,
}

impl RareRules {
    /// The rules of the gate of a buffer; none if it has none of them.
    pub fn of(trimming: Option<Trimming>, buffer: &Buffer) -> Option<Box<RareRules>> {
        let packets = buffer.packets.map(PacketLimit::new);
        let has_any = trimming.is_some() || packets.is_some();
        has_any.then(|| Box::new(RareRules { trimming, packets }))
    }
}
