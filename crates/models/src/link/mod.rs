//! Links: their parameters, and what their two ends do.
//!
//! From the bottom up: a [`line`] is the only record of when a direction is free; [`loss`] decides what
//! is lost, and a [`tap`] notes what passes; [`pause`] and [`credit`] let the far end hold packets or
//! cells back, and the [`gate`] is where packets wait for either; [`control`] says what the far end must
//! be told, and what a message of it changes; [`retry`] sends again what was lost; the [`transmitter`]
//! puts units onto the link, and takes what arrives from the far end apart.
//!
//! Our own restriction: the rate and the delay are those of both directions, unless the link says that
//! its rate changes in one, because the networks of the published studies have such links.

pub mod control;
pub mod credit;
pub mod gate;
pub mod line;
pub mod loss;
pub mod pause;
pub mod retry;
pub mod tap;
pub mod transmitter;

use kernel::{Duration, Rate, Time};
use parameters::{Conflict, Propagation, parameters};

use credit::CreditSpec;
use loss::{LinkDirection, LossAt, LossSpec};
use pause::PauseSpec;
use retry::RetrySpec;

use crate::rates::{RateChangesSpec, Schedule};
use crate::shaper::ShaperSpec;

parameters! {
    /// A link between two nodes, one in each direction; a group has one link for each member.
    #[check(check)]
    pub struct LinkSpec {
        /// Names of the two nodes or groups.
        #[alias("ends")]
        #[alias("nodes")]
        pub between: Vec<String>,
        /// Rate of the physical layer that is available to cells or packets.
        #[alias("bandwidth")]
        #[alias("capacity")]
        #[alias("speed")]
        #[range("1 bit/s", "10 Tbit/s")]
        pub rate: Rate,
        /// Changes of the rate during the run, for links that carry whole packets; if not given, the
        /// rate stays.
        pub rate_changes: Option<RateChangesSpec>,
        /// Directions in which the rate changes, where `rate` is that of the other; if not given, both.
        pub rate_direction: Option<LinkDirection>,
        /// Shaper of whole packets in front of the link; if not given, none.
        pub shaper: Option<ShaperSpec>,
        /// Directions with the shaper; if not given, both.
        pub shaper_direction: Option<LinkDirection>,
        /// Propagation delay, or a distance at 5 us/km: `m` is a metre, and `min` a minute.
        #[alias("latency")]
        #[alias("propagation")]
        #[alias("distance")]
        #[range("0 s", "1 h")]
        pub delay: Propagation = "0 s",
        /// Losses on the link, apart from drops at buffers; if not given, none.
        pub loss: Option<LossSpec>,
        /// Place at which the link loses cells or packets.
        pub loss_at: LossAt = "transmission",
        /// Directions in which the link loses; if not given, losses that are listed happen forward, and
        /// all others in both directions.
        pub loss_direction: Option<LinkDirection>,
        /// Times in which the link is down in both directions, in order; if not given, none.
        pub outages: Option<Vec<Outage>>,
        /// Credit-based flow control by the far end, in each direction: by switches for cells, and by
        /// all nodes but edges for whole packets; if not given, none.
        pub credit: Option<CreditSpec>,
        /// Pauses by the routers at the ends of the link, which then lose no packet; if not given,
        /// none.
        pub pause: Option<PauseSpec>,
        /// Retry of whole packets that the link loses, by its two ends; if not given, none.
        pub retry: Option<RetrySpec>,
    }

    /// A time in which a link loses what is sent, or is on its way.
    pub struct Outage {
        /// Start of the outage.
        pub at: Duration,
        /// Length of the outage.
        #[range("1 ps", "1000 h")]
        pub lasts: Duration,
        /// Time from the start, and from the end, until all nodes have changed their routes.
        #[range("0 s", "1000 h")]
        pub repair_delay: Duration = "0 s",
    }
}

impl Outage {
    /// Start and end of the outage.
    pub fn span(&self) -> [Time; 2] {
        let start = Time::ZERO + self.at;
        [start, start + self.lasts]
    }

    /// Start and end of the time in which no route leads over the link.
    pub fn avoided(&self) -> [Time; 2] {
        self.span().map(|time| time + self.repair_delay)
    }
}

impl LinkSpec {
    /// The shaper in a direction, `reverse` or not.
    pub fn shaper(&self, reverse: bool) -> Option<&ShaperSpec> {
        let direction = self.shaper_direction.unwrap_or(LinkDirection::Both);
        let shaper = self.shaper.as_ref();
        shaper.filter(|_| direction.includes(reverse))
    }

    /// The changes of the rate in a direction, `reverse` or not; none if it never changes.
    pub fn schedule(&self, reverse: bool) -> Option<Schedule> {
        let changes = self.rate_changes.as_ref()?;
        let direction = self.rate_direction.unwrap_or(LinkDirection::Both);
        let applies = direction.includes(reverse);
        applies.then(|| changes.schedule(self.rate))
    }

    fn check(&self) -> Option<Conflict> {
        let outages = self.outages.iter().flatten();
        let spans: Vec<[Time; 2]> = outages.map(Outage::span).collect();
        let overlaps = |pair: &[[Time; 2]]| pair[0][1] > pair[1][0];
        if let Some(before) = spans.windows(2).position(overlaps) {
            return Some(Conflict {
                name: "outages",
                problem: format!(
                    "`outages[{}]` starts before `outages[{before}]` ends",
                    before + 1
                ),
                hint: "list the outages in the order of their times, and only one for each time"
                    .to_string(),
            });
        }
        if self.loss_at == LossAt::Transmission {
            return None;
        }
        let timed = self.loss.as_ref().filter(|loss| loss.needs_instants());
        let problem = match self.credit {
            Some(_) => "`credit` is given too, and recovers only losses on the link".to_string(),
            None if self.retry.is_some() => {
                "`retry` is given too, and recovers only losses on the link".to_string()
            }
            None if !spans.is_empty() => {
                "an outage loses units on the link, so `loss_at` must be `transmission`".to_string()
            }
            None => {
                let kind = timed?.kind();
                format!("`loss.{kind}` loses on the link, not before the queue")
            }
        };
        Some(Conflict {
            name: "loss_at",
            problem,
            hint: "write `transmission`, or leave `loss_at` out".to_string(),
        })
    }
}
