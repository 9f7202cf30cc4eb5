//! CUBIC: after a loss the window returns to its former size along a cubic curve of time.
//!
//! RFC 9438, "CUBIC for Fast and Long-Distance Networks", 2023; the sections cited here are those
//! of this RFC. The window is kept in segments and fractions of them.

use kernel::Time;
use parameters::{Fraction, choices, parameters};

use super::{Ack, CongestionControl, CongestionEvent, CongestionKind, Limits, LossRecovery, Prior};
use crate::transport::tcp::recovery::{Recovery, Reports};
use crate::transport::tcp::slow_start::{GrowthStep, SlowStart, SlowStartSpec};

parameters! {
    /// CUBIC, the congestion control of most hosts today: RFC 9438.
    pub struct Cubic {
        /// Steepness of the curve, in segments per cubed second: section 5.1.
        #[range(0.001, 1000.0)]
        pub c: f64 = 0.4,
        /// Ratio of the window after a loss to the window before it: section 4.6.
        pub beta: Fraction = "70 %",
        /// Amount of data that a loss reduces: section 4.6 has the flight size.
        pub cut_of: CutOf = "flight",
        /// True if a flow that loses before it regains its last maximum window lowers that maximum:
        /// section 4.7.
        pub fast_convergence: bool = true,
        /// Rule by which the first slow start opens the window, and ends before a loss: section
        /// 4.10.
        pub slow_start: SlowStartSpec = default,
        /// Loss recovery.
        pub recovery: LossRecovery = "sack",
    }
}

choices! {
    /// Amount of data that a loss reduces.
    pub enum CutOf {
        /// The flight size, if it is less than the window: RFC 9438.
        flight => Flight,
        /// The window, which an application may not have filled: Linux (`cubictcp_recalc_ssthresh`).
        window => Window,
    }
}

impl Cubic {
    /// The algorithm for one sender.
    pub fn build(&self, limits: &Limits) -> Box<dyn CongestionControl> {
        let segments = |octets: u64| octets as f64 / limits.mss as f64;
        Box::new(State {
            opening: Some(self.slow_start.build(limits)),
            spec: self.clone(),
            limits: *limits,
            cwnd: segments(limits.initial.min(limits.window)),
            ssthresh: segments(limits.ssthresh),
            curve: Curve::default(),
            remembered: Curve::default(),
            unused_since: None,
        })
    }
}

impl CongestionKind for Cubic {
    fn recovery(&self) -> Box<dyn Recovery> {
        self.recovery.build()
    }

    fn reports(&self) -> Option<Reports> {
        self.recovery.reports()
    }

    fn needs_exact_marks(&self) -> bool {
        false
    }

    fn counts_delivered(&self) -> bool {
        // RFC 9406, section 4.2, and Linux (`tcp_slow_start`).
        true
    }
}

/// The curve along which the window grows: section 4.1.2.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Curve {
    /// Window before the last loss, in segments.
    w_max: f64,
    /// `cwnd_prior`: the window when ssthresh was last set, in segments.
    prior: f64,
    /// Congestion avoidance since the last loss or slow start, if it has begun.
    epoch: Option<Epoch>,
}

/// Congestion avoidance since the last loss or slow start: section 4.2.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Epoch {
    /// Time of its start.
    start: Time,
    /// Time in seconds until the curve is back at `w_max`.
    k: f64,
    /// Window at the flat part of the curve, in segments.
    origin: f64,
    /// The window that Reno would have, in segments: section 4.3.
    w_est: f64,
}

struct State {
    spec: Cubic,
    limits: Limits,
    /// Congestion window. All windows in this structure are in segments.
    cwnd: f64,
    ssthresh: f64,
    curve: Curve,
    /// The curve before the last loss or timeout that may be spurious.
    remembered: Curve,
    /// The first slow start, until it ends.
    opening: Option<Box<dyn SlowStart>>,
    /// Time since which the congestion window has not limited the sender.
    unused_since: Option<Time>,
}

impl State {
    fn begin_epoch(&self, now: Time) -> Epoch {
        // Sections 4.8 and 4.10: after a timeout, or a slow start without a loss, the curve begins
        // at its flat part.
        let origin = self.curve.w_max.max(self.cwnd);
        Epoch {
            start: now,
            k: libm::cbrt((origin - self.cwnd) / self.spec.c),
            origin,
            w_est: self.cwnd,
        }
    }

