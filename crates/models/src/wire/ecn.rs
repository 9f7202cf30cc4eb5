//! The ECN codepoint of packets, by which a queue knows whether it may mark instead of dropping.
//!
//! RFC 3168, section 5, and RFC 9331, section 4. The transport of a flow decides about the codepoint of
//! its data; acknowledgments are not ECN-capable (RFC 3168, section 6.1.4), and a packet says by itself
//! if it is not although its flow is (`not_ect`): a SYN, or a retransmission (sections 6.1.1 and
//! 6.1.5). Cells have no such field, so a switch knows the codepoint of a virtual channel only.

/// The ECN codepoint with which a transport sends its data.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Codepoint {
    /// Not-ECT: a queue can only drop.
    #[default]
    NotCapable,
    /// ECT(0): the transport answers a mark as it answers a loss.
    Classic,
    /// ECT(1): the transport answers the share of marks, and asks for low delay.
    Scalable,
}

/// The congestion field of the header of a unit, beyond the codepoint of its flow.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CongestionField {
    /// The unit met no congestion.
    #[default]
    Clear,
    /// The unit met congestion: CE of a packet, or EFCI of a cell.
    Marked,
    /// The packet is not ECN-capable although its flow is; cells have no such field.
    NotEct,
}

impl CongestionField {
    /// The field of a unit that is marked if `marked` is true, unless `not_ect` is true.
    #[inline]
    pub fn of(marked: bool, not_ect: bool) -> CongestionField {
        match (marked, not_ect) {
            (_, true) => CongestionField::NotEct,
            (true, false) => CongestionField::Marked,
            (false, false) => CongestionField::Clear,
        }
    }

    /// True if the unit met congestion.
    #[inline]
    pub fn is_marked(self) -> bool {
        self == CongestionField::Marked
    }
}
