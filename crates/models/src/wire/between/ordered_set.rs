//! Control ordered sets: the messages of link-level retry between the two ends of a link.
//!
//! The names, and what the sets carry, are those of the proposal “Link Layer Retry (LLR)” of the UEC
//! Management Working Group for SAI 1.18, 2025, sections 1.2 and 1.3. Our own addition: an INIT
//! names the number of the next frame, and its echo the last frame that arrived before it, so that
//! both ends know which frames were given up.

/// A control ordered set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OrderedSet {
    /// `LLR_ACK`: every frame up to the one with this number has arrived.
    Ack {
        /// Number of the last frame that arrived in order.
        last: u64,
    },
    /// `LLR_NACK`: the frame after the one with this number is missing or damaged.
    Nack {
        /// Number of the last frame that arrived in order.
        last: u64,
    },
    /// `LLR_INIT`: the sender gives up the frames that have not arrived.
    Init {
        /// Number of the next frame that the sender will send.
        next: u64,
    },
    /// `LLR_INIT_ECHO`: the answer to an INIT.
    InitEcho {
        /// The number in the INIT.
        next: u64,
        /// Number of the last frame that arrived in order before the INIT.
        last: u64,
    },
}

impl OrderedSet {
    /// Octets of a control ordered set on the link: the terminology of “Credit Based Flow Control
    /// (CBFC)”, the other proposal of the same group, 2026.
    pub const OCTETS: u64 = 8;

    /// Octets of the most ordered sets of link-level retry that go before a control frame that waits: an
    /// INIT, an echo, a NACK and an acknowledgment.
    pub const BEFORE_CONTROL: u64 = 4 * OrderedSet::OCTETS;
}
