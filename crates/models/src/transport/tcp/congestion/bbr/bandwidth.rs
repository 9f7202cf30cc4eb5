//! The bandwidth of the bottleneck as BBR estimates it: the largest delivery rate of the latest round
//! trips. draft-cardwell-iccrg-bbr-congestion-control-00, section 4.1.1.

use std::collections::VecDeque;

use crate::transport::tcp::congestion::Delivery;

/// Rounds over which the largest delivery rate counts: section 4.1.1.
const ROUNDS: u64 = 10;

/// The estimate of one sender, with its count of rounds.
#[derive(Default)]
pub struct Bandwidth {
    /// The largest delivery rates in bit/s and the rounds in which they were measured, the largest
    /// first.
    rates: VecDeque<(u64, f64)>,
    round: u64,
    /// Octets delivered when the present round began.
    round_ends: u64,
}

impl Bandwidth {
    /// `BBR.BtlBw` in bit/s; zero before the first sample.
    pub fn rate(&self) -> f64 {
        self.rates.front().map_or(0.0, |(_, rate)| *rate)
    }

    /// Number of rounds that have ended.
    #[cfg(test)]
    pub fn round(&self) -> u64 {
        self.round
    }

    /// True if the sample ends a round: data sent after its start is delivered.
    pub fn ends_round(&mut self, sample: &Delivery) -> bool {
        if sample.newly == 0 || sample.prior_delivered < self.round_ends {
            return false;
        }
        self.begin_round(sample);
        self.round += 1;
        true
    }

    /// The present round begins anew.
    pub fn begin_round(&mut self, sample: &Delivery) {
        self.round_ends = sample.delivered;
    }

    /// Takes the delivery rate of a sample; one that is limited by other than the path can only raise
    /// the estimate.
    pub fn take(&mut self, sample: &Delivery, is_limited: bool) {
        let Some(rate) = sample.rate else {
            return;
        };
        if is_limited && rate < self.rate() {
            return;
        }
        while self
            .rates
            .pop_back_if(|(_, known)| *known <= rate)
            .is_some()
        {}
        self.rates.push_back((self.round, rate));
        while self
            .rates
            .pop_front_if(|(round, _)| *round + ROUNDS <= self.round)
            .is_some()
        {}
    }
}
