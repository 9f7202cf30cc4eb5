//! The ECN codepoint of packets, by which a queue knows whether it may mark instead of dropping.
//!
//! RFC 3168, section 5, and RFC 9331, section 4. All data of a flow carry one codepoint, since its
//! transport decides; acknowledgments are not ECN-capable (RFC 3168, section 6.1.4). The rule that
//! retransmissions are not ECN-capable either (section 6.1.5) is left out.

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
