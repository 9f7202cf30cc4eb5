//! Messages that each wait for the acknowledgment of the message before: the closed loop that files
//! and responses share.

use kernel::{Stream, Time};
use parameters::RandomTime;

use super::length::Messages;
use super::{Source, Write};

/// Messages that each wait until the message before is acknowledged, and for a gap after that.
pub(super) struct Turns {
    /// Lengths of the messages.
    pub messages: Messages,
    /// Gap between an acknowledgment and the next message.
    pub pause: RandomTime,
    /// Stream of the gaps.
    pub random: Stream,
    /// Number of messages not yet sent.
    pub left: u64,
    /// Time of the first message; none after it.
    pub first: Option<Time>,
}

impl Turns {
    fn write(&mut self, at: Time) -> Option<Write> {
        self.left = self.left.checked_sub(1)?;
        Some(Write {
            at,
            octets: self.messages.draw(),
        })
    }
}

impl Source for Turns {
    fn next(&mut self) -> Option<Write> {
        let first = self.first.take()?;
        self.write(first)
    }

    fn takes_turns(&self) -> bool {
        true
    }

    fn on_acknowledged(&mut self, now: Time) -> Option<Write> {
        let pause = self.pause.draw(&mut self.random);
        self.write(now + pause)
    }
}
