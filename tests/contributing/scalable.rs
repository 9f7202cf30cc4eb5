//! Scalable TCP: the window grows and shrinks by fixed shares, so that a loss costs as many round
//! trips however large the window is.
//!
//! Kelly, "Scalable TCP: Improving Performance in Highspeed Wide Area Networks", ACM Computer
//! Communication Review 33(2), 2003, section 3. The paper keeps to Jacobson's rules below a window
//! of 16 segments; here the shares hold everywhere.

use parameters::{Fraction, parameters};

use super::{Ack, CongestionControl, CongestionEvent, CongestionKind, Limits};
use crate::transport::tcp::recovery::Reports;

parameters! {
    /// Scalable TCP, which grows and shrinks by fixed shares.
    pub struct Scalable {
        /// Growth of the window beyond ssthresh, as a share of what is acknowledged.
        pub growth: Fraction = "1 %",
        /// Share of the window that a loss takes away.
        pub reduction: Fraction = "12.5 %",
    }
}

impl Scalable {
    /// The algorithm for one sender.
    pub fn build(&self, limits: &Limits) -> Box<dyn CongestionControl> {
        Box::new(State {
            spec: self.clone(),
            limits: *limits,
            cwnd: limits.initial.min(limits.window) as f64,
            ssthresh: limits.ssthresh,
        })
    }
}

impl CongestionKind for Scalable {
    fn reports(&self) -> Option<Reports> {
        None
    }

    fn needs_exact_marks(&self) -> bool {
        false
    }
}

struct State {
    spec: Scalable,
    limits: Limits,
    /// In octets, with the fractions that small shares are made of.
    cwnd: f64,
    ssthresh: u64,
}

impl CongestionControl for State {
    fn on_ack(&mut self, ack: &Ack) {
        let acknowledged = ack.octets.min(self.limits.mss) as f64;
        let share = if self.cwnd < self.ssthresh as f64 {
            1.0
        } else {
            self.spec.growth.0
        };
        self.cwnd = (self.cwnd + share * acknowledged).min(self.limits.window as f64);
    }

    fn on_loss(&mut self, _event: &CongestionEvent) {
        let left = self.cwnd * (1.0 - self.spec.reduction.0);
        self.ssthresh = (left as u64).max(2 * self.limits.mss);
        self.cwnd = self.cwnd.min(self.ssthresh as f64);
    }

    fn on_timeout(&mut self, event: &CongestionEvent) {
        self.on_loss(event);
        self.cwnd = self.limits.mss as f64;
    }

    fn cwnd(&self) -> u64 {
        self.cwnd as u64
    }

    fn resume_from(&mut self, octets: u64) {
        self.cwnd = octets.max(self.limits.mss) as f64;
    }

    fn ssthresh(&self) -> u64 {
        self.ssthresh
    }
}

#[cfg(test)]
mod tests {
    use parameters::ParameterTable;

    use super::*;

    #[test]
    fn grows_and_shrinks_by_shares_of_the_window() {
        let limits = Limits {
            mss: 1000,
            window: 1_000_000,
            initial: 400_000,
            ssthresh: 400_000,
            header: 40,
        };
        let mut scalable = Scalable::defaults().build(&limits);
        let ack = Ack {
            octets: 1000,
            ..Ack::default()
        };
        (0..400).for_each(|_| scalable.on_ack(&ack));
        assert_eq!(scalable.cwnd(), 404_000);
        scalable.on_loss(&CongestionEvent::default());
        assert_eq!((scalable.cwnd(), scalable.ssthresh()), (353_500, 353_500));
    }
}
