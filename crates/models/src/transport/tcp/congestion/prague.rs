//! Prague: DCTCP for the Internet, a scalable congestion control for L4S.
//!
//! De Schepper, Tilmans, Briscoe and Goel, "Prague Congestion Control",
//! draft-briscoe-iccrg-prague-congestion-control; RFC 9331, section 4, has the requirements. As in
//! DCTCP (RFC 8257) the window is cut in proportion to the share of marked data, with exact feedback
//! of each mark. In addition, flows with short round trips grow, estimate and cut as if the round
//! trip took 25 ms, so that they share a queue equally; segments are paced; a loss halves the window,
//! as in Reno, and data is sent as ECT(1).
//!
//! Left out: detection of, and fallback to, routers that mark as in RFC 3168; windows of less than
//! two segments; the 500 round trips after which the draft's implementation begins to be independent
//! of the round trip, which here it is from the start; the limit of bursts in time; the format of
//! Accurate ECN.

use kernel::{Duration, Rate, Time};
use parameters::parameters;

use super::{Ack, CongestionControl, CongestionEvent, CongestionKind, Delivery, Echo, Limits};
use super::{LossRecovery, Prior, Recovery, Reports};
use crate::transport::tcp::marks::MarkedShare;
use crate::transport::tcp::window::{AtSsthresh, Growth, Halve, Window};

parameters! {
    /// Prague, for L4S. It needs `ecn = "exact"`, and queues that mark, such as `dual_pi2`.
    pub struct Prague {
        /// Weight of the latest round in the estimated share of marks.
        #[range(0.0001, 1.0)]
        pub gain: f64 = 0.0625,
        /// Round-trip time for which shorter ones count.
        #[range("1 us", "1 s")]
        pub virtual_rtt: Duration = "25 ms",
        /// Loss recovery.
        pub recovery: LossRecovery = "sack",
    }
}

impl Prague {
    /// The algorithm for one sender.
    pub fn build(&self, limits: &Limits) -> Box<dyn CongestionControl> {
        let growth = Growth {
            at_ssthresh: AtSsthresh::Linear,
            ..parameters::ParameterTable::defaults()
        };
        Box::new(State {
            limits: *limits,
            window: Window::new(limits, &growth, Halve::Flight),
            share: MarkedShare::new(self.gain),
            virtual_rtt: self.virtual_rtt,
            now: Time::ZERO,
            srtt: None,
            round_ends: Time::ZERO,
            cut_from: Time::ZERO,
            grows_by: (0, false),
        })
    }
}

impl CongestionKind for Prague {
    fn recovery(&self) -> Box<dyn Recovery> {
        self.recovery.build()
    }

    fn reports(&self) -> Option<Reports> {
        self.recovery.reports()
    }

    fn needs_exact_marks(&self) -> bool {
        true
    }

    fn paces(&self) -> bool {
        true
    }

    fn counts_delivered(&self) -> bool {
        true
    }
}

struct State {
    limits: Limits,
    window: Window,
    share: MarkedShare,
    virtual_rtt: Duration,
    /// Time of the latest acknowledgment.
    now: Time,
    /// Smoothed round-trip time, with a weight of an eighth for each sample.
    srtt: Option<Duration>,
    /// End of the present round of the estimate.
    round_ends: Time,
    /// Time from which a mark cuts the window again.
    cut_from: Time,
    /// Octets whose growth waits for the sample of the same acknowledgment, and whether slow start
    /// counts them.
    grows_by: (u64, bool),
}

impl State {
    /// The round-trip time that counts: the longer one of the real and the virtual.
    fn round(&self) -> Duration {
        self.srtt.unwrap_or_default().max(self.virtual_rtt)
    }

    /// Growth per round trip beyond ssthresh, as a part of that of Reno: the rate then grows as at
    /// the virtual round-trip time, by a segment per round and round.
    fn pace_of_growth(&self) -> f64 {
        self.srtt.map_or(1.0, |srtt| {
            let part = srtt.seconds() / self.round().seconds();
            part * part
        })
    }
}

impl CongestionControl for State {
    /// The window grows in [`Self::on_delivery`], which gives the latest round-trip time.
    fn on_ack(&mut self, ack: &Ack) {
        self.grows_by = (ack.octets, ack.counts_delivered);
    }

    fn on_loss(&mut self, event: &CongestionEvent) {
        self.window.halve(event);
    }

    fn on_timeout(&mut self, event: &CongestionEvent) {
        self.window.collapse(event);
    }

    /// A mark ends slow start; the cut is that of [`Self::on_echo`].
    fn on_mark(&mut self, _event: &CongestionEvent) {
        let ssthresh = self.window.ssthresh.min(self.window.cwnd());
        self.window.ssthresh = ssthresh.max(2 * self.window.mss());
    }

