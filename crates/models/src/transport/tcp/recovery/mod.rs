//! Loss recovery: the retransmissions of a sender, and the data that it may have outstanding
//! meanwhile.
//!
//! The congestion control owns the window. A recovery inflates it while duplicates show that
//! packets have left the network (RFC 5681, section 3.2), or replaces it by an estimate of the data
//! in flight (RFC 6675, section 4). Our own interface between the two: any congestion control can
//! have any recovery.

pub(crate) mod fall_floyd;
pub mod new_reno;
mod outstanding;
mod phase;
pub(crate) mod proportional;
pub(crate) mod rack;
pub(crate) mod reno;
pub(crate) mod rfc6675;
pub(crate) mod tahoe;

use kernel::{Duration, Time};

use super::congestion::control::CongestionControl;
use crate::wire::segment::Segment;
pub use outstanding::Outstanding;

/// Loss recovery of one sender.
pub trait Recovery: Send {
    /// The part that finds losses by time, if there is one; the answer never changes.
    fn timed(&mut self) -> Option<&mut dyn TimeBasedRecovery> {
        None
    }

    /// True if an acknowledgment without new data counts as a duplicate; its SACK blocks report
    /// `news` octets that were not known to have arrived.
    fn counts(&self, news: u64) -> bool {
        let _ = news;
        true
    }

    /// True if an acknowledgment of new data also counts as a duplicate if it reports octets beyond
    /// a hole.
    fn counts_progress(&self) -> bool {
        false
    }

    /// True if an acknowledgment below the highest one counts as a duplicate if it reports octets that
    /// were not known to have arrived.
    fn counts_old(&self) -> bool {
        false
    }

    /// True if the SACK blocks reveal a loss although there are fewer duplicates than the
    /// threshold.
    fn finds_loss(&self, out: &Outstanding) -> bool {
        let _ = out;
        false
    }

    /// Limited transmit: octets of new data that duplicates before a recovery release beyond the
    /// window (RFC 3042, section 2).
    fn early(&self, out: &Outstanding) -> u64 {
        u64::from(out.duplicates.min(2)) * out.mss
    }

    /// True if the duplicates may indicate a new loss.
    fn may_begin(&self, out: &Outstanding) -> bool {
        let _ = out;
        true
    }

    /// Begins after `out.duplicates` duplicates; the window is already reduced, and `out.recover`
    /// set.
    fn begin(&mut self, out: &mut Outstanding) -> RecoveryStart;

    /// The recovery that has just begun goes on with a reduction that a mark began, with a window of
    /// `prior` octets, and during which `delivered` octets have arrived and `sent` octets have left.
    fn go_on_reducing(&mut self, [prior, delivered, sent]: [u64; 3]) {
        let _ = (prior, delivered, sent);
    }

    /// True while a recovery is under way.
    fn underway(&self) -> bool {
        false
    }

    /// A duplicate arrives during a recovery.
    fn on_duplicate(&mut self, out: &Outstanding) {
        let _ = out;
    }

    /// `octets` of new data are acknowledged; `out.una` is the octet after them.
    fn on_ack(
        &mut self,
        out: &mut Outstanding,
        octets: u64,
        control: &mut dyn CongestionControl,
    ) -> AckEffect {
        let _ = (out, octets, control);
        AckEffect::Grows
    }

    /// The retransmission timer expires; the sender has gone back to the first unacknowledged
    /// octet.
    fn on_timeout(&mut self, now: Time, out: &mut Outstanding) {
        let _ = (now, out);
    }

    /// The loss that began the recovery, or the timeout that is being repaired, was spurious: nothing
    /// more is retransmitted for it.
    fn undo(&mut self) {}

    /// The data that may be sent next, with a congestion window of `cwnd` octets.
    fn allowance(&mut self, out: &mut Outstanding, cwnd: u64) -> NextData {
        let _ = out;
        NextData::Window(cwnd)
    }

    /// Estimate of the octets in flight: sent, and neither known to have arrived nor considered lost.
    fn in_flight(&self, out: &Outstanding) -> u64 {
        out.nxt - out.una
    }

    /// Octets that are considered lost because of the latest acknowledgment; each is counted once.
    /// Without SACK reports none is.
    fn newly_lost(&mut self, out: &Outstanding) -> u64 {
        let _ = out;
        0
    }

    /// True if data that was considered lost is outstanding, sent again or not.
    fn has_lost(&self) -> bool {
        false
    }

    /// Octets `[start, end)` are sent, for the first time or again.
    fn on_sent(&mut self, now: Time, start: u64, end: u64) {
        let _ = (now, start, end);
    }

    /// Largest number of packets that one acknowledgment may release now.
    fn burst(&self) -> u32 {
        u32::MAX
    }
}

/// A recovery that finds losses by the times at which segments were sent: RFC 8985.
pub trait TimeBasedRecovery {
    /// Takes the segments that the acknowledgment `segment` reports; `out` is the state before it,
    /// but for the SACK blocks. Returns true if a loss probe has repaired a loss.
    fn on_report(&mut self, now: Time, out: &Outstanding, segment: &Segment) -> bool;

    /// Finds the segments that are lost by `now`; `srtt` is the smoothed round-trip time.
    fn detect(&mut self, now: Time, out: &Outstanding, srtt: Duration) -> Found;

    /// Time of a loss probe, if the sending or the acknowledgment of new data since the last call
    /// asks for one.
    fn probe_at(&mut self, now: Time, out: &Outstanding, srtt: Duration) -> Option<Time>;

    /// True if a loss probe may be sent.
    fn may_probe(&self) -> bool;

    /// The segment with the highest octets sent, `[start, end)`.
    fn last(&self) -> Option<(u64, u64)>;

    /// A loss probe is sent.
    fn on_probe(&mut self, out: &Outstanding, is_retransmission: bool);
}

/// Losses found by time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Found {
    /// True if a recovery begins.
    pub begins: bool,
    /// Time at which further segments will be lost, if they do not arrive before.
    pub next: Option<Time>,
}

/// The first transmission of a recovery.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecoveryStart {
    /// The first unacknowledged segment, and more data as the window allows.
    First,
    /// The first unacknowledged segment only.
    FirstOnly,
    /// Everything from the first unacknowledged segment on, as the window allows.
    GoBack,
    /// The segments that [`Recovery::allowance`] chooses.
    Chosen,
}

/// Effect of an acknowledgment of new data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AckEffect {
    /// New data outside a recovery: the congestion control gets the acknowledgment.
    Grows,
    /// A recovery is in progress, and the congestion control does not get the acknowledgment.
    Repairs,
    /// A recovery is in progress, and the first unacknowledged segment is retransmitted.
    NextHole {
        /// True if the retransmission timer restarts.
        restarts_timer: bool,
    },
}

/// The data that may be sent next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NextData {
    /// The next data in order, as long as at most this number of octets is outstanding.
    Window(u64),
    /// A retransmission of octets `[start, end)`, at most one segment.
    Hole(u64, u64),
    /// New data, up to the receiver's window.
    New,
    /// Nothing.
    Nothing,
}

/// Format in which a receiver reports data beyond the cumulative acknowledgment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reports {
    /// RFC 2018: an option of 2 + 8n octets, padded to a multiple of four.
    Rfc2018,
    /// ns-2: eight octets per block, and at most three blocks. Departs from RFC 2018, section 3:
    /// two octets of the option are not counted.
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

    /// Largest number of blocks in one acknowledgment.
    pub fn most(self) -> usize {
        match self {
            Reports::Rfc2018 => crate::wire::segment::MOST_SACKS,
            Reports::Ns => 3,
        }
    }
}
