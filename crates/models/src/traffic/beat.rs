//! Evenly spaced instants of a constant rate, and writes at them.
//!
//! Instants are whole picoseconds, and the fraction of each interval that is left is carried over
//! to the next, so that the rate is exact in the long run. This is the integer arithmetic of
//! Bresenham, "Algorithm for Computer Control of a Digital Plotter", IBM Systems Journal 4(1),
//! 1965, which draws a line on a grid by carrying an error term.

use kernel::{Duration, Rate, Time};

use super::{Application, Source, Write};

/// Evenly spaced instants; their mean spacing is exact, even if it is no whole number of
/// picoseconds.
#[derive(Clone, Copy, Debug)]
pub struct Beat {
    whole: u64,
    /// Fraction of a picosecond in the interval: numerator and denominator.
    rest: u64,
    parts: u64,
    carried: u64,
}

impl Beat {
    /// Instants spaced by the transmission time of `bits` at `rate`.
    pub(super) fn new(bits: u64, rate: Rate) -> Beat {
        let ps = u128::from(bits) * 1_000_000_000_000;
        let parts = u128::from(rate.bits_per_second());
        Beat {
            whole: u64::try_from(ps / parts).unwrap_or(u64::MAX),
            rest: (ps % parts) as u64,
            parts: parts as u64,
            carried: 0,
        }
    }

    /// Instants spaced by `time`.
    pub(super) fn of(time: Duration) -> Beat {
        Beat {
            whole: time.ps(),
            rest: 0,
            parts: 1,
            carried: 0,
        }
    }

    /// Time from one instant to the next.
    pub fn step(&mut self) -> Duration {
        self.carried += self.rest;
        let carry = self.carried >= self.parts;
        self.carried -= if carry { self.parts } else { 0 };
        Duration::from_ps(self.whole.saturating_add(u64::from(carry)))
    }
}

/// Writes of equal length at even intervals.
pub struct EvenWrites {
    /// Time of the next write.
    pub due: Time,
    octets: u64,
    /// Rate of user data; none if no parameter states it.
    rate: Option<Rate>,
    beat: Beat,
    /// Time of the last write.
    last: Time,
}

impl EvenWrites {
    /// Full packets from `start` on, at `rate` if it is given.
    pub fn new(application: &Application, start: Time, rate: Option<Rate>) -> EvenWrites {
        EvenWrites {
            due: start,
            octets: application.message,
            rate,
            beat: application.beat(rate),
            last: start,
        }
    }
}

impl Source for EvenWrites {
    fn next(&mut self) -> Option<Write> {
        let at = self.due;
        self.last = at;
        self.due += self.beat.step();
        let octets = self.octets;
        Some(Write { at, octets })
    }

    fn rate(&self) -> Option<Rate> {
        self.rate
    }

    fn set_rate(&mut self, rate: Rate) {
        self.rate = Some(rate);
        self.beat = Beat::new(self.octets * 8, rate);
        self.due = self.last + self.beat.step();
    }
}
