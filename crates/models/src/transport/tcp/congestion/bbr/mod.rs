//! BBR, version 1: a model of the path, its bottleneck bandwidth and its round-trip time, in place
//! of losses.
//!
//! Cardwell, Cheng, Gunn, Hassas Yeganeh and Jacobson, "BBR: Congestion-Based Congestion Control", ACM
//! Queue 14(5), 2016; Cardwell, Cheng, Hassas Yeganeh and Jacobson, "BBR Congestion Control",
//! draft-cardwell-iccrg-bbr-congestion-control-00, 2017, whose sections are cited. Left out: the
//! long-term bandwidth of policers. Marks reduce nothing. The data in flight is what the recovery
//! estimates: without what the receiver has reported and what is lost, as in Linux.
//!
//! The delivery rate and the rate of the model are those of user data. Segments leave with their
//! headers, so the pacing rate is larger by these. As in that draft, a flow paces at the estimated
//! bandwidth itself; its revision 02, section 4.6.2, and Linux pace 1 % below it.

mod bandwidth;

use kernel::{Duration, Rate, Seed, Stream, Time};
use parameters::parameters;

use self::bandwidth::Bandwidth;
use super::{Ack, CongestionControl, CongestionEvent, CongestionKind, Delivery, Limits};
use super::{LossRecovery, Recovery, Reports};

parameters! {
    /// BBR, version 1: paces at the bottleneck bandwidth, with two bandwidth-delay products
    /// outstanding at most.
    pub struct Bbr {
        /// Loss recovery; by default the one with which hosts run BBR.
        pub recovery: LossRecovery = "rack",
    }
}

/// 2 / ln 2, the least gain that doubles the sending rate each round: section 4.3.2.
const HIGH_GAIN: f64 = 2.885;

/// Pacing gains of the cycle in `ProbeBW`: section 4.3.4.
const CYCLE: [f64; 8] = [1.25, 0.75, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0];

/// Phases in which a cycle may begin: all but the one that drains the queue, section 4.3.4.
const FIRST_PHASES: [usize; 7] = [0, 2, 3, 4, 5, 6, 7];

/// Age at which the smallest round-trip time is measured anew: section 4.1.2.
const EXPIRY: Duration = Duration::from_ms(10_000);

/// Shortest time with [`FEWEST`] segments outstanding: section 4.3.5.
const PROBE: Duration = Duration::from_ms(200);

/// Segments outstanding at least, and while the round-trip time is measured anew: section 4.2.3.
const FEWEST: u64 = 4;

impl Bbr {
    /// The algorithm for one sender.
    pub fn build(&self, limits: &Limits) -> Box<dyn CongestionControl> {
        let unused = Seed {
            seed: 0,
            replication: 0,
        };
        let initial = limits.initial.min(limits.window) as f64;
        Box::new(State {
            limits: *limits,
            mss: limits.mss as f64,
            most: limits.window as f64,
            cwnd: initial,
            initial,
            ssthresh: limits.ssthresh,
            random: unused.stream("", "congestion control"),
            bandwidth: Bandwidth::default(),
            least: None,
            least_at: Time::ZERO,
            phase: Phase::Startup,
            gain: HIGH_GAIN,
            window_gain: HIGH_GAIN,
            full: 0.0,
            full_rounds: 0,
            is_filled: false,
            before: 0.0,
            repair: Repair::None,
            paced: 0.0,
        })
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
        /// End of the probe, once few enough segments are outstanding.
        until: Option<Time>,
    },
}

/// The progress of a loss recovery, or of the repair of a timeout: section 4.2.3.4.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Repair {
    /// Neither is under way.
    None,
    /// A loss was noticed after the last sample.
    Noticed,
    /// The first round of a recovery: `BBR.packet_conservation` is true.
    Conserving,
    /// The later rounds.
    Growing,
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
    /// Window before a recovery or a probe of the round-trip time, to which it returns.
    before: f64,
    repair: Repair,
    /// Rate at which user data leaves in bit/s; zero before the first round-trip time.
    paced: f64,
}

impl State {
    /// A multiple of the bandwidth-delay product in octets, and three segments: section 4.2.3.
    fn product(&self, gain: f64) -> f64 {
        self.least.map_or(self.cwnd, |least| {
            gain * self.bandwidth.rate() * least.seconds() / 8.0 + 3.0 * self.mss
        })
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
        self.gain = CYCLE[place];
    }

    /// Section 4.3.4: a phase lasts a round-trip time; a probe goes on until it fills the path or
    /// loses, and the phase after it ends early once the queue is gone.
    fn advance_cycle(&mut self, sample: &Delivery, place: usize, since: Time) {
        let is_long = self.least.is_some_and(|least| sample.now > since + least);
        let flight = sample.in_flight as f64;
        let ends = if self.gain > 1.0 {
            is_long && (sample.in_recovery || flight >= self.product(self.gain))
        } else if self.gain < 1.0 {
            is_long || flight <= self.product(1.0)
        } else {
            is_long
        };
        if ends {
            self.begin_phase(sample.now, (place + 1) % CYCLE.len());
        }
    }

