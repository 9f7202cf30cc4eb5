//! Connections that come and go, one by one: what a table of connections has of each.
//!
//! Our own choice of columns: what the metrics of all connections are made of. The list is kept only
//! where a run is asked for it, since it grows with each connection.

use kernel::{Duration, Time};

use super::SenderMeter;

/// A connection that has arrived.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ListedConnection {
    /// Time of its arrival.
    pub arrived: Time,
    /// User octets.
    pub size: u64,
    /// Class of its size: 0 for short, 1 for medium and 2 for long.
    pub class: usize,
    /// Its completion time on an idle path.
    pub idle: Duration,
    /// Packets that its sender has sent until its completion, retransmissions included.
    pub packets: u64,
    /// Retransmissions among them.
    pub retransmitted: u64,
    /// Retransmission timeouts.
    pub timeouts: u32,
    /// Its outcome.
    pub outcome: ConnectionOutcome,
}

/// The outcome of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConnectionOutcome {
    /// It is open.
    Open,
    /// It was refused, since as many as allowed were open.
    Refused,
    /// It is completed; with its completion time.
    Completed(Duration),
}

impl ListedConnection {
    /// Adds the latest counts of its sender.
    pub fn count(&mut self, latest: &SenderMeter) {
        self.packets += latest.packets;
        self.retransmitted += latest.packets - latest.distinct;
        self.timeouts += latest.timeouts;
    }

    /// The completion time over that on an idle path; none unless it is completed.
    pub fn slowdown(&self) -> Option<f64> {
        match self.outcome {
            ConnectionOutcome::Completed(time) => Some(time.seconds() / self.idle.seconds()),
            _ => None,
        }
    }
}
