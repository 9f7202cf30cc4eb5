//! Rate control: a fixed number of octets in each RTIMER.
//!
//! The sender spends a credit, initially one burst. The first packet after a renewal of the credit
//! starts RTIMER, which runs for the duration of a burst at the rate. When RTIMER expires, the
//! credit is one burst again; the unspent rest of the old credit is lost. A packet that exceeds the
//! credit waits for the renewal. The rate control with its parameters burst and rate is that of
//! Ajmone Marsan, Bianco, Lo Cigno, Munafò and Baldi, "On the Performance of Transport Protocols
//! over ATM Networks", section 2.2. Our own rule, because the paper does not treat the case: a
//! packet that exceeds the rest of the credit waits.

use kernel::{Duration, Rate, Time};

/// The rate control of one sender.
#[derive(Clone, Debug)]
pub struct RateControl {
    burst: u64,
    /// Period of RTIMER.
    period: Duration,
    credit: u64,
    /// Expiry of RTIMER; in the past if it is not running.
    rtimer: Time,
}

impl RateControl {
    /// At most `burst` octets at once, and at most `rate` in the long run.
    pub fn new(burst: u64, rate: Rate) -> RateControl {
        RateControl {
            burst,
            period: rate.transmission(burst.saturating_mul(8)),
            credit: burst,
            rtimer: Time::ZERO,
        }
    }

    /// Octets that may be sent at `now`.
    pub fn credit(&self, now: Time) -> u64 {
        if now < self.rtimer {
            self.credit
        } else {
            self.burst
        }
    }

    /// `octets` are sent, within the credit.
    pub fn sent(&mut self, now: Time, octets: u64) {
        self.credit = self.credit(now) - octets;
        if self.rtimer <= now {
            self.rtimer = now + self.period;
        }
    }

    /// Expiry of RTIMER.
    pub fn rtimer(&self) -> Time {
        self.rtimer
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// A sender that always has data sends packets of any sizes, at any times.
        #[test]
        fn never_more_than_a_burst_in_an_rtimer_and_the_rate_in_the_long_run(
            burst in 1u64..5,
            rate in 1_000_000u64..1_000_000_000,
            asked in prop::collection::vec((0u64..2_000, 1u64..=1_000), 1..200),
        ) {
            let (burst, rate) = (burst * 1_000, Rate::from_bits_per_second(rate));
            let period = rate.transmission(burst * 8);
            let mut control = RateControl::new(burst, rate);
            let (mut now, mut sent) = (Time::ZERO, Vec::new());
            for (us, octets) in asked {
                now += Duration::from_us(us);
                if octets <= control.credit(now) {
                    control.sent(now, octets);
                    sent.push((now, octets));
                }
            }
            // Each RTIMER begins with the first packet after the expiry of the RTIMER before.
            let (mut begun, mut within) = (None, 0);
            for (now, octets) in sent.iter().copied() {
                if begun.is_none_or(|begun: Time| now >= begun + period) {
                    (begun, within) = (Some(now), 0);
                }
                within += octets;
                prop_assert!(within <= burst, "{within} octets in an RTIMER");
            }
            // In any span of time the sender sends at most the rate times the span, one burst for
            // the RTIMER in which the span begins, and one for the RTIMER in which it ends.
            for (first, (begin, _)) in sent.iter().enumerate() {
                let mut sum = 0;
                for (now, octets) in &sent[first..] {
                    sum += octets;
                    let rtimers = now.since(*begin).ps().div_ceil(period.ps()) + 1;
                    prop_assert!(sum <= burst * rtimers, "{sum} octets in {rtimers} RTIMERs");
                }
            }
        }

        #[test]
        fn a_greedy_sender_gets_the_rate(burst in 1u64..5, rate in 1_000_000u64..1_000_000_000) {
            let rate = Rate::from_bits_per_second(rate);
            let mut control = RateControl::new(burst * 1_000, rate);
            let (mut now, mut sent) = (Time::ZERO, 0);
            while sent < 1_000_000 {
                if control.credit(now) < 1_000 {
                    now = control.rtimer();
                }
                control.sent(now, 1_000);
                sent += 1_000;
            }
            let exact = rate.transmission(8_000_000 - 8_000 * burst);
            let wrong = now.since(Time::ZERO).max(exact) - now.since(Time::ZERO).min(exact);
            // The tolerance is one picosecond for each RTIMER, and the fraction of a burst.
            prop_assert!(wrong <= rate.transmission(8_000 * burst) + Duration::from_ps(1_000));
        }
    }
}
