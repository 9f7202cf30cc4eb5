//! ERICA+'s target: the capacity that higher classes leave, times a factor that falls as the queue
//! grows.
//!
//! The queue is compared with Q0, a length that keeps the link busy and drains in T0. The factor is
//! above one below Q0, is one from Q0 to Q1, and falls below one beyond Q1, down to a limit, so
//! that draining the queue does not starve the sources. A member of the family states the curve
//! below Q0 and beyond Q1.
//!
//! Kalyanaraman, dissertation, Ohio State University, 1997, sections 6.16 to 6.20, where Q1 is Q0.
//! Vandalore, Jain, Goyal and Fahmy, "Design and Analysis of Queue Control Functions for Explicit
//! Rate Switch Schemes", IC3N 1998.

use kernel::Duration;
use parameters::{CellCount, Conflict, Fraction, Parameter, parameters};

use super::{Available, Target};

parameters::registry! {
    /// Factor of the capacity, which falls as the queue grows.
    pub enum QueueCurveSpec builds Box<dyn QueueCurve>, for () {
        step => Step,
        linear => Linear,
        hyperbolic => Hyperbolic,
        inverse_hyperbolic => InverseHyperbolic,
    } default hyperbolic
}

parameters! {
    /// Capacity of the link beyond higher classes, times a factor that falls as the queue grows:
    /// ERICA+.
    #[check(check)]
    pub struct Queue {
        /// T0: target delay of the queue.
        #[implied(DEFAULT_DELAY, "neither `delay` nor `cells` is given")]
        #[range("1 us", "10 s")]
        pub delay: Option<Duration>,
        /// Q0: target length of the queue, however fast it drains.
        #[range("1 cells", "1000000000 cells")]
        pub cells: Option<CellCount>,
        /// Curve by which the factor falls.
        pub curve: QueueCurveSpec = default,
        /// Q1 over Q0: the factor stays one up to a queue of Q1.
        #[range(1, 1_000_000)]
        pub steady_until: f64 = 1.0,
        /// Queue length, in multiples of Q0 (Q2/Q0), from which the factor is `drain_limit`; if not
        /// given, the length at which the curve reaches `drain_limit`.
        #[range(1, 1_000_000)]
        pub drain_from: Option<f64>,
        /// Queue drain limit factor (QDLF): lower bound of the factor.
        #[range("1 %", "100 %")]
        pub drain_limit: Fraction = "50 %",
    }
}

/// T0 of a target without `delay` and `cells`.
const DEFAULT_DELAY: Duration = Duration::from_us(500);

impl Queue {
    /// The target of one output.
    pub fn build(&self, (): &()) -> Box<dyn Target> {
        Box::new(State {
            level: match (self.cells, self.delay) {
                (Some(CellCount(cells)), _) => Level::Cells(cells as f64),
                (None, Some(delay)) => Level::Seconds(delay.seconds()),
                (None, None) => Level::Seconds(DEFAULT_DELAY.seconds()),
            },
            curve: self.curve.build(&()),
            steady_until: self.steady_until,
            drain_from: self.drain_from.unwrap_or(f64::INFINITY),
            drain_limit: self.drain_limit.0,
        })
    }

    fn check(&self) -> Option<Conflict> {
        if self.delay.is_some() && self.cells.is_some() {
            return Some(Conflict {
                name: "cells",
                problem: "`delay` is given too".to_string(),
                hint: "leave out `cells` or `delay`: `delay` is the target delay of the queue, \
                       `cells` its target length"
                    .to_string(),
            });
        }
        let drain_from = self.drain_from?;
        (drain_from < self.steady_until).then(|| Conflict {
            name: "drain_from",
            problem: format!(
                "`drain_from` is less than `steady_until`, which is `{}`",
                self.steady_until
            ),
            hint: format!(
                "write at least `{}`: the factor falls only beyond it",
                self.steady_until.write()
            ),
        })
    }
}

/// The length of the queue relative to the target length Q0.
#[derive(Clone, Copy, Debug)]
pub struct Excess {
    /// The queue over Q0.
    pub queue: f64,
    /// Q1 over Q0.
    pub steady_until: f64,
}

impl Excess {
    /// The queue over Q1.
    pub fn beyond(&self) -> f64 {
        self.queue / self.steady_until
    }
}

/// The two branches of the factor: below Q0 and beyond Q1. Between Q0 and Q1 the factor is one.
pub trait QueueCurve: Send {
    /// Factor for a queue shorter than Q0.
    fn below(&self, excess: Excess) -> f64;

    /// Factor for a queue longer than Q1.
    fn above(&self, excess: Excess) -> f64;
}

struct State {
    level: Level,
    curve: Box<dyn QueueCurve>,
    steady_until: f64,
    drain_from: f64,
    drain_limit: f64,
}

/// The target, as a queue length (Q0) or as a delay (T0).
#[derive(Clone, Copy)]
enum Level {
    Cells(f64),
    Seconds(f64),
}

