//! Recovery of Tahoe: a repetition, and slow start.

use super::{Answer, Outstanding, Recovery};

/// What a fast retransmit repeats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Repeat {
    /// The first unacknowledged segment; sending goes on where it was.
    First,
    /// Everything from there on.
    All,
}

/// Repeats, and leaves the rest to the window.
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
    fn begin(&mut self, _out: &mut Outstanding) -> Answer {
        match self.repeat {
            Repeat::First => Answer::First,
            Repeat::All => Answer::GoBack,
        }
    }
}
