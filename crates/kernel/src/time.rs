//! Simulated time in whole picoseconds.
//!
//! A picosecond keeps the cell time of any real link exact to 0.2 ppm, and 64 bits of picoseconds
//! last 213 days. Integers make sums exact, ties decidable and runs equal on every machine.

use std::fmt;
use std::ops::{Add, AddAssign, Div, Mul, Rem, Sub};

/// Picoseconds in a second.
pub const PS_PER_SECOND: u64 = 1_000_000_000_000;

/// An instant, counted from the start of the run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Time(u64);

/// A time between two instants.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Duration(u64);

impl Time {
    /// The start of the run.
    pub const ZERO: Time = Time(0);
    /// An instant after all events.
    pub const NEVER: Time = Time(u64::MAX);

    /// The instant `ps` picoseconds after the start.
    pub const fn from_ps(ps: u64) -> Time {
        Time(ps)
    }

    /// Picoseconds since the start.
    pub const fn ps(self) -> u64 {
        self.0
    }

    /// Seconds since the start, for reports.
    pub fn seconds(self) -> f64 {
        self.0 as f64 / PS_PER_SECOND as f64
    }

    /// The time since `earlier`, zero if `earlier` is in the future.
    pub const fn since(self, earlier: Time) -> Duration {
        Duration(self.0.saturating_sub(earlier.0))
    }

    /// The last instant before this one.
    pub const fn just_before(self) -> Time {
        Time(self.0.saturating_sub(1))
    }
}

impl Duration {
    /// A duration of zero.
    pub const ZERO: Duration = Duration(0);
    /// A duration longer than any run.
    pub const MAX: Duration = Duration(u64::MAX);

    /// `ps` picoseconds.
    pub const fn from_ps(ps: u64) -> Duration {
        Duration(ps)
    }

    /// `us` microseconds.
    pub const fn from_us(us: u64) -> Duration {
        Duration(us * 1_000_000)
    }

    /// `ms` milliseconds.
    pub const fn from_ms(ms: u64) -> Duration {
        Duration(ms * 1_000_000_000)
    }

    /// `seconds`, rounded to the nearest picosecond; negative durations become zero.
    pub fn from_seconds_f64(seconds: f64) -> Duration {
        Duration((seconds * PS_PER_SECOND as f64 + 0.5) as u64)
    }

    /// Picoseconds.
    pub const fn ps(self) -> u64 {
        self.0
    }

    /// Seconds, for reports.
    pub fn seconds(self) -> f64 {
        self.0 as f64 / PS_PER_SECOND as f64
    }

    /// The difference, zero if `other` is longer.
    pub const fn saturating_sub(self, other: Duration) -> Duration {
        Duration(self.0.saturating_sub(other.0))
    }

    /// This duration divided by `other`, rounded down.
    pub const fn whole(self, other: Duration) -> u64 {
        self.0 / other.0
    }
}

impl Add<Duration> for Time {
    type Output = Time;

    /// Saturates at [`Time::NEVER`], so that a very late deadline stays a deadline.
    fn add(self, span: Duration) -> Time {
        Time(self.0.saturating_add(span.0))
    }
}

impl AddAssign<Duration> for Time {
    fn add_assign(&mut self, span: Duration) {
        *self = *self + span;
    }
}

impl Sub<Duration> for Time {
    type Output = Time;

    fn sub(self, span: Duration) -> Time {
        Time(self.0 - span.0)
    }
}

impl Rem<Duration> for Time {
    type Output = Duration;

    fn rem(self, span: Duration) -> Duration {
        Duration(self.0 % span.0)
    }
}

impl Add for Duration {
    type Output = Duration;

    fn add(self, other: Duration) -> Duration {
        Duration(self.0.saturating_add(other.0))
    }
}

impl AddAssign for Duration {
    fn add_assign(&mut self, other: Duration) {
        *self = *self + other;
    }
}

impl Sub for Duration {
    type Output = Duration;

    fn sub(self, other: Duration) -> Duration {
        Duration(self.0 - other.0)
    }
}

impl Mul<u64> for Duration {
    type Output = Duration;

    fn mul(self, times: u64) -> Duration {
        Duration(self.0.saturating_mul(times))
    }
}

impl Div<u64> for Duration {
    type Output = Duration;

    fn div(self, parts: u64) -> Duration {
        Duration(self.0 / parts)
    }
}

impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Duration(self.0).fmt(f)
    }
}

/// Exact, in the largest unit in which the number is at least one: `2.5 ms`.
impl fmt::Display for Duration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const UNITS: [(u64, &str); 5] = [
            (PS_PER_SECOND, "s"),
            (1_000_000_000, "ms"),
            (1_000_000, "us"),
            (1_000, "ns"),
            (1, "ps"),
        ];
        let (size, unit) = match self.0 {
            0 => UNITS[0],
            ps => *UNITS
                .iter()
                .find(|(size, _)| ps >= *size)
                .expect("one picosecond fits"),
        };
        write_decimal(f, self.0, size)?;
        write!(f, " {unit}")
    }
}

/// Writes `amount / size` exactly, where `size` is a power of ten.
pub(crate) fn write_decimal(f: &mut fmt::Formatter<'_>, amount: u64, size: u64) -> fmt::Result {
    write!(f, "{}", amount / size)?;
    let rest = amount % size;
    if rest > 0 {
        let digits = format!("{rest:0width$}", width = size.ilog10() as usize);
        write!(f, ".{}", digits.trim_end_matches('0'))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn is_shown_in_the_largest_fitting_unit() {
        let shown = |ps| Duration::from_ps(ps).to_string();
        assert_eq!(shown(0), "0 s");
        assert_eq!(shown(3_000_007), "3.000007 us");
        assert_eq!(shown(15 * PS_PER_SECOND), "15 s");
        assert_eq!(shown(100_000_000), "100 us");
        assert_eq!(shown(1), "1 ps");
    }

    #[test]
    fn a_deadline_too_far_away_is_never() {
        assert_eq!(Time::from_ps(5) + Duration::MAX, Time::NEVER);
    }

    #[test]
    fn seconds_round_to_the_nearest_picosecond() {
        assert_eq!(Duration::from_seconds_f64(1e-6).ps(), 1_000_000);
        assert_eq!(Duration::from_seconds_f64(-1.0), Duration::ZERO);
    }
    #[test]
    fn spans_are_subtracted_and_divided_exactly() {
        let (seven, two) = (Duration::from_ps(7), Duration::from_ps(2));
        assert_eq!(seven - two, Duration::from_ps(5));
        assert_eq!(Time::from_ps(7) - two, Time::from_ps(5));
        assert_eq!(Time::from_ps(7) % two, Duration::from_ps(1));
        assert_eq!(seven / 2, Duration::from_ps(3));
    }
}
