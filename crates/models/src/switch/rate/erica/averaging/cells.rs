//! Exponential averages of cells, of capacity and of time; the load factor is their ratio.
//!
//! The second of the two methods of Kalyanaraman, dissertation, Ohio State University, 1997,
//! section 6.15. Cells and capacity add up over intervals of any length, so an interval without
//! capacity, or without cells, needs no rule of its own.

use parameters::{Fraction, choices, parameters};

use super::{Averaged, Averaging, IntervalMeasurement};

parameters! {
    /// Cells, capacity and the length of intervals are averaged exponentially, and then divided.
    pub struct Cells {
        /// Weight of the last interval.
        #[range("0.1 %", "100 %")]
        pub alpha: Fraction = "20 %",
        /// Capacity from which fair shares are computed.
        pub share: FairShareCapacity = "last",
    }
}

choices! {
    /// Capacity from which fair shares are computed, beside an averaged load factor.
    pub enum FairShareCapacity {
        /// The capacity of the last interval. With it the throughput of Jain et al., "TCP/IP over
        /// ABR", 1996, is reproduced for a target of 70 % under bursts of 1 ms.
        last => Last,
        /// The averaged capacity, so that fair shares are as steady as the load factor.
        averaged => Averaged,
    }
}

impl Cells {
    /// The rule for one output.
    pub fn build(&self, (): &()) -> Box<dyn Averaging> {
        Box::new(State {
            alpha: self.alpha.0,
            share: self.share,
            averages: None,
        })
    }
}

struct State {
    alpha: f64,
    share: FairShareCapacity,
    averages: Option<Averages>,
}

/// Averages over intervals.
#[derive(Clone, Copy)]
struct Averages {
    /// Arrived cells.
    cells: f64,
    /// Cells that the target capacity could carry.
    room: f64,
    /// Length of an interval, in seconds.
    length: f64,
}

impl Averaging for State {
    fn average(&mut self, measured: IntervalMeasurement) -> Averaged {
        let last = Averages {
            cells: measured.cells,
            room: measured.capacity * measured.length,
            length: measured.length,
        };
        let old = self.averages.unwrap_or(last);
        let average = |old: f64, last: f64| (1.0 - self.alpha) * old + self.alpha * last;
        let averages = Averages {
            cells: average(old.cells, last.cells),
            room: average(old.room, last.room),
            length: average(old.length, last.length),
        };
        self.averages = Some(averages);
        let capacity = averages.room / averages.length;
        let usual = IntervalMeasurement {
            cells: averages.cells,
            capacity,
            length: averages.length,
        };
        Averaged {
            load: usual.load(),
            capacity: match self.share {
                FairShareCapacity::Last => measured.capacity,
                FairShareCapacity::Averaged => capacity,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn halves(share: FairShareCapacity) -> Box<dyn Averaging> {
        Cells {
            alpha: Fraction(0.5),
            share,
        }
        .build(&())
    }

    #[test]
    fn intervals_without_capacity_count_like_any() {
        let shared = [FairShareCapacity::Last, FairShareCapacity::Averaged].map(|share| {
            let mut average = halves(share);
            let averaged = [100.0, 0.0, 100.0].map(|capacity| {
                let measured = IntervalMeasurement {
                    cells: 50.0,
                    capacity,
                    length: 1.0,
                };
                average.average(measured)
            });
            let loads = averaged.map(|averaged| (averaged.load * 1000.0).round() as u64);
            assert_eq!(loads, [500, 1000, 667]);
            averaged.map(|averaged| averaged.capacity.round() as u64)
        });
        assert_eq!(shared, [[100, 0, 100], [100, 50, 75]]);
    }

    #[test]
    fn short_intervals_weigh_less() {
        let mut average = halves(FairShareCapacity::Last);
        let mut after = |cells, length| {
            let measured = IntervalMeasurement {
                cells,
                capacity: 100.0,
                length,
            };
            average.average(measured).load
        };
        after(100.0, 1.0);
        // The load is twice as high in a quarter of the time.
        assert!((after(50.0, 0.25) - 1.2).abs() < 1e-12);
    }
}
