//! Link-level retry: the sending end of a link keeps each packet until the other end has
//! acknowledged it, and sends it again if the link has lost it.
//!
//! On such a link packets are *frames* with numbers. [`RetrySender`] has the replay buffer,
//! [`RetryReceiver`] accepts the frames that arrive in order, and [`RetryEnd`] decides what a node
//! sends next over its end of the link: a control ordered set, a replay or a new frame. All three
//! know no link, so tests drive them with a few calls.

mod end;
mod frame;
mod receiver;
mod sender;

use kernel::{Duration, Rate};
use parameters::choices;

pub use end::{RetryEnd, RetryTurn};
pub use frame::{FrameBody, NumberedFrame};
pub use receiver::RetryReceiver;
pub use sender::{BufferedFrameFate, RetrySender};

use crate::wire::between::ordered_set::OrderedSet;

parameters::registry! {
    /// Retry of a link: its ends find lost packets and send them again.
    pub enum RetrySpec builds RetryLimits, for RetriedLink {
        llr => Llr,
    }
}

choices! {
    /// Treatment of new packets while the ends of a link begin anew after a flush.
    pub enum FlushAction {
        /// They wait.
        block => Block,
        /// They are sent without numbers, and the link may lose them.
        best_effort => BestEffort,
    }
}

/// A link with retry, as known before the run.
#[derive(Clone, Copy, Debug)]
pub struct RetriedLink {
    /// Rate of the link.
    pub rate: Rate,
    /// Propagation delay of the link, one way.
    pub propagation: Duration,
    /// Octets of the largest packet on the link.
    pub largest: u64,
    /// Octets of the largest control frame of pauses or credits on the link; zero without them.
    pub control: u64,
}

impl RetriedLink {
    /// Octets of the largest frame on the link.
    pub fn largest_frame(&self) -> u64 {
        self.largest.max(self.control)
    }

    /// Longest time from the end of a frame that arrives to the arrival of its acknowledgment, if
    /// acknowledgments have this spacing.
    ///
    /// The acknowledgment waits for the spacing, then for a frame of the opposite direction, and is
    /// sent; the propagation delay counts both ways. A second ordered set, and a control frame, may go
    /// before it.
    pub fn longest_answer(&self, spacing: Duration) -> Duration {
        let time = |octets: u64| self.rate.transmission(8 * octets);
        let frames = time(self.largest_frame()) + time(self.control);
        self.propagation * 2 + spacing + frames + time(OrderedSet::OCTETS) * 2
    }
}

/// The limits of one direction of a link with retry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RetryLimits {
    /// Frames that may be sent and not acknowledged.
    pub frames: u64,
    /// Octets of frames that may be sent and not acknowledged.
    pub octets: u64,
    /// Octets of the largest packet on the link.
    pub largest: u64,
    /// Time without an acknowledgment after which frames are replayed.
    pub timer: Duration,
    /// Replays without an acknowledgment between them after which frames are given up.
    pub replays: u32,
    /// Least time from the start of an acknowledgment to that of the next.
    pub spacing: Duration,
    /// Treatment of new packets after a flush.
    pub flush_action: FlushAction,
}
