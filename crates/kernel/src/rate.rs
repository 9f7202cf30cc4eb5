//! Transmission rates in whole bits per second, from which transmission times follow exactly.

use std::fmt;

use crate::time::{Duration, PS_PER_SECOND, write_decimal};

/// A rate in whole bits per second.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Rate(u64);

impl Rate {
    /// A rate of `bits` per second, which must not be zero.
    pub const fn from_bits_per_second(bits: u64) -> Rate {
        assert!(bits > 0, "a rate is positive");
        Rate(bits)
    }

    /// Bits per second.
    pub const fn bits_per_second(self) -> u64 {
        self.0
    }

    /// Time to send `bits`, to the nearest picosecond; at most [`Duration::MAX`].
    pub const fn transmission(self, bits: u64) -> Duration {
        // The product fits into 64 bits for packets; a 64-bit division takes a tenth of the time of
        // a 128-bit one.
        if bits < u64::MAX / PS_PER_SECOND && self.0 < PS_PER_SECOND {
            return Duration::from_ps((bits * PS_PER_SECOND + self.0 / 2) / self.0);
        }
        let ps = (bits as u128 * PS_PER_SECOND as u128 + self.0 as u128 / 2) / self.0 as u128;
        Duration::from_ps(if ps > u64::MAX as u128 {
            u64::MAX
        } else {
            ps as u64
        })
    }
}

/// A rate that keeps the last transmission time: the packets of a link have few lengths, and the
/// division is most of the cost of a transmission time.
#[derive(Clone, Copy, Debug)]
pub struct RememberingRate {
    rate: Rate,
    bits: u64,
    time: Duration,
}

impl RememberingRate {
    /// Time to send `bits`: see [`Rate::transmission`].
    #[inline]
    pub fn transmission(&mut self, bits: u64) -> Duration {
        if bits != self.bits {
            (self.bits, self.time) = (bits, self.rate.transmission(bits));
        }
        self.time
    }
}

impl From<Rate> for RememberingRate {
    fn from(rate: Rate) -> RememberingRate {
        RememberingRate {
            rate,
            bits: 0,
            time: rate.transmission(0),
        }
    }
}

/// Exact, in the largest unit in which the number is at least one: `141.333 Mbit/s`.
impl fmt::Display for Rate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const UNITS: [(u64, &str); 4] = [
            (1_000_000_000, "Gbit/s"),
            (1_000_000, "Mbit/s"),
            (1_000, "kbit/s"),
            (1, "bit/s"),
        ];
        let (size, unit) = *UNITS
            .iter()
            .find(|(size, _)| self.0 >= *size)
            .expect("a rate is positive");
        write_decimal(f, self.0, size)?;
        write!(f, " {unit}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_takes_three_microseconds_at_the_rate_of_romanow_and_floyd() {
        let rate = Rate::from_bits_per_second(141_333_000);
        assert_eq!(rate.transmission(53 * 8), Duration::from_ps(3_000_007));
        assert_eq!(rate.to_string(), "141.333 Mbit/s");
    }

    #[test]
    fn transmission_times_are_rounded_to_the_nearest_picosecond() {
        let fast = Rate::from_bits_per_second(10_000_000_000_000);
        let times = [4, 5, 14, 15, 424].map(|bits| fast.transmission(bits).ps());
        assert_eq!(times, [0, 1, 1, 2, 42]);
        // The largest number of bits whose product with 10^12 fits into 64 bits, and the next number.
        assert_eq!(fast.transmission(18_446_743).ps(), 1_844_674);
        let half = Rate::from_bits_per_second(500_000_000_000);
        assert_eq!(half.transmission(18_446_744).ps(), 36_893_488);
        let slow = Rate::from_bits_per_second(3);
        assert_eq!(
            slow.transmission(18_000_000).ps(),
            6_000_000_000_000_000_000
        );
        assert_eq!(
            slow.transmission(40_000_000).ps(),
            13_333_333_333_333_333_333
        );
        assert_eq!(slow.transmission(u64::MAX), Duration::MAX);
    }

    #[test]
    fn is_shown_in_the_largest_fitting_unit() {
        assert_eq!(Rate::from_bits_per_second(64_000).to_string(), "64 kbit/s");
        assert_eq!(
            Rate::from_bits_per_second(400_000_000_000).to_string(),
            "400 Gbit/s"
        );
    }
}
