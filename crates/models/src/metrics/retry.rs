//! Counts at one end of a link with retry. SAI 1.18 has most of them as `SAI_PORT_STAT_LLR_...`: see
//! `retry/llr.rs`; the table of metrics gives these names.

use kernel::{Duration, Time};

use super::metric::Measurement;
use super::table::link;

/// Counts at one end of a link with retry.
#[derive(Clone, Debug, Default)]
pub struct RetryMeter {
    counts: RetryCounts,
    /// Frames with packets sent for the first time since the start of the run.
    frames_ever: u64,
    /// Frames with packets accepted from the other end since the start of the run.
    accepted_ever: u64,
    /// Packets given up since the start of the run.
    given_up_ever: u64,
    /// Messages about credits sent as frames, less those accepted from the other end, since the start of
    /// the run.
    updates_ever: i64,
    /// Contents of packets that were copied, since the start of the run.
    copied_ever: u64,
    /// Contents of packets that were removed because another copy arrived or is kept, since the start
    /// of the run.
    removed_ever: u64,
    /// Time in which the link carries replays.
    replaying: BusyTime,
    /// Time in which the link carries replays and ordered sets.
    occupied: BusyTime,
}

/// The time that transmissions of one kind take, each of which is counted whole at its start.
#[derive(Clone, Copy, Debug, Default)]
struct BusyTime {
    counted: Duration,
    /// End of the last transmission.
    until: Time,
    /// Rest of a transmission when counting began.
    before: Duration,
}

impl BusyTime {
    fn begin(&mut self, now: Time) {
        self.counted = Duration::ZERO;
        self.before = self.until.since(now);
    }

    fn add(&mut self, until: Time, time: Duration) {
        self.counted += time;
        self.until = until;
    }

    /// The time since counting began and until `now`.
    fn at(&self, now: Time) -> Duration {
        self.before + self.counted - self.until.since(now)
    }
}

/// Counts since counting began.
#[derive(Clone, Copy, Debug, Default)]
struct RetryCounts {
    frames: u64,
    replayed: u64,
    lost: u64,
    acks: u64,
    nacks: u64,
    timeouts: u64,
    flushes: u64,
    given_up: u64,
    discarded: u64,
}

impl RetryMeter {
    /// Restarts the counts at `now`.
    pub fn begin(&mut self, now: Time) {
        self.counts = RetryCounts::default();
        self.replaying.begin(now);
        self.occupied.begin(now);
    }

    /// A frame with a packet is sent for the first time.
    pub fn send_frame(&mut self) {
        self.counts.frames += 1;
        self.frames_ever += 1;
    }

    /// A frame with a message about credits is sent for the first time.
    pub fn send_update(&mut self) {
        self.counts.frames += 1;
        self.updates_ever += 1;
    }

    /// An ACK is sent.
    pub fn send_ack(&mut self) {
        self.counts.acks += 1;
    }

    /// A NACK is sent.
    pub fn send_nack(&mut self) {
        self.counts.nacks += 1;
    }

    /// A frame is replayed, which takes the link for this time, until `until`.
    pub fn replay(&mut self, until: Time, time: Duration) {
        self.counts.replayed += 1;
        self.replaying.add(until, time);
    }

    /// A replay or an ordered set takes the link for this time, until `until`.
    pub fn occupy(&mut self, until: Time, time: Duration) {
        self.occupied.add(until, time);
    }

    /// A frame is lost on the link, or damaged.
    pub fn lose(&mut self) {
        self.counts.lost += 1;
    }

    /// The replay timer expires.
    pub fn time_out(&mut self) {
        self.counts.timeouts += 1;
    }

    /// The frames of the replay buffer are about to be given up.
    pub fn flush(&mut self) {
        self.counts.flushes += 1;
    }

    /// A packet is given up.
    pub fn give_up(&mut self) {
        self.counts.given_up += 1;
        self.given_up_ever += 1;
    }

    /// A message about credits is given up.
    pub fn give_up_update(&mut self) {
        self.counts.given_up += 1;
    }

    /// A frame of the other end with a packet is accepted.
    pub fn accept(&mut self) {
        self.accepted_ever += 1;
    }

    /// A frame of the other end with a message about credits is accepted.
    pub fn accept_update(&mut self) {
        self.updates_ever -= 1;
    }

    /// A frame of the other end is not the expected one.
    pub fn discard(&mut self) {
        self.counts.discarded += 1;
    }

    /// The contents of a packet are copied.
    pub fn copy(&mut self) {
        self.copied_ever += 1;
    }

    /// The contents of a packet are removed, because another copy arrived or is kept.
    pub fn remove(&mut self) {
        self.removed_ever += 1;
    }

    /// Copies of contents, less those removed again, since the start of the run.
    pub fn extra_copies(&self) -> i64 {
        self.copied_ever as i64 - self.removed_ever as i64
    }

    /// Messages about credits sent as frames, less those accepted from the other end, since the start of
    /// the run: of all ends together, those that have not arrived, or were given up.
    pub fn updates_ever(&self) -> i64 {
        self.updates_ever
    }

    /// Frames with packets accepted from the other end since the start of the run.
    pub fn accepted_ever(&self) -> u64 {
        self.accepted_ever
    }

    /// Frames with packets sent since the start of the run, without those that were given up.
    pub fn kept_ever(&self) -> u64 {
        self.frames_ever - self.given_up_ever
    }

    /// Time until `now` in which the link carried replays and ordered sets.
    pub fn occupied(&self, now: Time) -> Duration {
        self.occupied.at(now)
    }

    /// Metrics until `now` with their values, over the measured time `span`.
    pub fn metrics(&self, now: Time, span: Duration) -> Vec<Measurement> {
        let counts = &self.counts;
        let share = |time: Duration| time.seconds() / span.seconds();
        let mut metrics = vec![
            (link::retry_share, share(self.occupied(now))),
            (link::replay_share, share(self.replaying.at(now))),
            (link::frames_replayed, counts.replayed as f64),
        ];
        if counts.frames > 0 {
            let ratio = counts.replayed as f64 / counts.frames as f64;
            metrics.push((link::replay_ratio, ratio));
        }
        let transmissions = counts.frames + counts.replayed;
        metrics.push((link::frames_lost, counts.lost as f64));
        if transmissions > 0 {
            let ratio = counts.lost as f64 / transmissions as f64;
            metrics.push((link::frame_loss_ratio, ratio));
            metrics.push((link::transmissions, transmissions as f64));
        }
        metrics.extend([
            (link::frames_sent, counts.frames as f64),
            (link::frames_given_up, counts.given_up as f64),
            (link::frames_discarded, counts.discarded as f64),
            (link::acks_sent, counts.acks as f64),
            (link::nacks_sent, counts.nacks as f64),
            (link::replay_timeouts, counts.timeouts as f64),
            (link::flushes, counts.flushes as f64),
        ]);
        metrics
    }
}