    /// Sections 4.1.2 and 4.3.5: the smallest round-trip time, and `ProbeRTT` once it is old.
    fn take_round_trip(&mut self, sample: &Delivery) {
        let is_old = sample.now > self.least_at + EXPIRY;
        if let Some(rtt) = sample.rtt
            && (is_old || self.least.is_none_or(|least| rtt <= least))
        {
            (self.least, self.least_at) = (Some(rtt), sample.now);
        }
        if is_old && !matches!(self.phase, Phase::ProbeRtt { .. }) {
            self.phase = Phase::ProbeRtt { until: None };
            (self.gain, self.window_gain) = (1.0, 1.0);
            self.before = self.before.max(self.cwnd);
        }
        match self.phase {
            Phase::ProbeRtt { until: None } if sample.in_flight as f64 <= self.fewest() => {
                let least = self.least.unwrap_or_default();
                let until = Some(sample.now + PROBE.max(least));
                self.phase = Phase::ProbeRtt { until };
            }
            Phase::ProbeRtt { until: Some(until) } if sample.now > until => {
                self.least_at = sample.now;
                self.restore();
                if self.is_filled {
                    self.probe_bandwidth(sample.now);
                } else {
                    self.phase = Phase::Startup;
                    (self.gain, self.window_gain) = (HIGH_GAIN, HIGH_GAIN);
                }
            }
            _ => {}
        }
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
        let rate = self.gain * self.bandwidth.rate();
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

    /// Section 4.2.3.4: the window before a recovery or a probe.
    fn restore(&mut self) {
        self.cwnd = self.cwnd.max(self.before);
        self.before = 0.0;
    }

    /// Section 4.2.3.4: in the first round of a recovery as much leaves as is delivered, and later at
    /// most twice as much. The round begins with the recovery, as in Linux.
    fn modulate(&mut self, sample: &Delivery, ends_round: bool) {
        let (newly, in_flight) = (sample.newly as f64, sample.in_flight as f64);
        if !sample.in_recovery {
            if matches!(self.repair, Repair::Conserving | Repair::Growing) {
                self.restore();
            }
            self.repair = Repair::None;
        } else if self.repair == Repair::Noticed {
            self.before = self.before.max(self.cwnd);
            self.cwnd = in_flight + newly.max(self.mss);
            self.repair = Repair::Conserving;
            self.bandwidth.begin_round(sample);
        } else {
            if ends_round || self.repair != Repair::Conserving {
                self.repair = Repair::Growing;
            }
            self.cwnd = (self.cwnd - sample.lost as f64).max(self.mss);
        }
        if self.repair == Repair::Conserving {
            self.cwnd = self.cwnd.max(in_flight + newly);
        }
    }

    /// Section 4.2.3.6.
    fn set_window(&mut self, sample: &Delivery) {
        let target = self.product(self.window_gain);
        let newly = sample.newly as f64;
        if self.repair != Repair::Conserving {
            if self.is_filled {
                self.cwnd = (self.cwnd + newly).min(target);
            } else if self.cwnd < target || (sample.delivered as f64) < 10.0 * self.mss {
                self.cwnd += newly;
            }
            self.cwnd = self.cwnd.max(self.fewest());
        }
        // Our own rule: the window does not exceed the receiver's.
        self.cwnd = self.cwnd.min(self.most);
        if matches!(self.phase, Phase::ProbeRtt { .. }) {
            self.cwnd = self.cwnd.min(self.fewest());
        }
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
        self.repair = Repair::Noticed;
        self.lower_threshold();
    }

    /// Section 4.2.3.4: one segment, and growth from there.
    fn on_timeout(&mut self, _event: &CongestionEvent) {
        self.before = self.before.max(self.cwnd);
        self.lower_threshold();
        self.cwnd = self.mss;
        self.repair = Repair::Growing;
    }

    fn on_mark(&mut self, _event: &CongestionEvent) {
        self.lower_threshold();
    }

    /// Section 4.1: the model first, then the rate and the window.
    fn on_delivery(&mut self, sample: &Delivery) {
        let ends_round = self.bandwidth.ends_round(sample);
        self.bandwidth.take(sample);
        if ends_round && !sample.is_app_limited {
            self.look_for_plateau();
        }
        self.change_phase(sample);
        self.take_round_trip(sample);
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

    fn resume_from(&mut self, octets: u64) {
        self.cwnd = (octets as f64).max(self.mss);
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
