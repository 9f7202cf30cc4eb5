//! Proportional integral controller enhanced (PIE): drop on arrival with a probability that a
//! controller adjusts, so that the waiting time approaches a target.
//!
//! The probability grows with the distance of the waiting time from the target, and with its growth
//! since the last update. Pan, Natarajan, Baker and White, "Proportional Integral Controller Enhanced
//! (PIE): A Lightweight Control Scheme to Address the Bufferbloat Problem", RFC 8033, 2017.
//!
//! The waiting time is the queue divided by a rate (section 4.3). The rate is that of the link, which
//! is known here, so the estimate of section 5.2 is not needed. Between arrivals the queue falls at
//! this rate; the updates that were due since the last arrival are made at the next one, each with the
//! queue of its own instant. Of the optional elements of section 5, those of 5.2 and 5.3 are left out.
//! On a switch the policy decides about a whole PDU when its first cell arrives.

use kernel::{Duration, Stream, Time};
use parameters::{Amount, Bytes, Fraction, parameters};

use super::{Buffer, Decision, Discard, DiscardKind, Occupancy};
use crate::cell::Cell;
use crate::output::pdus::{Overflow, Pdus};

parameters! {
    /// Proportional integral controller enhanced (PIE): drops at random on arrival, so that the
    /// waiting time approaches a target.
    pub struct Pie {
        /// Waiting time that the controller aims at (`QDELAY_REF`).
        #[range("1 us", "10 s")]
        pub target: Duration = "15 ms",
        /// Time between updates of the drop probability (`T_UPDATE`).
        #[range("10 us", "10 s")]
        pub update: Duration = "15 ms",
        /// Weight of the distance from the target, per second (`alpha`).
        #[range(0.0, 1000.0)]
        pub alpha: f64 = 0.125,
        /// Weight of the growth since the last update, per second (`beta`).
        #[range(0.0, 1000.0)]
        pub beta: f64 = 1.25,
        /// Longest burst from which nothing is dropped at random (`MAX_BURST`).
        #[range("0 s", "100 s")]
        pub burst: Duration = "150 ms",
        /// Mean size of packets; a queue of two or fewer loses none at random (`MEAN_PKTSIZE`).
        #[range("1 B", "65535 B")]
        pub mean_packet: Bytes = "1000 B",
        /// True if packets of ECN-capable flows are marked instead of dropped at random.
        pub ecn: bool = true,
        /// Drop probability from which ECN-capable packets are dropped too (`mark_ecnth`).
        #[range("0 %", "100 %")]
        pub mark_below: Fraction = "10 %",
        /// True if the gaps between drops are bounded below and above.
        pub derandomize: bool = false,
        /// True if a probability of 10 % or more grows by at most 2 % in an update.
        pub cap: bool = true,
        /// Treatment of an accepted packet when one of its cells finds the buffer full.
        pub overflow: Overflow = "partial_packet",
    }
}

impl Pie {
    /// The policy for one buffer.
    pub fn build(&self, buffer: &Buffer) -> Box<dyn Discard> {
        Box::new(State {
            few: 2 * buffer.units(Amount::Bytes(self.mean_packet.0)),
            unit: buffer.link.transmission(buffer.octets_per_unit * 8),
            random: buffer.random.clone(),
            markable: buffer.markable(self.ecn),
            pdus: Pdus::new(buffer.vcs, self.overflow),
            controller: Controller::new(self.clone()),
            since_drop: 0.0,
        })
    }
}

impl DiscardKind for Pie {
    fn needs_shared_queue(&self) -> bool {
        true
    }

    fn drop_levels(&self, _buffer: &Buffer) -> Vec<(&'static str, u64)> {
        Vec::new()
    }

    fn drops_whole_packets(&self) -> bool {
        true
    }
}

/// The bounds of the drop probability below which the steps of the controller are divided: section
/// 4.2.
const DIVISORS: [(f64, f64); 6] = [
    (0.000_001, 2048.0),
    (0.000_01, 512.0),
    (0.000_1, 128.0),
    (0.001, 32.0),
    (0.01, 8.0),
    (0.1, 2.0),
];

