//! Loss recovery: what a sender repeats, and how much it may have outstanding meanwhile.
//!
//! The window itself is the congestion control's; a recovery stretches it while duplicates tell
//! that packets have left the network, or replaces it by an estimate of what is on its way.

pub mod fall_floyd;
pub mod new_reno;
pub mod outstanding;
pub mod proportional;
pub mod reno;
pub mod rfc6675;
pub mod tahoe;

use super::congestion::CongestionControl;
pub use outstanding::Outstanding;

/// The machinery by which one sender repairs losses.
pub trait Recovery {
    /// Whether a duplicate counts that reported `news` octets which were not known to have arrived.
    fn counts(&self, news: u64) -> bool {
        let _ = news;
        true
    }

    /// Whether an acknowledgment of new data that reports more counts as a duplicate too.
    fn counts_progress(&self) -> bool {
        false
    }

    /// Whether a loss is evident although there are too few duplicates.
    fn finds_loss(&self, out: &Outstanding) -> bool {
        let _ = out;
        false
    }

    /// Octets of new data that the duplicates before a recovery let go beyond the window, with
    /// limited transmit: RFC 3042, section 2.
    fn early(&self, out: &Outstanding) -> u64 {
        u64::from(out.duplicates.min(2)) * out.mss
    }

    /// Whether the duplicates may stand for a new loss.
    fn may_begin(&self, out: &Outstanding) -> bool {
        let _ = out;
        true
    }

    /// Begins, after `out.duplicates` of them; the window is cut already, and `out.recover` set.
    fn begin(&mut self, out: &mut Outstanding) -> Answer;

    /// Whether a recovery goes on.
    fn underway(&self) -> bool {
        false
    }

    /// A duplicate arrives while a recovery goes on.
    fn on_duplicate(&mut self, out: &Outstanding) {
        let _ = out;
    }

    /// New data was acknowledged, `octets` of it; `out.una` is what follows.
    fn on_ack(
        &mut self,
        out: &mut Outstanding,
        octets: u64,
        control: &mut dyn CongestionControl,
    ) -> Progress {
        let _ = (out, octets, control);
        Progress::Grows
    }

    /// The retransmission timer expired; the sender goes back by itself.
    fn on_timeout(&mut self, out: &mut Outstanding) {
        let _ = out;
    }

    /// What may be sent next, with a congestion window of `cwnd` octets.
    fn allowance(&mut self, out: &mut Outstanding, cwnd: u64) -> Allowance {
        let _ = out;
        Allowance::Window(cwnd)
    }

    /// A segment was sent, new or again.
    fn on_sent(&mut self) {}

    /// Most packets that one acknowledgment may release just now.
    fn burst(&self) -> u32 {
        u32::MAX
    }
}

/// What is sent at the beginning of a recovery.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The first unacknowledged segment, and what the window allows.
    First,
    /// The first unacknowledged segment alone.
    FirstOnly,
    /// Everything again from the first unacknowledged segment on, as the window allows.
    GoBack,
}

/// What an acknowledgment of new data leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// The congestion control is told; no loss is being repaired.
    Grows,
    /// It is not told.
    Repairs,
    /// It is not told, and the first unacknowledged segment is sent again.
    NextHole {
        /// Whether the retransmission timer starts again.
        restarts_timer: bool,
    },
}

/// What may be sent next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Allowance {
    /// What comes next, as long as no more than this many octets are outstanding.
    Window(u64),
    /// Octets `[start, end)` again, at most a segment.
    Hole(u64, u64),
    /// New data, as far as the receiver's window goes.
    New,
    /// Nothing.
    Nothing,
}

/// How a receiver reports what it has beyond the cumulative acknowledgment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reports {
    /// RFC 2018: an option of 2 + 8n octets, padded to a multiple of four.
    Rfc2018,
    /// ns: eight octets a block, and at most three.
    Ns,
}

impl Reports {
    /// Octets that `blocks` blocks add to an acknowledgment.
    pub fn octets(self, blocks: usize) -> u64 {
        match (self, blocks as u64) {
            (_, 0) => 0,
            (Reports::Rfc2018, blocks) => 4 + 8 * blocks,
            (Reports::Ns, blocks) => 8 * blocks,
        }
    }

    /// Most blocks in one acknowledgment.
    pub fn most(self) -> usize {
        match self {
            Reports::Rfc2018 => crate::segment::MOST_SACKS,
            Reports::Ns => 3,
        }
    }
}