    /// The estimate of the share of marks, and the cut after the first mark of a round. Our own rule,
    /// as in `dctcp`: the window stays at least two segments, and one of a segment stays.
    fn on_echo(&mut self, echo: &Echo) {
        self.share.count(echo);
        if self.now >= self.round_ends {
            self.share.end_round();
            self.round_ends = self.now + self.round();
        }
        if echo.marked && self.now >= self.cut_from {
            self.window.cut_to(self.share.cut(self.window.cwnd()));
            self.cut_from = self.now + self.round();
        }
    }

    fn on_delivery(&mut self, sample: &Delivery) {
        self.now = sample.now;
        if let Some(rtt) = sample.rtt {
            self.srtt = Some(self.srtt.map_or(rtt, |srtt| (srtt * 7 + rtt) / 8));
        }
        let (mut octets, counts_delivered) = std::mem::take(&mut self.grows_by);
        if octets > 0 && self.window.in_slow_start() {
            octets = self.window.open(octets, counts_delivered);
        }
        if octets > 0 {
            self.window.grow_by(octets, self.pace_of_growth());
        }
    }

    fn cwnd(&self) -> u64 {
        self.window.cwnd()
    }

    /// A window of user data in a round-trip time, and two in slow start.
    fn pacing_rate(&self) -> Option<Rate> {
        let srtt = self.srtt.filter(|srtt| *srtt > Duration::ZERO)?;
        let windows = if self.window.in_slow_start() {
            2.0
        } else {
            1.0
        };
        let rate = windows * self.window.cwnd() as f64 * 8.0 / srtt.seconds();
        Some(self.limits.pacing_rate(rate))
    }

    fn resume_from(&mut self, octets: u64) {
        self.window.set(octets);
    }

    fn ssthresh(&self) -> u64 {
        self.window.ssthresh
    }

    fn undo(&mut self, prior: &Prior) {
        self.window.undo(prior);
    }

    fn raise_ssthresh(&mut self, octets: u64) {
        self.window.raise_ssthresh(octets);
    }

    fn wants_delivery(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use parameters::ParameterTable;

    use super::*;

    const MSS: u64 = 1000;

    /// The window after a second without marks, from 100 segments on.
    fn after_a_second(rtt_ms: u64) -> u64 {
        let limits = Limits {
            mss: MSS,
            window: 10_000 * MSS,
            initial: 100 * MSS,
            ssthresh: 100 * MSS - 1,
            header: 40,
        };
        let mut prague = Prague::defaults().build(&limits);
        let rtt = Duration::from_ms(rtt_ms);
        let mut now = Time::ZERO;
        while now < Time::ZERO + Duration::from_ms(1000) {
            now += rtt;
            for _ in 0..prague.cwnd() / MSS {
                prague.on_ack(&Ack {
                    octets: MSS,
                    ..Ack::default()
                });
                prague.on_delivery(&Delivery {
                    now,
                    rtt: Some(rtt),
                    ..Delivery::default()
                });
            }
        }
        prague.cwnd() / MSS
    }

    /// At 100 ms ten round trips add a segment each; at 5 ms 200 round trips add a 25th each.
    #[test]
    fn the_rate_grows_as_at_the_virtual_round_trip_time() {
        for (ms, segments) in [(100, 10), (25, 40), (5, 8)] {
            let grown = after_a_second(ms) - 100;
            // A window that grows divides its own growth.
            assert!(
                (segments - 1..=segments).contains(&grown),
                "{grown} at {ms} ms"
            );
        }
    }

    /// Marks of every acknowledgment halve the window once in 25 ms, however short the round trip.
    #[test]
    fn the_window_is_cut_once_in_a_virtual_round_trip_time() {
        let mut prague = Prague::defaults().build(&Limits {
            mss: MSS,
            window: 10_000 * MSS,
            initial: 1024 * MSS,
            ssthresh: 1000 * MSS,
            header: 40,
        });
        let mut windows = Vec::new();
        for ms in (0..60).step_by(5) {
            prague.on_delivery(&Delivery {
                now: Time::ZERO + Duration::from_ms(ms),
                rtt: Some(Duration::from_ms(5)),
                ..Delivery::default()
            });
            let marked = true;
            prague.on_echo(&Echo {
                octets: MSS,
                marked,
                ..Echo::default()
            });
            windows.push(prague.cwnd() / MSS);
        }
        assert_eq!(
            windows,
            [[512; 5], [256; 5]]
                .concat()
                .into_iter()
                .chain([128; 2])
                .collect::<Vec<_>>()
        );
    }
}
