//! Resource management (RM) cells, which carry rates between sources, switches and destinations.
//!
//! TM 4.0, section 5.10.3.1. Fields without a meaning for ABR (RA, QL, SN) are absent.

/// The contents of an RM cell. Rates are in cells per second.
// Each boolean is a bit of the cell, so no enum would say more.
#[allow(clippy::struct_excessive_bools)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RmCell {
    /// Cell loss priority: true if the cell was sent out of rate.
    pub clp: bool,
    /// Direction (DIR): true on the way from the destination back to the source.
    pub backward: bool,
    /// Backward notification (BN): true if the source did not generate the cell.
    pub bn: bool,
    /// Congestion indication: true if the source must lower its rate.
    pub ci: bool,
    /// No increase: true if the source must not raise its rate.
    pub ni: bool,
    /// Explicit rate: upper bound of the source's rate.
    pub er: f64,
    /// Current cell rate: the allowed rate of the source when it sent the cell.
    pub ccr: f64,
    /// Minimum cell rate: a rate that the source is always allowed.
    pub mcr: f64,
}

impl RmCell {
    /// This cell with its rates rounded down to the 16-bit format.
    pub fn quantised(self) -> RmCell {
        let [er, ccr, mcr] = [self.er, self.ccr, self.mcr].map(|rate| RateCode::below(rate).rate());
        RmCell {
            er,
            ccr,
            mcr,
            ..self
        }
    }
}

/// A rate in the 16-bit format: one reserved bit, one that is zero only for rate zero, five bits of
/// exponent and nine of mantissa. TM 4.0, section 5.10.3.2.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RateCode(pub u16);

const NONZERO: u16 = 1 << 14;
const MANTISSA_BITS: u32 = 9;
const MANTISSA: u16 = (1 << MANTISSA_BITS) - 1;
/// The highest rate: 2^31 (1 + 511/512) cells per second.
const HIGHEST: RateCode = RateCode(NONZERO | 31 << MANTISSA_BITS | MANTISSA);

impl RateCode {
    /// The code of the highest rate not above `rate`; below one cell per second the code is zero.
    pub fn below(rate: f64) -> RateCode {
        if rate < 1.0 {
            return RateCode(0);
        }
        if rate >= HIGHEST.rate() {
            return HIGHEST;
        }
        // A double has the same form with more bits of mantissa; the bits beyond nine are cut off.
        let double = rate.to_bits() >> (f64::MANTISSA_DIGITS - 1 - MANTISSA_BITS);
        let bias = 1023 << MANTISSA_BITS;
        RateCode(NONZERO | (double - bias) as u16)
    }

    /// The rate in cells per second.
    pub fn rate(self) -> f64 {
        if self.0 & NONZERO == 0 {
            return 0.0;
        }
        let exponent = (self.0 & !NONZERO) >> MANTISSA_BITS & 31;
        let mantissa = 512 + u64::from(self.0 & MANTISSA);
        (mantissa << exponent) as f64 / 512.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rate_is_rounded_down_to_nine_bits() {
        let rounded = [
            (0.7, 0.0),
            (1.0, 1.0),
            (1.999, 1.998_046_875),
            (366_792.0, 366_592.0),
            (23_585.0, 23_584.0),
            (1e12, 4_290_772_992.0),
        ];
        for (rate, expected) in rounded {
            assert_eq!(RateCode::below(rate), RateCode::below(expected));
            assert!((RateCode::below(rate).rate() - expected).abs() < 1e-12);
        }
    }

    #[test]
    fn every_code_is_the_code_of_its_rate() {
        for code in NONZERO..=HIGHEST.0 {
            assert_eq!(RateCode::below(RateCode(code).rate()), RateCode(code));
        }
    }
}
