//! The extra data that acknowledgments report at once, where receivers and links gather them: data for
//! which the window makes room, so that sending goes on between two acknowledgments.
//!
//! `bbr_update_ack_aggregation` and `bbr_ack_aggregation_cwnd` of Linux, from 5.1 on (2019); the draft of
//! 2017 has no such rule.

use kernel::{Duration, Time};

use crate::transport::tcp::congestion::Delivery;

/// Rounds in each of the two windows whose largest excess counts: `bbr_extra_acked_win_rtts`.
const ROUNDS: u32 = 5;

/// Segments after which an epoch begins anew: `bbr_ack_epoch_acked_reset_thresh`.
const LONGEST: f64 = (1 << 20) as f64;

/// Time at the bandwidth that bounds the excess: `bbr_extra_acked_max_us`.
const MOST: Duration = Duration::from_ms(100);

/// The excess of one sender, in octets.
#[derive(Default)]
pub struct Aggregation {
    /// Start of the present epoch, and octets acknowledged since then.
    since: Time,
    acknowledged: f64,
    /// The largest excess of the present window of rounds and of the one before.
    most: [f64; 2],
    /// Rounds in the present window.
    rounds: u32,
}

impl Aggregation {
    /// Takes a sample, with the bandwidth `rate` in bit/s, a window of `cwnd` octets and segments of
    /// `mss`.
    pub fn take(&mut self, sample: &Delivery, ends_round: bool, rate: f64, cwnd: f64, mss: f64) {
        if sample.newly == 0 || sample.rate.is_none() {
            return;
        }
        if ends_round {
            self.rounds += 1;
            if self.rounds >= ROUNDS {
                self.rounds = 0;
                self.most = [0.0, self.most[0]];
            }
        }
        let newly = sample.newly as f64;
        let mut expected = rate * sample.now.since(self.since).seconds() / 8.0;
        if self.acknowledged <= expected || self.acknowledged + newly >= LONGEST * mss {
            (self.since, self.acknowledged, expected) = (sample.now, 0.0, 0.0);
        }
        self.acknowledged += newly;
        let extra = (self.acknowledged - expected).min(cwnd);
        self.most[0] = self.most[0].max(extra);
    }

    /// Octets for which the window makes room.
    pub fn extra(&self, rate: f64) -> f64 {
        let most = self.most[0].max(self.most[1]);
        most.min(rate * MOST.seconds() / 8.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MSS: f64 = 1000.0;
    const RATE: f64 = 8e6;

    /// The extra data in octets if a segment a millisecond is acknowledged by `each` at a time.
    fn extra(each: u64, acks: u64, cwnd: f64) -> u64 {
        let mut aggregation = Aggregation::default();
        for ack in 1..=acks {
            let sample = Delivery {
                now: Time::ZERO + Duration::from_ms(each * ack),
                newly: each * 1000,
                rate: Some(RATE),
                ..Delivery::default()
            };
            aggregation.take(&sample, ack % 10 == 0, RATE, cwnd, MSS);
        }
        aggregation.extra(RATE) as u64
    }

    #[test]
    fn what_an_acknowledgment_covers_is_extra() {
        assert_eq!(extra(1, 100, 1e6), 1000);
        assert_eq!(extra(8, 100, 1e6), 8000);
        assert_eq!(extra(8, 100, 5000.0), 5000, "a window");
        assert_eq!(extra(150, 100, 1e6), 100_000, "100 ms");
    }

    #[test]
    fn an_excess_counts_for_five_to_ten_rounds() {
        let mut aggregation = Aggregation::default();
        let mut at = |ms: u64, newly: u64| {
            let sample = Delivery {
                now: Time::ZERO + Duration::from_ms(ms),
                newly,
                rate: Some(RATE),
                ..Delivery::default()
            };
            aggregation.take(&sample, true, RATE, 1e6, MSS);
            aggregation.extra(RATE) as u64
        };
        at(1, 1000);
        assert_eq!(at(21, 20_000), 20_000);
        let after: Vec<u64> = (1..10).map(|round| at(21 + 20 * round, 1000)).collect();
        assert_eq!(after[..7], [20_000; 7]);
        assert_eq!(after[7..], [1000; 2]);
    }
}
