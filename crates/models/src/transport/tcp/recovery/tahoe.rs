//! Recovery of Tahoe: a retransmission, and slow start.
//!
//! `tcp_input.c` 7.19 (4.3BSD-Tahoe, June 1988), and `tcp.cc` of ns-2. The two differ in the data
//! that is sent again: [`Repeat`].

use super::{Outstanding, Recovery, RecoveryStart};

/// Data that a fast retransmit sends again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Repeat {
    /// The first unacknowledged segment; sending continues after the highest octet sent.
    First,
    /// Everything from the first unacknowledged segment on.
    All,
}

/// Retransmits at once; slow start from a window of one segment then releases the other data.
#[derive(Clone, Debug)]
pub struct TahoeRecovery {
    repeat: Repeat,
}

impl TahoeRecovery {
    /// The recovery of one sender.
    pub fn new(repeat: Repeat) -> TahoeRecovery {
        TahoeRecovery { repeat }
    }
}

impl Recovery for TahoeRecovery {
    fn begin(&mut self, _out: &mut Outstanding) -> RecoveryStart {
        match self.repeat {
            Repeat::First => RecoveryStart::First,
            Repeat::All => RecoveryStart::GoBack,
        }
    }
}