/// The controller of the drop probability: section 4.2, and appendix A.
struct Controller {
    spec: Pie,
    /// Drop probability.
    probability: f64,
    /// Waiting time at the last update.
    last: Duration,
    /// Rest of the time in which nothing is dropped at random.
    allowance: Duration,
    /// Time of the next update.
    due: Time,
    /// Time at which the queue becomes empty, if nothing joins.
    empty_at: Time,
}

impl Controller {
    fn new(spec: Pie) -> Controller {
        Controller {
            due: Time::ZERO + spec.update,
            spec,
            probability: 0.0,
            last: Duration::ZERO,
            allowance: Duration::ZERO,
            empty_at: Time::ZERO,
        }
    }

    /// Makes the updates that are due until `now`.
    fn catch_up(&mut self, now: Time) {
        while self.due <= now {
            if self.rests() {
                return self.rest(now);
            }
            let wait = self.empty_at.since(self.due.min(self.empty_at));
            self.update(wait);
            self.due += self.spec.update;
        }
    }

    /// True if an update changes nothing but the allowance, and so do those that follow.
    fn rests(&self) -> bool {
        self.probability == 0.0 && self.last == Duration::ZERO && self.empty_at <= self.due
    }

    /// Makes the updates until `now` of a controller at rest.
    fn rest(&mut self, now: Time) {
        let every = self.spec.update;
        let updates = now.since(self.due).ps() / every.ps() + 1;
        let passed = Duration::from_ps(every.ps().saturating_mul(updates));
        self.allowance = self.allowance.saturating_sub(passed);
        self.due += passed;
    }

    /// `calculate_drop_prob`: the queue takes `wait` to leave.
    fn update(&mut self, wait: Duration) {
        let Pie { alpha, beta, .. } = self.spec;
        let distance = wait.seconds() - self.spec.target.seconds();
        let growth = wait.seconds() - self.last.seconds();
        let mut step = alpha * distance + beta * growth;
        let divisor = DIVISORS.iter().find(|(bound, _)| self.probability < *bound);
        step /= divisor.map_or(1.0, |(_, divisor)| *divisor);
        if self.spec.cap && self.probability >= 0.1 {
            // Section 5.5.
            step = step.min(0.02);
        }
        self.probability += step;
        if wait == Duration::ZERO && self.last == Duration::ZERO {
            self.probability *= 0.98;
        }
        self.probability = self.probability.clamp(0.0, 1.0);
        self.last = wait;
        // Section 4.4.
        self.allowance = self.allowance.saturating_sub(self.spec.update);
    }

    /// A packet finds a queue that takes `wait` to leave; true if it may be dropped at random.
    fn drops(&mut self, wait: Duration) -> bool {
        let half = self.spec.target.ps() / 2;
        if self.probability == 0.0 && wait.ps() < half && self.last.ps() < half {
            // Section 4.4: congestion is over, and the next burst passes.
            self.allowance = self.spec.burst;
        }
        // Section 4.1: the link must not idle.
        let is_short = self.last.ps() < half && self.probability < 0.2;
        self.allowance == Duration::ZERO && !is_short
    }
}

struct State {
    /// Queue length up to which nothing is dropped at random.
    few: u64,
    /// Time to send a unit of the buffer.
    unit: Duration,
    random: Stream,
    /// The virtual channels whose packets are marked; empty if there are none.
    markable: Box<[bool]>,
    pdus: Pdus,
    controller: Controller,
    /// Sum of the drop probabilities of the packets since the last drop: `accu_prob_` of section 5.4.
    since_drop: f64,
}

impl State {
    /// True if a packet that finds `queued` units is dropped at random, or marked: `drop_early`.
    fn loses(&mut self, queued: u64) -> bool {
        let may_drop = self.controller.drops(self.unit * queued);
        let probability = self.controller.probability;
        if !may_drop || queued <= self.few {
            return false;
        }
        if self.controller.spec.derandomize {
            self.since_drop = if probability == 0.0 {
                0.0
            } else {
                self.since_drop + probability
            };
            if self.since_drop < 0.85 {
                return false;
            }
            if self.since_drop >= 8.5 {
                return true;
            }
        }
        // A probability of zero needs no random number, which leaves the stream to other packets.
        probability > 0.0 && self.random.unit() < probability
    }
}

