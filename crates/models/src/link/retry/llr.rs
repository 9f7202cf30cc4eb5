//! Link Layer Retry (LLR) of Ultra Ethernet, a profile after SAI 1.18: go-back-N on one link.
//!
//! UEC Management Working Group, “SAI Proposal: Link Layer Retry (LLR)”, 2025, for SAI 1.18. Frames
//! have numbers, and stay in a replay buffer until an ACK, which is cumulative, names them or a later
//! frame. The receiver discards every frame but the expected one. For a gap it sends one NACK, with
//! the number of the last good frame, and then no message until the expected frame arrives. On a
//! NACK, or when the replay timer expires, the sender sends all later frames of the replay buffer
//! again. After too many replays it gives the frames up (FLUSH) and begins anew (INIT).
//!
//! Our own choices, where the document is silent: an ordered set is sent between frames and before
//! every waiting frame; the spacing applies to ACKs; a flush is always followed by INIT, as if
//! the proposal's `RE_INIT_ON_FLUSH` were set, which it is not by default; INIT carries the number of
//! the next frame, and its echo the last number in order; all frames are eligible. The timeouts for data age and for a
//! lost PCS are left out, and so is `DISCARD` as an action.

use kernel::Duration;
use parameters::{Bytes, parameters};

use super::{FlushAction, RetriedLink, RetryLimits};

parameters! {
    /// Link Layer Retry (LLR) in both directions, a profile after SAI 1.18: acknowledgments, go-back-N
    /// and a replay buffer at the sender of each direction.
    #[alias("go_back_n")]
    pub struct Llr {
        /// Frames that may be sent and not acknowledged; the default is the most with which numbers of
        /// 20 bits tell old frames from new ones.
        #[range(1, 524_287)]
        pub frames: u32 = 524_287,
        /// Octets of frames that may be sent and not acknowledged, the size of the replay buffer; if
        /// not given, what the link carries until the replay timer expires, and two of its largest
        /// packets.
        #[range("64 B", "1 GiB")]
        pub octets: Option<Bytes>,
        /// Replay timer: time without an acknowledgment after which the frames of the replay buffer
        /// are sent again; if not given, the longest time until an acknowledgment arrives.
        #[range("1 ns", "1 h")]
        pub timer: Option<Duration>,
        /// Replays without an acknowledgment between them; instead of another the sender gives up
        /// the frames.
        #[range(1, 255)]
        pub replays: u32 = 1,
        /// Octets that the link could carry from one acknowledgment to the next.
        #[range("8 B", "65535 B")]
        pub spacing: Bytes = "2048 B",
        /// Treatment of new packets from a flush until both ends have begun anew.
        pub flush_action: FlushAction = "best_effort",
    }
}

impl Llr {
    /// The limits on one link.
    pub fn build(&self, link: &RetriedLink) -> RetryLimits {
        let spacing = link.rate.transmission(8 * self.spacing.0);
        let timer = self.timer.unwrap_or_else(|| link.longest_answer(spacing));
        RetryLimits {
            frames: u64::from(self.frames),
            octets: self
                .octets
                .map_or_else(|| filling(link, timer), |octets| octets.0),
            largest: link.largest_frame(),
            timer,
            replays: self.replays,
            spacing,
            flush_action: self.flush_action,
        }
    }
}

/// Octets of a replay buffer that never keeps a sender waiting while acknowledgments arrive within
/// `timer` after the frames that they name: beside what the link carries in this time, the frame
/// that is being acknowledged, and the next frame.
fn filling(link: &RetriedLink, timer: Duration) -> u64 {
    let bits = u128::from(timer.ps()) * u128::from(link.rate.bits_per_second());
    let octets = bits.div_ceil(8 * 1_000_000_000_000);
    u64::try_from(octets).unwrap_or(u64::MAX / 2) + 2 * link.largest_frame()
}

#[cfg(test)]
mod tests {
    use kernel::Rate;
    use parameters::{understand, value};

    use super::*;

    const LINK: RetriedLink = RetriedLink {
        rate: Rate::from_bits_per_second(8_000_000_000),
        propagation: Duration::from_us(1),
        largest: 1000,
        control: 0,
    };

    #[test]
    fn the_defaults_follow_from_the_round_trip() {
        let llr: Llr = understand(&value!({})).expect("defaults");
        let limits = llr.build(&LINK);
        // An octet takes a nanosecond: 2 x 1000 ns of propagation, 2048 of spacing, 1000 for a
        // packet and 2 x 8 for ordered sets.
        assert_eq!(limits.timer, Duration::from_ps(5_064_000));
        assert_eq!(limits.octets, 5064 + 2 * 1000);
        assert_eq!(limits.spacing, Duration::from_ps(2_048_000));
        assert_eq!(
            (limits.replays, limits.flush_action),
            (1, FlushAction::BestEffort)
        );
    }

    #[test]
    fn written_limits_replace_the_computed_ones() {
        let written = value!({ octets = "9 kB", timer = "7 us", spacing = "8 B" });
        let llr: Llr = understand(&written).expect("limits");
        let limits = llr.build(&LINK);
        assert_eq!(limits.octets, 9000);
        assert_eq!(limits.timer, Duration::from_us(7));
        assert_eq!(limits.spacing, Duration::from_ps(8000));
    }
}
