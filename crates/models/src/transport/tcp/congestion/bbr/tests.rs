//! The state of BBR after any course of recoveries, timeouts and probes of the round-trip time.

use kernel::{Duration, Seed, Stream, Time};
use parameters::{understand, value};

use super::*;

const MSS: u64 = 1000;
const LIMITS: Limits = Limits {
    mss: MSS,
    window: 10_000_000,
    initial: 10 * MSS,
    ssthresh: 10_000_000,
    header: 40,
};

/// Rate in bit/s and round-trip time of the path, and a round trip with a queue.
const RATE: f64 = 8e6;
const LEAST: Duration = Duration::from_ms(20);
const QUEUED: Duration = Duration::from_ms(21);
const PATH: u64 = 21 * MSS;

/// A path on which a sample comes every [`STEP`].
struct Path {
    control: State,
    now: Time,
    delivered: u64,
    in_recovery: bool,
}

const STEP: Duration = Duration::from_ms(5);

impl Path {
    /// A flow that has found the rate and the least round-trip time of the path.
    fn filled() -> Path {
        let bbr: Bbr = understand(&value!({})).expect("the defaults");
        let mut path = Path {
            control: bbr.state(&LIMITS),
            now: Time::ZERO,
            delivered: 0,
            in_recovery: false,
        };
        path.sample(RATE, LEAST);
        (0..200).for_each(|_| path.sample(RATE, QUEUED));
        assert!(matches!(path.control.phase, Phase::ProbeBw { .. }));
        path
    }

    /// A sample in which the path delivers at `rate`.
    fn sample(&mut self, rate: f64, rtt: Duration) {
        self.now += STEP;
        let newly = (rate * STEP.seconds() / 8.0) as u64;
        let before = self.delivered;
        self.delivered += newly;
        self.control.on_delivery(&Delivery {
            now: self.now,
            delivered: self.delivered,
            newly,
            prior_delivered: before.saturating_sub((rate * rtt.seconds() / 8.0) as u64),
            rate: Some(rate),
            rtt: Some(rtt),
            // As much as the path holds with its queue.
            in_flight: (self.control.cwnd().saturating_sub(newly)).min(PATH),
            in_recovery: self.in_recovery,
            ..Delivery::default()
        });
    }

    fn lose(&mut self, is_timeout: bool) {
        let event = CongestionEvent {
            now: self.now,
            flight: self.control.cwnd(),
            again: false,
        };
        if is_timeout {
            self.control.on_timeout(&event);
        } else {
            self.control.on_loss(&event);
        }
        self.in_recovery = true;
    }

    fn recover(&mut self) {
        self.in_recovery = false;
        // As a sender does at the end of a recovery.
        let ssthresh = self.control.ssthresh();
        self.control.resume_from(ssthresh);
    }

    fn is_cut(&self) -> bool {
        self.in_recovery || self.control.is_probing_round_trip()
    }

    /// The rate at which the path delivers: in a probe of the round-trip time what the window lets.
    fn rate(&self) -> f64 {
        if self.control.is_probing_round_trip() {
            RATE.min(self.control.cwnd() as f64 * 8.0 / QUEUED.seconds())
        } else {
            RATE
        }
    }
}

fn random(number: u64) -> Stream {
    let seed = Seed {
        seed: number,
        replication: 0,
    };
    seed.stream("f", "events")
}

#[test]
fn the_window_returns_after_any_course_of_recoveries_timeouts_and_probes() {
    for number in 0..200 {
        let mut random = random(number);
        let mut path = Path::filled();
        let (mut whole, mut probes) = (path.control.cwnd(), 0);
        for _ in 0..10_000 {
            let (was_cut, was_probing) = (path.is_cut(), path.control.is_probing_round_trip());
            match random.below(200) {
                0 if !path.in_recovery => path.lose(false),
                1 => path.lose(true),
                2..12 if path.in_recovery => path.recover(),
                _ => {}
            }
            if !was_cut && path.in_recovery {
                whole = path.control.prior as u64;
            }
            // Longer than what a probe finds, so that another follows in ten seconds.
            let rtt = if was_probing { QUEUED } else { QUEUED * 2 };
            path.sample(path.rate(), rtt);
            probes += u32::from(was_probing && !path.control.is_probing_round_trip());
            if was_cut && !path.is_cut() {
                let cwnd = path.control.cwnd();
                let target = path.control.product(path.control.window_gain) as u64;
                assert!(
                    cwnd >= whole.min(target),
                    "{cwnd} of {whole}, seed {number}"
                );
            }
            let rate = path.control.bandwidth.rate();
            assert!(rate > 0.9 * RATE, "{rate} is left of {RATE}, seed {number}");
        }
        assert!(probes > 2, "{probes} probes");
    }
}

#[test]
fn the_few_segments_of_a_probe_say_nothing_of_the_path() {
    let mut path = Path::filled();
    while !path.control.is_probing_round_trip() {
        path.sample(RATE, QUEUED);
    }
    let mut rounds = 0;
    while path.control.is_probing_round_trip() {
        path.sample(path.rate(), QUEUED);
        rounds += 1;
    }
    assert!(rounds > 30, "{rounds} samples");
    (0..4).for_each(|_| path.sample(path.rate(), QUEUED));
    assert!(path.control.bandwidth.rate() >= RATE);
}

#[test]
fn a_timeout_lets_the_start_look_for_its_end_anew() {
    let bbr: Bbr = understand(&value!({})).expect("the defaults");
    let mut path = Path {
        control: bbr.state(&LIMITS),
        now: Time::ZERO,
        delivered: 0,
        in_recovery: false,
    };
    path.sample(RATE, LEAST);
    while path.control.full_rounds < 2 {
        path.sample(RATE, QUEUED);
    }
    path.lose(true);
    path.recover();
    let expected = [0, 1, 2];
    let mut seen = Vec::new();
    while !path.control.is_filled {
        let before = path.control.bandwidth.round();
        path.sample(RATE, QUEUED);
        if path.control.bandwidth.round() > before && !path.control.is_filled {
            seen.push(path.control.full_rounds);
        }
    }
    assert_eq!(seen, expected);
}
