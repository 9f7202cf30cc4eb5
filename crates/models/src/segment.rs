//! Segments: what the ends of a flow tell each other.

/// What one end tells the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Segment {
    /// Number of the first user octet.
    pub seq: u64,
    /// User octets carried; none in a pure acknowledgment.
    pub len: u32,
    /// Number of the next octet expected from the other end.
    pub ack: u64,
}