impl Discard for State {
    fn admit(&mut self, cell: &Cell, buffer: Occupancy) -> Decision {
        self.controller.catch_up(buffer.at);
        let may_mark = self.markable.get(cell.vc.index()) == Some(&true)
            && self.controller.probability < self.controller.spec.mark_below.0;
        let begins = self.pdus.begins(cell.vc);
        let loses = begins && self.loses(buffer.queued);
        let decision = self.pdus.decision(cell, &buffer, || !loses || may_mark);
        if begins && (loses || decision == Decision::Drop) {
            self.since_drop = 0.0;
        }
        let joins = if decision == Decision::Accept {
            buffer.size
        } else {
            0
        };
        self.controller.empty_at = buffer.at + self.unit * (buffer.queued + joins);
        match decision {
            // Section 5.1.
            Decision::Accept if loses => Decision::Mark,
            decision => decision,
        }
    }

    fn marks(&self) -> bool {
        !self.markable.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use parameters::Record;

    use super::*;

    const MS: fn(u64) -> Duration = Duration::from_ms;

    /// A controller beyond its first burst, with a drop probability.
    fn controller(probability: f64) -> Controller {
        Controller {
            probability,
            ..Controller::new(Pie::defaults())
        }
    }

    /// The drop probability after an update at a waiting time, where the last one was `last`.
    fn updated(probability: f64, last: u64, wait: u64) -> f64 {
        let mut controller = controller(probability);
        controller.last = MS(last);
        controller.update(MS(wait));
        controller.probability
    }

    fn is(value: f64, expected: f64) -> bool {
        (value - expected).abs() < 1e-12
    }

    #[test]
    fn a_step_has_a_part_for_the_distance_and_one_for_the_growth() {
        // 0.125 * (25 - 15) ms + 1.25 * (25 - 20) ms = 0.0075.
        assert!(is(updated(0.5, 20, 25), 0.5075));
        assert!(is(updated(0.5, 20, 15), 0.5 - 0.006_25));
    }

    #[test]
    fn steps_are_smaller_where_the_probability_is_small() {
        let step = 0.0075;
        for (probability, divisor) in [
            (0.0, 2048.0),
            (0.000_005, 512.0),
            (0.000_05, 128.0),
            (0.000_5, 32.0),
            (0.005, 8.0),
            (0.05, 2.0),
            (0.1, 1.0),
        ] {
            let grown = updated(probability, 20, 25) - probability;
            assert!((grown - step / divisor).abs() < 1e-12, "{probability}");
        }
    }

    #[test]
    fn a_large_probability_grows_by_two_hundredths_at_most() {
        assert!(is(updated(0.1, 0, 500), 0.12));
        let mut uncapped = controller(0.1);
        uncapped.spec.cap = false;
        uncapped.update(MS(500));
        assert!(uncapped.probability > 0.7);
    }

    #[test]
    fn without_a_queue_the_probability_decays() {
        assert!(is(updated(0.5, 0, 0), (0.5 - 0.125 * 0.015) * 0.98));
        assert_eq!(updated(0.0, 0, 0), 0.0);
        assert_eq!(updated(0.99, 0, 5000), 1.0);
    }

    #[test]
    fn updates_are_made_for_the_time_between_arrivals() {
        let mut once = controller(0.5);
        once.empty_at = Time::ZERO + MS(100);
        once.catch_up(Time::ZERO + MS(46));
        let mut singly = controller(0.5);
        for wait in [85, 70, 55] {
            singly.update(MS(wait));
        }
        assert!(is(once.probability, singly.probability));
        assert_eq!(once.due, Time::ZERO + MS(60));
    }

    #[test]
    fn a_long_rest_is_one_step() {
        let mut controller = controller(0.0);
        controller.allowance = MS(150);
        controller.catch_up(Time::ZERO + Duration::from_ms(1_000_000_000));
        assert_eq!(controller.allowance, Duration::ZERO);
    }

    #[test]
    fn a_burst_passes_after_a_time_without_congestion() {
        let mut controller = controller(0.0);
        assert!(!controller.drops(MS(0)));
        controller.probability = 0.5;
        for _ in 0..9 {
            controller.update(MS(20));
            assert!(!controller.drops(MS(20)));
        }
        controller.update(MS(20));
        assert!(controller.drops(MS(20)));
        // Congestion is not over before the probability is zero.
        controller.last = MS(1);
        assert_eq!(controller.allowance, Duration::ZERO);
        controller.drops(MS(1));
        assert_eq!(controller.allowance, Duration::ZERO);
        controller.probability = 0.0;
        controller.drops(MS(1));
        assert_eq!(controller.allowance, MS(150));
    }

    #[test]
    fn a_short_queue_keeps_the_link_busy() {
        let mut short = controller(0.19);
        short.last = MS(7);
        assert!(!short.drops(MS(100)));
        short.last = MS(8);
        assert!(short.drops(MS(100)));
        let mut likely = controller(0.2);
        assert!(likely.drops(MS(100)));
    }

    /// The signs of packets that find a queue of `queued` octets, with a drop probability.
    fn signs(spec: &Pie, probability: f64, queued: u64, count: usize) -> String {
        use super::super::script::{cell, sign};
        use crate::ecn::Codepoint;
        let buffer = Buffer::of_octets(100_000, 53, 1).of_flows([Codepoint::Classic].into());
        let mut state = State {
            few: 2000,
            unit: Duration::from_us(1),
            random: buffer.random.clone(),
            markable: buffer.markable(spec.ecn),
            pdus: Pdus::new(1, Overflow::PartialPacket),
            controller: Controller {
                probability,
                last: MS(20),
                ..Controller::new(spec.clone())
            },
            since_drop: 0.0,
        };
        let offer = Occupancy {
            at: Time::ZERO,
            queued,
            capacity: 100_000,
            size: 1000,
        };
        (0..count)
            .map(|_| sign(state.admit(&cell(0, true), offer)))
            .collect()
    }

    fn spec(ecn: bool, derandomize: bool) -> Pie {
        Pie {
            ecn,
            derandomize,
            ..Pie::defaults()
        }
    }

    #[test]
    fn packets_are_dropped_with_the_probability() {
        let signs = signs(&spec(false, false), 0.25, 50_000, 10_000);
        let drops = signs.matches('-').count();
        // Five standard deviations.
        assert!(drops.abs_diff(2500) < 220, "{drops}");
    }

    #[test]
    fn up_to_two_packets_in_the_queue_lose_none() {
        assert_eq!(signs(&spec(false, false), 1.0, 2000, 3), "+++");
        assert_eq!(signs(&spec(false, false), 1.0, 2001, 3), "---");
    }

    #[test]
    fn capable_packets_are_marked_below_a_probability_and_dropped_from_it_on() {
        let marked = signs(&spec(true, false), 0.09, 50_000, 1000);
        assert!(marked.contains('*') && !marked.contains('-'));
        let dropped = signs(&spec(true, false), 0.1, 50_000, 1000);
        assert!(dropped.contains('-') && !dropped.contains('*'));
    }

    #[test]
    fn derandomised_drops_are_neither_close_nor_far_apart() {
        let signs = signs(&spec(false, true), 0.05, 50_000, 20_000);
        let gaps: Vec<usize> = signs.split('-').map(|gap| gap.len() + 1).collect();
        let (first, rest) = (gaps[0], &gaps[1..gaps.len() - 1]);
        assert!(first >= 17 && rest.iter().all(|gap| (17..=170).contains(gap)));
    }

    #[test]
    fn a_full_buffer_drops_what_arrives() {
        assert_eq!(signs(&spec(true, false), 0.0, 99_500, 2), "--");
    }
}
