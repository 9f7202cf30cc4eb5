//! BBR, version 1: a model of the path, its bottleneck bandwidth and its round-trip time, in place
//! of losses.
//!
//! Cardwell, Cheng, Gunn, Hassas Yeganeh and Jacobson, "BBR: Congestion-Based Congestion Control", ACM
//! Queue 14(5), 2016; Cardwell, Cheng, Hassas Yeganeh and Jacobson, "BBR Congestion Control",
//! draft-cardwell-iccrg-bbr-congestion-control-00, 2017, whose sections are cited; what Linux has
//! beyond it is in files of its own. Marks reduce nothing. The data in flight is what the recovery
//! estimates: without what the receiver has reported and what is lost, as in Linux.
//!
//! The delivery rate and the rate of the model are those of user data. Segments leave with their
//! headers, so the pacing rate is larger by these. As in that draft, a flow paces at the estimated
//! bandwidth itself; its revision 02, section 4.6.2, and Linux pace 1 % below it.

mod aggregation;
mod bandwidth;
mod policer;
mod round_trip;
mod window;

use kernel::{Duration, Rate, Seed, Stream, Time};
use parameters::parameters;

use self::aggregation::Aggregation;
use self::bandwidth::Bandwidth;
use self::policer::LongTerm;
use self::window::Repair;
use super::{Ack, CongestionControl, CongestionEvent, CongestionKind, Delivery, Limits};
use super::{LossRecovery, Prior, Recovery, Reports};

parameters! {
    /// BBR, version 1: paces at the bottleneck bandwidth, with two bandwidth-delay products
    /// outstanding at most.
    pub struct Bbr {
        /// Loss recovery; by default the one with which hosts run BBR.
        pub recovery: LossRecovery = "rack",
        /// True if the flow looks for policers, which drop what exceeds their tokens. It keeps to a rate
        /// for 48 rounds, as in Linux, if two intervals of at least four rounds have that rate in common
        /// and lose at least 50 octets for 256 delivered, 16 % of what is sent.
        pub long_term: bool = true,
    }
}

/// 2 / ln 2, the least gain that doubles the sending rate each round: section 4.3.2.
const HIGH_GAIN: f64 = 2.885;

/// Pacing gains of the cycle in `ProbeBW`: section 4.3.4.
const CYCLE: [f64; 8] = [1.25, 0.75, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0];

/// Phases in which a cycle may begin: all but the one that drains the queue, section 4.3.4.
const FIRST_PHASES: [usize; 7] = [0, 2, 3, 4, 5, 6, 7];

/// Segments outstanding at least, and while the round-trip time is measured anew: section 4.2.3.
const FEWEST: u64 = 4;

impl Bbr {
    /// The algorithm for one sender.
    pub fn build(&self, limits: &Limits) -> Box<dyn CongestionControl> {
        Box::new(self.state(limits))
    }

    fn state(&self, limits: &Limits) -> State {
        let unused = Seed {
            seed: 0,
            replication: 0,
        };
        let initial = limits.initial.min(limits.window) as f64;
        State {
            limits: *limits,
            mss: limits.mss as f64,
            most: limits.window as f64,
            cwnd: initial,
            initial,
            ssthresh: limits.ssthresh,
            random: unused.stream("", "congestion control"),
            bandwidth: Bandwidth::default(),
            aggregation: Aggregation::default(),
            long_term: self.long_term.then(Box::default),
            least: None,
            least_at: Time::ZERO,
            phase: Phase::Startup,
            gain: HIGH_GAIN,
            window_gain: HIGH_GAIN,
            full: 0.0,
            full_rounds: 0,
            is_filled: false,
            probed: None,
            prior: 0.0,
            repair: Repair::None,
            paced: 0.0,
        }
    }
}

impl CongestionKind for Bbr {
    fn recovery(&self) -> Box<dyn Recovery> {
        self.recovery.build()
    }

    fn reports(&self) -> Option<Reports> {
        self.recovery.reports()
    }

    fn needs_exact_marks(&self) -> bool {
        false
    }

    fn paces(&self) -> bool {
        true
    }
}

/// The state machine: section 4.3.1.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Phase {
    Startup,
    Drain,
    ProbeBw {
        /// Place in [`CYCLE`], and the time of its beginning.
        place: usize,
        since: Time,
    },
    ProbeRtt {
        /// Earliest end of the probe, once few enough segments are outstanding.
        until: Option<Time>,
        /// True once a round has ended since then.
        had_round: bool,
    },
}

