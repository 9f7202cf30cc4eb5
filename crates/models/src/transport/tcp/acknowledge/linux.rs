//! The acknowledgments of Linux: at once at first and after a pause, then for every second full
//! segment or after 40 ms; and bundles of SACK blocks while data is missing.
//!
//! Linux 6.6: `tcp_event_data_recv`, `tcp_incr_quickack`, `__tcp_ack_snd_check` (`tcp_input.c`) and
//! `tcp_send_delayed_ack` (`tcp_output.c`); RFC 5681, section 4.2, permits all of it but the bundles,
//! which are of Linux 4.18 and acknowledge the first three segments beyond a hole at once.
//!
//! A receiver whose window still grows acknowledges each segment at once (`tcp_grow_window`).
//!
//! Departs from Linux, where the delay follows the gaps between segments: from 20 to 40 ms between
//! two of them, it rises to 80 ms. A receiver here learns the round-trip time only from a handshake,
//! as the time from its answer to the first data; without one, a pause is a second, and a bundle takes
//! its longest delay. Left out: the quick acknowledgments after data that arrives twice and after the
//! first mark.

use kernel::{Duration, Time};
use parameters::{Fraction, parameters};

use super::{Acknowledge, Reception};

parameters! {
    /// Linux: acknowledgments at once at first and after a pause, then for every second full segment
    /// or after a delay; SACK blocks in bundles.
    pub struct LinuxAcknowledge {
        /// Acknowledgments at once at the start and after a pause of a timeout, at most
        /// (`TCP_MAX_QUICKACKS`).
        #[range(0, 1000)]
        pub quick: u32 = 16,
        /// Delay of an acknowledgment (`TCP_ATO_MIN`).
        #[range("1 us", "10 s")]
        pub delay: Duration = "40 ms",
        /// Bundles of acknowledgments while data is missing.
        pub compress: Compress = {},
    }

    /// Bundles of acknowledgments beyond a hole, after the third of them.
    pub struct Compress {
        /// Longest time that such an acknowledgment waits, as a share of the round-trip time; 0 %
        /// turns bundles off.
        pub share: Fraction = "5 %",
        /// Longest time that it waits (`tcp_comp_sack_delay_ns`).
        #[range("1 us", "1 s")]
        pub most: Duration = "1 ms",
        /// Largest number of acknowledgments in a bundle (`tcp_comp_sack_nr`).
        #[range(1, 255)]
        pub count: u32 = 44,
    }
}

/// Acknowledgments beyond a hole that are never bundled, so that a loss is noticed at once
/// (`TCP_FASTRETRANS_THRESH`).
const AT_ONCE: u32 = 3;

/// Shortest size that counts as a full segment, if segments are not smaller (`TCP_MSS_DEFAULT`).
const LEAST_FULL: u64 = 536;

/// The timeout of a receiver: before it knows a round-trip time, and what it adds to one.
const UNKNOWN_TIMEOUT: Duration = Duration::from_ms(1_000);
const ABOVE_ROUND_TRIP: Duration = Duration::from_ms(200);

impl LinuxAcknowledge {
    /// The policy of one receiver.
    pub fn build(&self, reception: &Reception) -> Box<dyn Acknowledge> {
        // `tcp_incr_quickack`: a half of the window, in segments, and two where it holds fewer.
        let half = (reception.window / (2 * reception.mss)).max(2);
        Box::new(State {
            quick_at_first: self.quick.min(half as u32),
            spec: self.clone(),
            full: LEAST_FULL.min(reception.mss),
            answered: None,
            round_trip: None,
            last: None,
            quick: 0,
            has_grown: false,
            unacknowledged: 0,
            delayed: Time::NEVER,
            hole: Hole::default(),
        })
    }
}

struct State {
    spec: LinuxAcknowledge,
    quick_at_first: u32,
    /// Largest segment so far, which counts as full.
    full: u64,
    /// Time at which a SYN was answered, until data arrives.
    answered: Option<Time>,
    round_trip: Option<Duration>,
    /// Time of the latest data.
    last: Option<Time>,
    /// Acknowledgments that still leave at once.
    quick: u32,
    /// True if the data that is taken has made the window grow.
    has_grown: bool,
    /// Octets that arrived in order since the last acknowledgment.
    unacknowledged: u64,
    /// Expiry of the delay, and of the bundle of [`Hole`].
    delayed: Time,
    hole: Hole,
}

/// Acknowledgments while data is missing.
#[derive(Clone, Copy, Debug)]
struct Hole {
    /// First octet that is missing.
    start: u64,
    /// Acknowledgments for this hole that have left at once.
    at_once: u32,
    /// Acknowledgments in the present bundle, and its end.
    bundled: u32,
    until: Time,
}

impl Default for Hole {
    fn default() -> Hole {
        Hole {
            start: 0,
            at_once: 0,
            bundled: 0,
            until: Time::NEVER,
        }
    }
}

