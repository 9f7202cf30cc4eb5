//! The state of a receiver that tunes its window: `Autotuned` has the rules and their sources.

use kernel::{Duration, Time};

/// Octets of a segment from which the window grows by its arrival in order: `tcp_event_data_recv`.
const LEAST_GROWING: u64 = 128;

/// Shortest size that counts as a full segment, if segments are not smaller: `TCP_MSS_DEFAULT`.
const LEAST_FULL: u64 = 536;

/// Segments that the application is taken to have read in the round trip before the first:
/// `TCP_INIT_CWND`, `tcp_init_buffer_space`.
const FIRST_COPIED: u64 = 10;

/// Segments that the window has beyond twice what is read in a round trip, until Linux 6.15.
const CUSHION: u64 = 16;

/// Shortest round-trip time that time stamps give: their clock ticks in milliseconds, and a time of no
/// tick counts as one (`tcp_rtt_tsopt_us`).
const LEAST_STAMPED: Duration = Duration::from_ms(1);

/// The window of one receiver. Octets are user data, counted from the start of the connection.
#[derive(Clone, Copy, Debug)]
pub struct Tuning {
    mss: u64,
    /// Largest window for which a buffer is ever large enough.
    most: u64,
    /// Window for which the buffer is large enough: `window_clamp`.
    space: u64,
    /// The same of the first buffer once a segment has shown its overhead.
    measured: Option<u64>,
    /// Largest window that is offered: `rcv_ssthresh`.
    offered: u64,
    /// Octets of the largest segment, which counts as full: `rcv_mss`.
    full: u64,
    round_trip: RoundTrip,
    /// Octets read in the last round trip that counted: `rcvq_space.space`.
    copied: u64,
    /// Octets that had been read at the start of the present one, and its time: `rcvq_space`.
    since: Option<(u64, Time)>,
}

impl Tuning {
    /// The window of a receiver of segments of `mss` octets before the first, which offers `window`
    /// octets in whole segments of a `first` buffer.
    pub fn new(mss: u64, window: u64, first: u64, most: u64) -> Tuning {
        // `tcp_init_buffer_space` reserves a segment.
        let space = first.saturating_sub(mss).max(2 * mss).min(most);
        let offered = window.min(space);
        Tuning {
            mss,
            most,
            space,
            measured: Some((2 * first * 219 / 256).min(most)),
            offered,
            full: LEAST_FULL.min(mss),
            round_trip: RoundTrip::default(),
            copied: offered.min(FIRST_COPIED * mss),
            since: None,
        }
    }

    /// Window for which the buffer has room while it is empty.
    pub fn space(&self) -> u64 {
        self.space
    }

    /// Largest window that is offered now.
    pub fn offered(&self) -> u64 {
        self.offered
    }

    /// A segment of data arrives, which echoes that an acknowledgment left at `echo`:
    /// `tcp_rcv_rtt_measure_ts`, `tcp_measure_rcv_mss`.
    pub fn on_segment(&mut self, now: Time, len: u64, echo: Option<Time>) {
        if let Some(echo) = echo
            && self.round_trip.echo.replace(echo) != Some(echo)
            && len >= self.full
        {
            let rtt = now.since(echo).max(LEAST_STAMPED);
            self.round_trip.take_stamped(rtt);
        }
        if len > self.full {
            self.full = len;
            if let Some(measured) = self.measured.take() {
                self.space = self.space.max(measured);
            }
        }
    }

    /// New data arrives in order, after which all octets below `next` have arrived; the latest
    /// acknowledgment offered a window of `window`. Returns true if more will be offered.
    pub fn on_data(&mut self, now: Time, len: u64, next: u64, window: u64) -> bool {
        self.round_trip.on_data(now, next, window);
        len >= LEAST_GROWING && self.grow(len)
    }

    /// Makes room for two segments more: `tcp_grow_window`. Returns true if more will be offered.
    pub fn grow(&mut self, len: u64) -> bool {
        let room = self.space.saturating_sub(self.offered);
        self.offered += room.min(2 * self.mss.max(len));
        room > 0
    }

    /// The application has read all octets below `read`: `tcp_rcv_space_adjust`.
    pub fn on_read(&mut self, now: Time, read: u64) {
        let (from, since) = *self.since.get_or_insert((0, now));
        let Some(rtt) = self.round_trip.estimate() else {
            return;
        };
        if now.since(since) < rtt {
            return;
        }
        self.since = Some((read, now));
        let copied = read - from;
        if copied <= self.copied {
            return;
        }
        self.space = self.space.max(self.most.min(self.room_for(copied)));
        self.copied = copied;
    }

    /// Window for a sender of whose data `copied` octets were read in a round trip: twice as much, for
    /// the round trip after a loss, and more while that grows.
    fn room_for(&self, copied: u64) -> u64 {
        let window = 2 * copied + CUSHION * self.mss;
        let grown = u128::from(window) * u128::from(copied - self.copied);
        let grown = grown / u128::from(self.copied.max(1));
        window.saturating_add(2 * u64::try_from(grown).unwrap_or(u64::MAX / 4))
    }
}