struct State {
    limits: Limits,
    mss: f64,
    most: f64,
    /// Windows in octets.
    initial: f64,
    cwnd: f64,
    ssthresh: u64,
    random: Stream,
    bandwidth: Bandwidth,
    aggregation: Aggregation,
    /// The long-term bandwidth, if the flow looks for policers.
    long_term: Option<Box<LongTerm>>,
    /// `BBR.RTprop`, and the time at which it was measured.
    least: Option<Duration>,
    least_at: Time,
    phase: Phase,
    gain: f64,
    window_gain: f64,
    /// Largest rate of the start, and rounds in which it has not grown by a quarter.
    full: f64,
    full_rounds: u32,
    is_filled: bool,
    /// Octets that had been delivered when the last probe of the round-trip time began, and those
    /// until whose delivery the samples of data that it sent come in.
    probed: Option<(u64, u64)>,
    /// `BBR.prior_cwnd`: window before a recovery, a timeout or a probe of the round-trip time, to
    /// which it returns. Never cleared, because one of them may end within another.
    prior: f64,
    repair: Repair,
    /// Rate at which user data leaves in bit/s; zero before the first round-trip time.
    paced: f64,
}

impl State {
    /// A multiple of the bandwidth-delay product in octets, and three segments: section 4.2.3.
    fn product(&self, gain: f64) -> f64 {
        self.product_of(self.bandwidth.rate(), gain)
    }

    fn product_of(&self, rate: f64, gain: f64) -> f64 {
        self.least.map_or(self.cwnd, |least| {
            gain * rate * least.seconds() / 8.0 + 3.0 * self.mss
        })
    }

    /// The bandwidth at which the flow sends, in bit/s: `bbr_bw` of Linux.
    fn rate(&self) -> f64 {
        self.policed().unwrap_or_else(|| self.bandwidth.rate())
    }

    /// Section 4.3.2: the pipe is full after three rounds without a quarter more.
    fn look_for_plateau(&mut self) {
        if self.bandwidth.rate() >= 1.25 * self.full {
            (self.full, self.full_rounds) = (self.bandwidth.rate(), 0);
        } else {
            self.full_rounds += 1;
            self.is_filled |= self.full_rounds >= 3;
        }
    }

    /// Sections 4.3.2 to 4.3.4.
    fn change_phase(&mut self, sample: &Delivery) {
        if self.phase == Phase::Startup && self.is_filled {
            (self.phase, self.gain) = (Phase::Drain, 1.0 / HIGH_GAIN);
            // The end of slow start, as far as a sender has one.
            self.ssthresh = (self.product(1.0) as u64).max(2 * self.mss as u64);
        }
        if self.phase == Phase::Drain && sample.in_flight as f64 <= self.product(1.0) {
            self.probe_bandwidth(sample.now);
        }
        if let Phase::ProbeBw { place, since } = self.phase {
            self.advance_cycle(sample, place, since);
        }
    }

    fn probe_bandwidth(&mut self, now: Time) {
        let chosen = self.random.below(FIRST_PHASES.len() as u64) as usize;
        self.window_gain = 2.0;
        self.begin_phase(now, FIRST_PHASES[chosen]);
    }

    fn begin_phase(&mut self, now: Time, place: usize) {
        self.phase = Phase::ProbeBw { place, since: now };
        // A policer drops what a higher rate would send.
        self.gain = self.policed().map_or(CYCLE[place], |_| 1.0);
    }

    /// Section 4.3.4: a phase lasts a round-trip time; a probe goes on until it fills the path or
    /// loses, and the phase after it ends early once the queue is gone.
    fn advance_cycle(&mut self, sample: &Delivery, place: usize, since: Time) {
        let is_long = self.least.is_some_and(|least| sample.now > since + least);
        let flight = sample.in_flight as f64;
        let ends = if self.gain > 1.0 {
            is_long && (sample.lost > 0 || flight >= self.product(self.gain))
        } else if self.gain < 1.0 {
            is_long || flight <= self.product(1.0)
        } else {
            is_long
        };
        if ends {
            self.begin_phase(sample.now, (place + 1) % CYCLE.len());
        }
    }

    fn is_probing_bandwidth(&self) -> bool {
        matches!(self.phase, Phase::ProbeBw { .. })
    }

