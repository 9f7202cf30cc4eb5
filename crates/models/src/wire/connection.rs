//! The connections of a flow, which the numbers of their octets tell apart.

/// One of the connections of a flow: its slot, which stands for a pair of ports, and the number of
/// connections that have had the slot before it.
///
/// The octets of a connection are numbered from [`ConnectionId::base`] on, as from the initial
/// sequence number of RFC 9293, section 3.4.1, so that a late segment of an earlier connection is
/// never taken for one of a later. A flow that is a single connection has the first one, whose
/// numbers begin at zero.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct ConnectionId {
    /// Slot of the connection at both ends.
    pub slot: u16,
    /// Number of earlier connections in this slot, which wraps.
    pub generation: u16,
}

/// Largest number of octets of one of several connections of a flow.
pub const LONGEST_CONNECTION: u64 = u32::MAX as u64;

impl ConnectionId {
    /// Number of the first octet.
    pub fn base(self) -> u64 {
        u64::from(self.slot) << 48 | u64::from(self.generation) << 32
    }

    /// The connection to which the octet with this number belongs.
    pub fn of(number: u64) -> ConnectionId {
        ConnectionId {
            slot: (number >> 48) as u16,
            generation: (number >> 32) as u16,
        }
    }

    /// True if this connection has the slot after `other`: serial numbers of RFC 1982, section 3.2.
    pub fn is_after(self, other: ConnectionId) -> bool {
        let ahead = self.generation.wrapping_sub(other.generation);
        (1..1 << 15).contains(&ahead)
    }
}
