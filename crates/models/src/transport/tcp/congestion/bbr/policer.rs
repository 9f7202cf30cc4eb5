//! The long-term bandwidth of a flow behind a policer, which drops what exceeds its tokens.
//!
//! The flow looks for two long intervals with many losses and nearly the same rate. If it finds them, it
//! keeps to their mean rate for a while.
//!
//! Linux has the rule since 4.9 (2016), in `bbr_lt_bw_sampling` and `bbr_lt_bw_interval_done`; Flach and
//! others, "An Internet-Wide Analysis of Traffic Policing", SIGCOMM 2016. The draft of 2017 names the
//! rule and leaves it out. Departs from Linux after a timeout: Linux counts all segments as lost that the
//! timeout marks, and one counts here, because the receiver has reported none of the others.

use kernel::{Duration, Time};

use super::{Phase, State};
use crate::transport::tcp::congestion::Delivery;

/// Rounds of an interval, at least and at most: `bbr_lt_intvl_min_rtts`.
const FEWEST_ROUNDS: u32 = 4;
const MOST_ROUNDS: u32 = 4 * FEWEST_ROUNDS;

/// Octets lost in an interval for each one delivered, at least: `bbr_lt_loss_thresh`. That is 16 % of what
/// is sent.
const LOSS: f64 = 50.0 / 256.0;

/// Difference of two intervals, as a share or in bit/s, up to which they have a rate in common:
/// `bbr_lt_bw_ratio`, `bbr_lt_bw_diff`.
const RATIO: f64 = 0.125;
const DIFFERENCE: f64 = 4000.0;

/// Rounds for which the rate is used: `bbr_lt_bw_max_rtts`.
const USE: u32 = 48;

/// Shortest interval whose rate counts.
const SHORTEST: Duration = Duration::from_ms(1);

/// The long-term bandwidth of one sender.
#[derive(Default)]
pub struct LongTerm {
    /// Rate in bit/s of the latest interval, or the mean of two while it is used; zero before the first.
    rate: f64,
    is_used: bool,
    /// The interval that is being measured.
    interval: Option<Interval>,
    /// Rounds in the interval, or of the use of the rate.
    rounds: u32,
    /// Octets lost since the start.
    lost: u64,
    /// Octets delivered since the start, and the time of the last delivery.
    delivered: u64,
    delivered_at: Time,
}

/// The counts at the start of an interval.
#[derive(Clone, Copy)]
struct Interval {
    since: Time,
    delivered: u64,
    lost: u64,
}

/// The change that a sample causes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LongTermChange {
    None,
    /// A policer is found, and its rate is used.
    Begins,
    /// The rate has been used for long enough.
    Ends,
}

impl LongTerm {
    /// The rate in bit/s, while it is used.
    pub fn rate(&self) -> Option<f64> {
        self.is_used.then_some(self.rate)
    }

    /// Forgets all rates and intervals.
    pub fn forget(&mut self) {
        (self.rate, self.is_used, self.interval, self.rounds) = (0.0, false, None, 0);
    }

    /// Takes a sample. `is_limited` is true if something else than the path limited it, and `probes` if
    /// the flow is in `ProbeBW`.
    pub fn take(
        &mut self,
        sample: &Delivery,
        ends_round: bool,
        is_limited: bool,
        probes: bool,
    ) -> LongTermChange {
        self.lost += sample.lost;
        if sample.newly > 0 {
            (self.delivered, self.delivered_at) = (sample.delivered, sample.now);
        }
        if sample.rate.is_none() {
            return LongTermChange::None;
        }
        if self.is_used {
            return self.go_on(probes && ends_round);
        }
        self.measure(sample.lost > 0, ends_round, is_limited)
    }

    /// The timer expires: the round ends, and a segment of `mss` octets counts as lost.
    pub fn on_timeout(&mut self, mss: u64, probes: bool) -> LongTermChange {
        self.lost += mss;
        if self.is_used {
            return self.go_on(probes);
        }
        self.measure(true, true, false)
    }

    /// Goes on using the rate; a round ends if it `counts`.
    fn go_on(&mut self, counts: bool) -> LongTermChange {
        self.rounds += u32::from(counts);
        if self.rounds < USE {
            return LongTermChange::None;
        }
        self.forget();
        LongTermChange::Ends
    }

    fn measure(&mut self, loses: bool, ends_round: bool, is_limited: bool) -> LongTermChange {
        // The first loss shows that the tokens are spent.
        if self.interval.is_none() && loses {
            self.begin_interval();
        }
        let Some(interval) = self.interval else {
            return LongTermChange::None;
        };
        self.rounds += u32::from(ends_round);
        if is_limited || self.rounds > MOST_ROUNDS {
            self.forget();
        } else if self.rounds >= FEWEST_ROUNDS && loses {
            return self.end_interval(interval);
        }
        LongTermChange::None
    }