    /// Section 4.10: slow start, which HyStart may end before a loss. Returns the octets that are
    /// left for congestion avoidance.
    fn open(&mut self, ack: &Ack) -> u64 {
        let (cwnd, mss) = (self.cwnd(), self.limits.mss);
        let step = match &mut self.opening {
            Some(opening) => opening.on_ack(ack, cwnd),
            None => GrowthStep::grows(ack.opens(mss)),
        };
        let growth = step.growth as f64 / mss as f64;
        // Where acknowledgments count, the last of them is not cut to ssthresh.
        let opened = if ack.counts_delivered {
            growth.min(self.ssthresh - self.cwnd)
        } else {
            growth
        };
        self.cwnd += opened;
        if step.ends {
            self.opening = None;
            self.ssthresh = self.cwnd;
        }
        step.left + ((growth - opened) * mss as f64) as u64
    }

    /// Passes HyStart an acknowledgment for which the window does not grow.
    fn watch(&mut self, ack: &Ack) {
        let cwnd = self.cwnd();
        let opening = self.opening.as_mut();
        if opening.is_some_and(|opening| opening.on_ack(ack, cwnd).ends) {
            self.opening = None;
            self.ssthresh = self.cwnd;
        }
    }

    /// Sections 4.2 to 4.5: the window approaches the value of the curve one round trip ahead, and
    /// is not below the window that Reno would have.
    fn avoid(&mut self, ack: &Ack, octets: u64) {
        let mut epoch = self
            .curve
            .epoch
            .unwrap_or_else(|| self.begin_epoch(ack.now));
        let segments = octets as f64 / self.limits.mss as f64;
        let beta = self.spec.beta.0;
        let alpha = if epoch.w_est < self.curve.prior {
            3.0 * (1.0 - beta) / (1.0 + beta)
        } else {
            1.0
        };
        epoch.w_est += alpha * segments / self.cwnd;
        let curve = |seconds: f64| {
            let from_flat = seconds - epoch.k;
            self.spec.c * from_flat * from_flat * from_flat + epoch.origin
        };
        let elapsed = ack.now.since(epoch.start).seconds();
        if curve(elapsed) < epoch.w_est {
            self.cwnd = self.cwnd.max(epoch.w_est);
        } else {
            let target = curve(elapsed + ack.srtt.seconds()).clamp(self.cwnd, 1.5 * self.cwnd);
            // Departs from section 4.4, which adds the step once for each acknowledgment. Here the
            // step is added once for each segment acknowledged, as Linux does, so that delayed
            // acknowledgments do not slow the growth.
            self.cwnd += (target - self.cwnd) / self.cwnd * segments;
        }
        self.curve.epoch = Some(epoch);
    }

    /// The answer to a loss: sections 4.6 and 4.7.
    fn reduce(&mut self, event: &CongestionEvent) {
        self.opening = None;
        if event.again {
            return;
        }
        let beta = self.spec.beta.0;
        self.curve.w_max = if self.spec.fast_convergence && self.cwnd < self.curve.w_max {
            self.cwnd * (1.0 + beta) / 2.0
        } else {
            self.cwnd
        };
        // Departs from section 4.6, which multiplies the flight size even if it exceeds the window.
        // Segments behind a lost retransmission belong to the flight size but have left the path,
        // which never held more than the window.
        let flight = event.flight as f64 / self.limits.mss as f64;
        let used = match self.spec.cut_of {
            CutOf::Flight => flight.min(self.cwnd),
            CutOf::Window => self.cwnd,
        };
        self.ssthresh = (used * beta).max(2.0);
        self.curve.prior = self.cwnd;
        self.curve.epoch = None;
    }

    fn octets(&self, segments: f64) -> u64 {
        (segments * self.limits.mss as f64) as u64
    }
}

impl CongestionControl for State {
    fn on_ack(&mut self, ack: &Ack) {
        // Section 5.8: a window that does not limit the sender shows nothing about the path, so the
        // clock of the curve stops.
        if let (Some(since), Some(epoch)) = (self.unused_since.take(), &mut self.curve.epoch) {
            epoch.start += ack.now.since(since);
        }
        let mut octets = ack.octets;
        if self.cwnd < self.ssthresh {
            octets = self.open(ack);
        }
        if octets > 0 {
            self.avoid(ack, octets);
        }
        // Our own rule: the window does not exceed the receiver's, for the reason given in
        // `Window::grow`.
        self.cwnd = self
            .cwnd
            .min(self.limits.window as f64 / self.limits.mss as f64);
    }

    fn on_unused(&mut self, ack: &Ack) {
        self.unused_since.get_or_insert(ack.now);
        if self.cwnd < self.ssthresh {
            self.watch(ack);
        }
    }

    fn on_loss(&mut self, event: &CongestionEvent) {
        self.reduce(event);
        self.cwnd = self.ssthresh;
    }

