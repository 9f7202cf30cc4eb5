//! The reduction of the window after a mark, spread over a round trip: proportional rate reduction, as in
//! a recovery.
//!
//! `tcp_enter_cwr`, `tcp_cwnd_reduction` and `tcp_end_cwnd_reduction` of Linux 6.6 (`tcp_input.c`). RFC
//! 9937 states the same rule for recoveries, and counts the data outstanding where Linux counts the
//! window. The congestion control has the reduced window at once; until the data outstanding at the mark
//! is acknowledged, and something beyond it, the sender uses the window that is computed here, and the
//! one of the control does not grow.

use crate::transport::tcp::Tcp;
use crate::transport::tcp::ecn::MarkReduction;
use crate::transport::tcp::recovery::{Outstanding, Recovery};

/// The reductions of a sender that spreads them.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Spread {
    /// The reduction under way, if there is one.
    pub(super) reduction: Option<Reduction>,
}

/// A reduction under way. Octets count from the acknowledgment with the mark, which counts too.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reduction {
    /// The window before it: `prior_cwnd`.
    pub(super) prior: u64,
    /// Octets that have arrived: `prr_delivered`.
    pub(super) delivered: u64,
    /// Octets that were sent: `prr_out`.
    pub(super) sent: u64,
    /// End of the data that had been sent: `high_seq`.
    pub(super) end: u64,
    /// The window in use.
    pub(super) window: u64,
}

/// An acknowledgment during a reduction.
#[derive(Clone, Copy, Debug)]
struct Progress {
    /// Octets that it reports for the first time.
    delivered: u64,
    /// Octets in flight after it.
    pipe: u64,
    /// True if it covers new data and shows no loss: `SafeACK` of RFC 9937.
    is_safe: bool,
}

impl Spread {
    /// The state of a sender before its first segment, if it spreads reductions.
    pub(super) fn of(spec: &Tcp) -> Option<Spread> {
        (spec.mark_reduction == MarkReduction::Proportional).then(Spread::default)
    }
}

impl Reduction {
    /// A reduction of a window of `prior` octets, with data outstanding up to `end`. The window stays as it
    /// was until something is delivered: `tcp_init_cwnd_reduction` of Linux.
    pub(super) fn new(prior: u64, end: u64) -> Reduction {
        Reduction {
            prior,
            delivered: 0,
            sent: 0,
            end,
            window: prior,
        }
    }

    /// An acknowledgment has been taken, with its losses; `before` was the oldest octet outstanding.
    pub(super) fn acknowledged(
        &mut self,
        data: &Outstanding,
        recovery: &dyn Recovery,
        before: u64,
        ssthresh: u64,
    ) {
        let progress = Progress {
            // A recovery may forget what SACK blocks have reported.
            delivered: data.arrived().saturating_sub(data.arrived_before),
            pipe: recovery.in_flight(data),
            is_safe: data.una > before && !recovery.has_lost(),
        };
        self.advance(progress, ssthresh, data.mss);
    }

    /// Computes the window upon an acknowledgment, of segments of `mss` octets: whole segments leave.
    fn advance(&mut self, ack: Progress, ssthresh: u64, mss: u64) {
        if ack.delivered == 0 {
            return;
        }
        self.delivered += ack.delivered;
        let more = if ack.pipe > ssthresh {
            let share = (ssthresh * self.delivered).div_ceil(self.prior.max(1) * mss) * mss;
            share.saturating_sub(self.sent)
        } else {
            let bound = self.delivered.saturating_sub(self.sent).max(ack.delivered);
            let safe = if ack.is_safe { mss } else { 0 };
            (bound + safe).min(ssthresh - ack.pipe)
        };
        let least = if self.sent == 0 { mss } else { 0 };
        self.window = ack.pipe + more.max(least);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MSS: u64 = 1000;

    /// The windows in segments after acknowledgments of a segment each, with `pipe` segments in flight
    /// after the first; what the window allows leaves.
    fn windows(prior: u64, ssthresh: u64, mut pipe: u64, acks: usize) -> Vec<u64> {
        let mut reduction = Reduction::new(prior * MSS, 0);
        let windows = (0..acks).map(|_| {
            let ack = Progress {
                delivered: MSS,
                pipe: pipe * MSS,
                is_safe: true,
            };
            reduction.advance(ack, ssthresh * MSS, MSS);
            let window = reduction.window / MSS;
            reduction.sent += (window - pipe) * MSS;
            pipe = window - 1;
            window
        });
        windows.collect()
    }

    /// packetdrill, `cwnd-moderation-ecn-enter-cwr-no-moderation-700.pkt`: three in flight, two more.
    #[test]
    fn a_window_that_is_not_used_becomes_what_is_in_flight_and_two_segments() {
        assert_eq!(windows(10, 7, 3, 1), [5]);
    }

    /// The window falls by three segments in ten, as the data arrives, and not at once.
    #[test]
    fn a_full_window_shrinks_by_a_segment_for_three_that_arrive() {
        let windows = windows(20, 14, 19, 20);
        assert_eq!(windows[..8], [20, 20, 20, 19, 19, 19, 18, 18]);
        assert_eq!(windows[19], 14);
        assert!(windows.is_sorted_by(|before, after| before >= after));
    }
}