/// The round-trip time as a receiver of data can measure it: from an acknowledgment to the first data
/// whose time stamp echoes it, or the time for a window of data, if that is less.
#[derive(Clone, Copy, Debug, Default)]
struct RoundTrip {
    /// Eight times the estimate in picoseconds; zero before the first sample.
    eightfold: u64,
    /// The latest echo.
    echo: Option<Time>,
    /// End of the window that was offered at a time.
    window: Option<(u64, Time)>,
}

impl RoundTrip {
    fn estimate(&self) -> Option<Duration> {
        (self.eightfold > 0).then(|| Duration::from_ps(self.eightfold / 8))
    }

    /// A sample of time stamps, which is smoothed.
    fn take_stamped(&mut self, rtt: Duration) {
        self.eightfold = match self.eightfold {
            0 => 8 * rtt.ps(),
            before => before - before / 8 + rtt.ps(),
        };
    }

    /// All octets below `next` have arrived: `tcp_rcv_rtt_measure`. A window takes a round trip or more,
    /// so only the least counts.
    fn on_data(&mut self, now: Time, next: u64, window: u64) {
        if let Some((end, since)) = self.window {
            if next < end {
                return;
            }
            let sample = 8 * now.since(since).ps().max(1);
            if self.eightfold == 0 || sample < self.eightfold {
                self.eightfold = sample;
            }
        }
        self.window = Some((next + window, now));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MSS: u64 = 1460;

    fn at(ms: u64) -> Time {
        Time::ZERO + Duration::from_ms(ms)
    }

    fn tuning() -> Tuning {
        Tuning::new(MSS, 64_240, 65_536, 5_400_000)
    }

    /// A segment reserved of the first 65,536 octets, and then 219/256 of 128 KiB, by two segments
    /// for each that arrives.
    #[test]
    fn the_window_grows_by_two_segments_a_segment_up_to_the_first_buffer() {
        let mut tuning = tuning();
        assert_eq!((tuning.space(), tuning.offered()), (64_076, 64_076));
        assert!(!tuning.on_data(at(0), MSS, MSS, 64_240));
        let mut offered = Vec::new();
        for segment in 1..=18 {
            tuning.on_segment(at(0), MSS, None);
            tuning.on_data(at(0), MSS, segment * MSS, 64_240);
            offered.push(tuning.offered());
        }
        assert_eq!(offered[..3], [66_996, 69_916, 72_836]);
        assert_eq!(offered[15..], [110_796, 112_128, 112_128]);
        assert!(!tuning.on_data(at(0), 127, 20 * MSS, 64_240));
    }

    /// The vector of `tcp_rcv_space_adjust` until Linux 6.15.
    #[test]
    fn the_buffer_follows_what_is_read_in_a_round_trip() {
        let mut tuning = tuning();
        tuning.on_segment(at(100), MSS, Some(at(0)));
        let (mut read, mut now) = (0, at(100));
        tuning.on_read(now, read);
        let spaces = [29_200, 58_400, 116_800, 233_600, 467_200].map(|copied| {
            (read, now) = (read + copied, now + Duration::from_ms(100));
            // Nothing counts before a round trip has passed.
            tuning.on_read(now - Duration::from_ms(1), read - 1);
            tuning.on_read(now, read);
            tuning.space()
        });
        assert_eq!(spaces, [245_280, 420_480, 770_880, 1_471_680, 2_873_280]);
        // No more than before: the buffer stays.
        tuning.on_read(now + Duration::from_ms(100), read + 467_200);
        assert_eq!(tuning.space(), 2_873_280);
        tuning.on_read(now + Duration::from_ms(200), read + 9_000_000);
        assert_eq!(tuning.space(), 5_400_000);
    }

    #[test]
    fn samples_of_time_stamps_are_smoothed_and_those_of_windows_only_lower() {
        let mut round_trip = RoundTrip::default();
        assert_eq!(round_trip.estimate(), None);
        round_trip.on_data(at(0), 0, 1000);
        round_trip.on_data(at(20), 999, 1000);
        assert_eq!(round_trip.estimate(), None);
        round_trip.on_data(at(30), 1000, 1000);
        assert_eq!(round_trip.estimate(), Some(Duration::from_ms(30)));
        round_trip.on_data(at(70), 2000, 1000);
        assert_eq!(round_trip.estimate(), Some(Duration::from_ms(30)));
        round_trip.take_stamped(Duration::from_ms(14));
        assert_eq!(round_trip.estimate(), Some(Duration::from_ms(28)));
        round_trip.on_data(at(80), 3000, 1000);
        assert_eq!(round_trip.estimate(), Some(Duration::from_ms(10)));
    }

    #[test]
    fn an_echo_counts_once_and_lasts_a_tick_at_least() {
        let mut tuning = tuning();
        tuning.on_segment(at(10), 100, Some(at(0)));
        assert_eq!(tuning.round_trip.estimate(), None, "a small segment");
        tuning.on_segment(at(20), MSS, Some(at(20)));
        assert_eq!(tuning.round_trip.estimate(), Some(Duration::from_ms(1)));
        tuning.on_segment(at(90), MSS, Some(at(20)));
        assert_eq!(tuning.round_trip.estimate(), Some(Duration::from_ms(1)));
    }
}