    /// True if the rate of a sample says nothing about the path: the application limited it, or the
    /// few segments of `ProbeRTT` did (section 4.3.5: "ignore low rate samples").
    fn is_limited(&self, sample: &Delivery) -> bool {
        let is_of_probe = self.probed.is_some_and(|(from, until)| {
            from <= sample.prior_delivered && sample.prior_delivered <= until
        });
        sample.is_app_limited || is_of_probe
    }

    /// Section 4.2.1: the rate of an initial window in a round-trip time at first; until the pipe is
    /// full, the rate only grows.
    ///
    /// Departs from that section, which assumes a round-trip time of 1 ms at first: segments are not
    /// paced before the first round-trip time is known.
    fn pace(&mut self, sample: &Delivery) {
        if self.paced == 0.0
            && let Some(rtt) = sample.rtt
        {
            self.paced = HIGH_GAIN * self.initial * 8.0 / rtt.seconds();
        }
        let rate = self.gain * self.rate();
        if self.paced > 0.0 && rate > 0.0 && (self.is_filled || rate > self.paced) {
            self.paced = rate;
        }
    }

    fn fewest(&self) -> f64 {
        FEWEST as f64 * self.mss
    }

    fn lower_threshold(&mut self) {
        self.ssthresh = self.ssthresh.min(self.cwnd()).max(2 * self.mss as u64);
    }
}

impl CongestionControl for State {
    /// The window follows the delivery of data only.
    fn on_ack(&mut self, _ack: &Ack) {}

    fn rests(&self) -> bool {
        // Linux, `tcp_slow_start_after_idle_check` and `tcp_cwnd_validate`.
        false
    }

    /// A loss is no sign of congestion: the window returns to its size after the recovery.
    fn on_loss(&mut self, _event: &CongestionEvent) {
        self.save_window();
        self.notice_loss();
        self.lower_threshold();
    }

    /// Section 4.2.3.4: one segment, and growth from there. The rate may grow again by a quarter, as
    /// after a start (`bbr_set_state` of Linux): the flat rounds before it say nothing.
    fn on_timeout(&mut self, event: &CongestionEvent) {
        self.save_window();
        self.lower_threshold();
        self.full = 0.0;
        self.cwnd = self.mss;
        self.repair = Repair::TimedOut;
        let (mss, probes) = (self.limits.mss, self.is_probing_bandwidth());
        let change = self
            .long_term
            .as_mut()
            .map(|known| known.on_timeout(mss, probes));
        self.police(event.now, change);
    }

    fn on_mark(&mut self, _event: &CongestionEvent) {
        self.lower_threshold();
    }

    /// Section 4.1: the model first, then the rate and the window.
    fn on_delivery(&mut self, sample: &Delivery) {
        let ends_round = self.bandwidth.ends_round(sample);
        let is_limited = self.is_limited(sample);
        let probes = self.is_probing_bandwidth();
        let change = self.long_term.as_mut();
        let change = change.map(|known| known.take(sample, ends_round, is_limited, probes));
        self.police(sample.now, change);
        self.bandwidth.take(sample, is_limited);
        let (rate, cwnd) = (self.rate(), self.cwnd);
        self.aggregation
            .take(sample, ends_round, rate, cwnd, self.mss);
        if ends_round && !is_limited {
            self.look_for_plateau();
        }
        self.change_phase(sample);
        self.take_round_trip(sample, ends_round);
        self.pace(sample);
        self.modulate(sample, ends_round);
        self.set_window(sample);
    }

    fn cwnd(&self) -> u64 {
        self.cwnd.max(self.mss) as u64
    }

    fn pacing_rate(&self) -> Option<Rate> {
        (self.paced > 0.0).then(|| self.limits.pacing_rate(self.paced))
    }

    /// The end of a recovery sets no window here: the sample that follows restores it.
    fn resume_from(&mut self, octets: u64) {
        if self.repair == Repair::None {
            self.cwnd = (octets as f64).max(self.mss);
        }
    }

    /// `bbr_undo_cwnd` of Linux: the start, if it is not over, looks for its end anew.
    fn undo(&mut self, prior: &Prior) {
        (self.full, self.full_rounds) = (0.0, 0);
        if let Some(known) = &mut self.long_term {
            known.forget();
        }
        self.cwnd = self.cwnd.max(prior.cwnd as f64);
    }

    fn ssthresh(&self) -> u64 {
        self.ssthresh
    }

    fn wants_delivery(&self) -> bool {
        true
    }

    fn use_stream(&mut self, random: Stream) {
        self.random = random;
    }
}

#[cfg(test)]
mod tests;