    /// Reduces the window as after a loss, except that a window of one segment stays.
    ///
    /// Departs from section 4.6, by which a mark may reduce any window to one segment.
    fn on_mark(&mut self, event: &CongestionEvent) {
        let before = self.cwnd;
        self.reduce(event);
        self.cwnd = self.ssthresh.min(before);
    }

    /// Section 4.8: the slow start after a timeout ends on the flat part of a new curve.
    fn on_timeout(&mut self, event: &CongestionEvent) {
        self.reduce(event);
        self.curve.w_max = 0.0;
        self.cwnd = 1.0;
    }

    fn cwnd(&self) -> u64 {
        self.octets(self.cwnd)
    }

    fn resume_from(&mut self, octets: u64) {
        self.cwnd = (octets as f64 / self.limits.mss as f64).max(1.0);
    }

    fn ssthresh(&self) -> u64 {
        self.octets(self.ssthresh)
    }

    fn remember(&mut self) -> Prior {
        self.remembered = self.curve;
        Prior {
            cwnd: self.cwnd(),
            ssthresh: self.ssthresh(),
        }
    }

    /// Section 4.9: the window, ssthresh and the curve are those before the reduction.
    fn undo(&mut self, prior: &Prior) {
        let segments = |octets: u64| octets as f64 / self.limits.mss as f64;
        self.cwnd = self.cwnd.max(segments(prior.cwnd)).max(1.0);
        self.ssthresh = self.ssthresh.max(segments(prior.ssthresh));
        self.curve = self.remembered;
    }

    fn raise_ssthresh(&mut self, octets: u64) {
        self.ssthresh = self.ssthresh.max(octets as f64 / self.limits.mss as f64);
    }

    fn wants_samples(&self) -> bool {
        let opening = self.opening.as_ref();
        opening.is_some_and(|opening| opening.wants_samples())
    }
}

#[cfg(test)]
mod tests {
    use kernel::Duration;
    use parameters::ParameterTable;

    use super::*;

    /// The window some time after a loss at 100 segments, with a round trip of 100 ms.
    fn after(seconds: f64) -> f64 {
        let limits = Limits {
            mss: 1000,
            window: 1_000_000,
            initial: 100_000,
            ssthresh: 100_000,
            header: 40,
        };
        let rtt = Duration::from_ms(100);
        let mut cubic = Cubic::defaults().build(&limits);
        let flight = cubic.cwnd();
        cubic.on_loss(&CongestionEvent {
            flight,
            ..CongestionEvent::default()
        });
        assert_eq!((cubic.cwnd(), cubic.ssthresh()), (70_000, 70_000));
        let mut now = Time::ZERO;
        while now.seconds() < seconds {
            for _ in 0..cubic.cwnd() / 1000 {
                cubic.on_ack(&Ack {
                    now,
                    octets: 1000,
                    srtt: rtt,
                    limited: true,
                    ..Ack::default()
                });
            }
            now += rtt;
        }
        cubic.cwnd() as f64 / 1000.0
    }

    #[test]
    fn returns_to_its_maximum_after_k_seconds_and_goes_beyond() {
        // K = cbrt(100 x 0.3 / 0.4) = 4.217 s.
        assert!((after(4.2) - 100.0).abs() < 1.0, "{}", after(4.2));
        let two_beyond = 100.0 + 0.4 * 8.0;
        assert!((after(6.2) - two_beyond).abs() < 2.0, "{}", after(6.2));
        // The curve rises steeply at first, and is flat around K.
        assert!(after(1.0) - 70.0 > after(4.2) - after(3.2));
    }

    #[test]
    fn lowers_its_maximum_after_a_loss_below_the_last_one() {
        let limits = Limits {
            mss: 1,
            window: 1000,
            initial: 100,
            ssthresh: 100,
            header: 40,
        };
        let mut cubic = Cubic::defaults().build(&limits);
        cubic.on_loss(&CongestionEvent {
            flight: 100,
            ..CongestionEvent::default()
        });
        cubic.on_loss(&CongestionEvent {
            flight: 70,
            ..CongestionEvent::default()
        });
        assert_eq!((cubic.cwnd(), cubic.ssthresh()), (49, 49));
    }

    #[test]
    fn a_mark_leaves_a_window_of_one_segment() {
        let limits = Limits {
            mss: 1000,
            window: 10_000,
            initial: 1000,
            ssthresh: 10_000,
            header: 40,
        };
        let mut cubic = Cubic::defaults().build(&limits);
        cubic.on_mark(&CongestionEvent {
            flight: 1000,
            ..CongestionEvent::default()
        });
        assert_eq!((cubic.cwnd(), cubic.ssthresh()), (1000, 2000));
    }
}
