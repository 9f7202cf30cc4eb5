//! The controller of PIE: RFC 8033, sections 4.2 and 4.4, and appendix A.

use kernel::{Duration, Time};

use super::Pie;

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
pub struct Controller {
    pub spec: Pie,
    /// Drop probability.
    pub probability: f64,
    /// Waiting time at the last update.
    pub last: Duration,
    /// Rest of the time in which nothing is dropped at random.
    allowance: Duration,
    /// Time of the next update.
    due: Time,
    /// Time at which the queue becomes empty, if nothing joins.
    pub empty_at: Time,
}

impl Controller {
    /// A controller of a queue that nothing has joined.
    pub fn new(spec: Pie) -> Controller {
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
    pub fn catch_up(&mut self, now: Time) {
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
    pub fn drops(&mut self, wait: Duration) -> bool {
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

#[cfg(test)]
mod tests {
    use parameters::ParameterTable;

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
        assert!(updated(0.0, 0, 0).abs() < f64::EPSILON);
        assert!((updated(0.99, 0, 5000) - 1.0).abs() < f64::EPSILON);
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
}