    fn begin_interval(&mut self) {
        self.rounds = 0;
        self.interval = Some(Interval {
            since: self.delivered_at,
            delivered: self.delivered,
            lost: self.lost,
        });
    }

    /// A loss ends the interval, if enough was lost in it.
    fn end_interval(&mut self, interval: Interval) -> LongTermChange {
        let lost = (self.lost - interval.lost) as f64;
        let delivered = (self.delivered - interval.delivered) as f64;
        let span = self.delivered_at.since(interval.since);
        if delivered == 0.0 || lost < LOSS * delivered || span < SHORTEST {
            return LongTermChange::None;
        }
        let rate = delivered * 8.0 / span.seconds();
        let difference = (rate - self.rate).abs();
        let is_alike = difference <= RATIO * self.rate || difference <= DIFFERENCE;
        if self.rate > 0.0 && is_alike {
            (self.rate, self.is_used) = (self.rate.midpoint(rate), true);
            self.rounds = 0;
            return LongTermChange::Begins;
        }
        self.rate = rate;
        self.begin_interval();
        LongTermChange::None
    }
}

impl State {
    /// The rate of a policer in bit/s, while it is used.
    pub(super) fn policed(&self) -> Option<f64> {
        self.long_term.as_ref()?.rate()
    }

    /// Takes a change of the long-term bandwidth.
    pub(super) fn police(&mut self, now: Time, change: Option<LongTermChange>) {
        match (change, self.phase) {
            (Some(LongTermChange::Begins), Phase::ProbeBw { .. }) => self.gain = 1.0,
            (Some(LongTermChange::Ends), _) => self.probe_bandwidth(now),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A flow, round after round.
    #[derive(Default)]
    struct Rounds {
        state: LongTerm,
        /// Octets delivered since the start.
        delivered: u64,
        now: Time,
    }

    impl Rounds {
        /// What becomes of the state in a round of `ms`, in which ten samples of 1000 octets arrive, and
        /// with as many as are `lost` another 1000 octets are lost each.
        fn round(&mut self, lost: u64, ms: u64) -> LongTermChange {
            let mut found = LongTermChange::None;
            for number in 0..10 {
                self.delivered += 1000;
                self.now += Duration::from_ms(ms) / 10;
                let sample = Delivery {
                    now: self.now,
                    delivered: self.delivered,
                    newly: 1000,
                    rate: Some(1e6),
                    lost: if number < lost { 1000 } else { 0 },
                    ..Delivery::default()
                };
                let change = self.state.take(&sample, number == 0, false, true);
                if change != LongTermChange::None {
                    found = change;
                }
            }
            found
        }
    }

    #[test]
    fn two_intervals_alike_with_a_fifth_lost_of_what_arrives_show_a_policer() {
        let mut rounds = Rounds::default();
        let changes: Vec<LongTermChange> = (0..12).map(|_| rounds.round(2, 100)).collect();
        let begins = changes
            .iter()
            .position(|change| *change == LongTermChange::Begins);
        let begins = begins.expect("a policer");
        assert!((7..=11).contains(&begins), "{changes:?}");
        let rate = rounds.state.rate().expect("its rate is used");
        // 10,000 octets in 100 ms.
        assert!((rate - 800_000.0).abs() < 40_000.0, "{rate}");
        let mut left = 0;
        while rounds.round(0, 100) != LongTermChange::Ends {
            left += 1;
        }
        assert_eq!(
            (left, rounds.state.rate()),
            (USE - 12 + begins as u32, None)
        );
    }

    #[test]
    fn fewer_losses_or_unlike_rates_show_none() {
        let mut few = Rounds::default();
        assert!((0..400).all(|_| few.round(1, 100) == LongTermChange::None));
        let mut unlike = Rounds::default();
        let mut ms = 20;
        for _ in 0..12 {
            assert!((0..5).all(|_| unlike.round(3, ms) == LongTermChange::None));
            ms = if ms == 20 { 200 } else { 20 };
        }
    }

    #[test]
    fn a_source_that_pauses_shows_none() {
        let mut rounds = Rounds::default();
        (0..7).for_each(|_| assert_eq!(rounds.round(3, 100), LongTermChange::None));
        assert!(rounds.state.interval.is_some());
        assert_eq!(rounds.state.measure(true, true, true), LongTermChange::None);
        assert!(rounds.state.interval.is_none() && rounds.state.rate == 0.0);
    }
}