impl State {
    /// Data arrives: `tcp_event_data_recv`.
    fn arrived(&mut self, now: Time) {
        if let Some(answered) = self.answered.take() {
            self.round_trip = Some(now.since(answered));
        }
        let pause = self
            .round_trip
            .map_or(UNKNOWN_TIMEOUT, |round_trip| round_trip + ABOVE_ROUND_TRIP);
        if self.last.is_none_or(|last| now.since(last) > pause) {
            self.quick = self.quick.max(self.quick_at_first);
        }
        self.last = Some(now);
        // As `icsk_ack.quick |= 1`: at least one, and a number that is odd.
        self.quick |= u32::from(std::mem::take(&mut self.has_grown));
    }

    /// Time that the acknowledgments of a bundle wait.
    fn bundle(&self) -> Duration {
        let most = self.spec.compress.most;
        let share = self.spec.compress.share.0;
        self.round_trip.map_or(most, |round_trip| {
            most.min(Duration::from_seconds_f64(round_trip.seconds() * share))
        })
    }
}

impl Acknowledge for State {
    fn on_opening(&mut self, now: Time) {
        self.answered = Some(now);
    }

    fn on_data(&mut self, now: Time, octets: u64) -> bool {
        self.arrived(now);
        self.full = self.full.max(octets);
        if self.unacknowledged == 0 {
            self.delayed = now + self.spec.delay;
        }
        self.unacknowledged += octets;
        self.unacknowledged > self.full || self.quick > 0
    }

    fn on_hole(&mut self, now: Time, start: u64) -> bool {
        self.arrived(now);
        let compress = &self.spec.compress;
        if self.hole.start != start {
            (self.hole.start, self.hole.at_once) = (start, 0);
        }
        if self.hole.at_once < AT_ONCE {
            self.hole.at_once += 1;
            return true;
        }
        let is_off = compress.share.0 == 0.0;
        if is_off || self.quick > 0 || self.hole.bundled >= compress.count {
            return true;
        }
        if self.hole.bundled == 0 {
            self.hole.until = now + self.bundle();
        }
        self.hole.bundled += 1;
        false
    }

    fn on_growth(&mut self) {
        self.has_grown = true;
    }

    fn on_sent(&mut self) {
        self.quick = self.quick.saturating_sub(1);
        self.unacknowledged = 0;
        self.delayed = Time::NEVER;
        (self.hole.bundled, self.hole.until) = (0, Time::NEVER);
    }

    fn deadline(&self) -> Time {
        self.delayed.min(self.hole.until)
    }
}

#[cfg(test)]
mod tests {
    use parameters::ParameterTable;

    use super::*;

    fn at(us: u64) -> Time {
        Time::ZERO + Duration::from_us(us)
    }

    fn policy() -> Box<dyn Acknowledge> {
        let seed = kernel::Seed {
            seed: 1,
            replication: 0,
        };
        LinuxAcknowledge::defaults().build(&Reception {
            mss: 1460,
            window: 64_240,
            random: seed.stream("f", "clock"),
        })
    }

    /// True for each of `count` full segments, `apart` us from one another, that is acknowledged at
    /// once.
    fn at_once(policy: &mut dyn Acknowledge, from: u64, count: u64, apart: u64) -> Vec<bool> {
        let answers = (0..count).map(|segment| {
            let answers = policy.on_data(at(from + segment * apart), 1460);
            if answers {
                policy.on_sent();
            }
            answers
        });
        answers.collect()
    }

    #[test]
    fn the_first_sixteen_and_those_after_a_pause_are_acknowledged_at_once() {
        let mut policy = policy();
        policy.on_opening(at(0));
        assert_eq!(at_once(&mut *policy, 100_000, 16, 10), [true; 16]);
        assert_eq!(
            at_once(&mut *policy, 100_200, 4, 10),
            [false, true, false, true]
        );
        // A timeout is 300 ms.
        assert_eq!(at_once(&mut *policy, 390_000, 2, 10), [false, true]);
        assert_eq!(at_once(&mut *policy, 700_000, 16, 10), [true; 16]);
        assert!(!policy.on_data(at(701_000), 1460));
        assert_eq!(policy.deadline(), at(741_000));
    }

    #[test]
    fn a_segment_that_makes_the_window_grow_is_acknowledged_at_once() {
        let mut policy = policy();
        at_once(&mut *policy, 0, 17, 10);
        policy.on_sent();
        for segment in 0..3 {
            policy.on_growth();
            assert_eq!(at_once(&mut *policy, 200 + segment, 1, 0), [true]);
        }
        assert_eq!(at_once(&mut *policy, 300, 2, 10), [false, true]);
    }

    #[test]
    fn the_fourth_acknowledgment_beyond_a_hole_waits_for_a_twentieth_of_a_round_trip() {
        let mut policy = policy();
        policy.on_opening(at(0));
        at_once(&mut *policy, 10_000, 17, 10);
        policy.on_sent();
        let answers = [0, 1, 2, 3, 4].map(|segment| {
            let answers = policy.on_hole(at(20_000 + segment), 100_000);
            if answers {
                policy.on_sent();
            }
            answers
        });
        assert_eq!(answers, [true, true, true, false, false]);
        // A twentieth of 10 ms.
        assert_eq!(policy.deadline(), at(20_503));
        policy.on_sent();
        let most = (0..45).filter(|_| !policy.on_hole(at(21_000), 100_000));
        assert_eq!(most.count(), 44);
        // Another hole.
        assert!(policy.on_hole(at(22_000), 200_000));
    }
}
