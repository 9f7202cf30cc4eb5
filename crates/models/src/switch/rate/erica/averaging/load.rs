//! Exponential average of the load factor.
//!
//! The first of the two methods of Kalyanaraman, dissertation, Ohio State University, 1997, section
//! 6.15. It has two known faults: an interval without capacity has an infinite load, after which
//! the average starts anew, and the mean of ratios is not the ratio of means. The second method,
//! `cells`, has neither fault.

use parameters::{Fraction, parameters};

use super::{Averaged, Averaging, IntervalMeasurement};

parameters! {
    /// The load factor is averaged exponentially, anew after each interval without capacity.
    pub struct Load {
        /// Weight of the last interval.
        #[range("0.1 %", "100 %")]
        pub alpha: Fraction = "20 %",
    }
}

impl Load {
    /// The rule for one output.
    pub fn build(&self, (): &()) -> Box<dyn Averaging> {
        Box::new(State {
            alpha: self.alpha.0,
            load: f64::INFINITY,
        })
    }
}

struct State {
    alpha: f64,
    load: f64,
}

impl Averaging for State {
    fn average(&mut self, measured: IntervalMeasurement) -> Averaged {
        let load = measured.load();
        self.load = if load.is_infinite() || self.load.is_infinite() {
            load
        } else {
            (1.0 - self.alpha) * self.load + self.alpha * load
        };
        Averaged {
            load: self.load,
            capacity: measured.capacity,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn starts_anew_after_an_interval_without_capacity() {
        let mut average = Load {
            alpha: Fraction(0.5),
        }
        .build(&());
        let loads = [2.0, 1.0, f64::INFINITY, 3.0, f64::INFINITY, 0.5, 0.0].map(|load: f64| {
            let (cells, capacity) = if load.is_finite() {
                (load * 100.0, 100.0)
            } else {
                (100.0, 0.0)
            };
            let measured = IntervalMeasurement {
                cells,
                capacity,
                length: 1.0,
            };
            (average.average(measured).load * 100.0).round() as u64
        });
        assert_eq!(loads, [200, 150, u64::MAX, 300, u64::MAX, 50, 25]);
    }
}