impl State {
    /// Capacity factor at a queue length given in multiples of Q0.
    fn factor(&self, queue: f64) -> f64 {
        let excess = Excess {
            queue,
            steady_until: self.steady_until,
        };
        if queue >= self.drain_from {
            self.drain_limit
        } else if queue < 1.0 {
            self.curve.below(excess)
        } else if queue <= self.steady_until {
            1.0
        } else {
            self.curve.above(excess).max(self.drain_limit)
        }
    }
}

impl Target for State {
    fn capacity(&self, available: Available) -> f64 {
        let left = (available.link - available.taken)
            .max(available.guaranteed)
            .max(0.0);
        let wanted = match self.level {
            Level::Cells(cells) => cells,
            Level::Seconds(seconds) => seconds * left,
        };
        if left > 0.0 {
            self.factor(available.queue as f64 / wanted) * left
        } else {
            0.0
        }
    }
}

#[cfg(test)]
mod tests {
    use parameters::{Parameter, ParameterTable, Value, understand, value};

    use super::*;

    /// Factors, in thousandths, for a queue of each of these multiples of a Q0 of 100 cells.
    fn factors(spec: &Value, queues: &[f64]) -> Vec<i64> {
        let spec: Queue = understand(spec).expect("a target");
        let target = spec.build(&());
        let of = |queue: &f64| {
            let available = Available {
                link: 100_000.0,
                taken: 0.0,
                guaranteed: 0.0,
                queue: (queue * 100.0).round() as u64,
            };
            (target.capacity(available) / 100.0).round() as i64
        };
        queues.iter().map(of).collect()
    }

    #[test]
    fn the_hyperbola_is_b_at_an_empty_queue_one_at_q0_and_half_at_8_67_q0() {
        let spec = value!({ delay = "1 ms", curve = { hyperbolic = { a = 1.15, b = 1.05 } } });
        assert_eq!(
            factors(&spec, &[0.0, 0.5, 1.0, 2.0, 8.67, 8.0, 20.0]),
            [1050, 1024, 1000, 885, 500, 523, 500]
        );
    }

    #[test]
    fn between_q0_and_q1_the_factor_is_one_and_from_q2_on_it_is_the_limit() {
        let spec = value!({
            cells = "100 cells",
            steady_until = 4.0,
            drain_from = 26.0,
            drain_limit = "40 %",
        });
        assert_eq!(
            factors(&spec, &[1.0, 3.9, 4.0, 8.0, 25.0, 26.0]),
            [1000, 1000, 1000, 885, 594, 400]
        );
    }

    #[test]
    fn steps_have_four_levels() {
        let spec = value!({
            cells = "100 cells",
            steady_until = 4.0,
            drain_from = 26.0,
            curve = { step = { a = 0.95, b = 1.01 } },
        });
        assert_eq!(
            factors(&spec, &[0.0, 0.99, 1.0, 4.0, 4.01, 25.99, 26.0]),
            [1010, 1010, 1000, 1000, 950, 950, 500]
        );
    }

    #[test]
    fn lines_fall_by_a_constant_per_q0() {
        let spec = value!({
            cells = "100 cells",
            steady_until = 2.0,
            curve = { linear = { a = 0.0625, b = 0.0625 } },
        });
        assert_eq!(
            factors(&spec, &[0.0, 0.5, 1.0, 2.0, 6.0, 10.0, 11.0]),
            [1063, 1031, 1000, 1000, 750, 500, 500]
        );
    }

    #[test]
    fn the_inverse_hyperbola_falls_slowly_at_first_and_is_half_at_q2_as_published() {
        // The three settings of the paper.
        for (a, q1) in [(36.0, 2.0), (16.5, 4.0), (6.75, 8.0)] {
            let curve = inverse_hyperbolic::InverseHyperbolic { a, b: 1.05 };
            let spec = Queue {
                cells: Some(CellCount(100)),
                curve: QueueCurveSpec::InverseHyperbolic(curve),
                steady_until: q1,
                ..Queue::defaults()
            };
            let middle = f64::midpoint(q1, 26.0);
            assert_eq!(
                factors(&spec.write(), &[0.0, 1.0, q1, middle, 26.0, 30.0, 10_000.0]),
                [1050, 1000, 1000, 800, 500, 500, 500]
            );
        }
    }

    #[test]
    fn q0_drains_in_t0_at_the_available_capacity() {
        let spec: Queue = understand(&value!({ delay = "1 ms" })).expect("a target");
        let target = spec.build(&());
        let capacity = |taken, queue| {
            target.capacity(Available {
                link: 100_000.0,
                taken,
                guaranteed: 0.0,
                queue,
            })
        };
        assert!((capacity(0.0, 100) - 100_000.0).abs() < 1e-6);
        assert!((capacity(60_000.0, 40) - 40_000.0).abs() < 1e-6);
        assert!(capacity(60_000.0, 100) < 35_000.0);
        assert!(capacity(100_000.0, 0).abs() < 1e-6);
    }
}
