//! Congestion control: the amount of data that may be outstanding.
//!
//! RFC 5681, "TCP Congestion Control", 2009; each algorithm names its own source. An algorithm gets
//! each event with its time, and answers with a window; it sends nothing and reads no clock. A
//! [`Recovery`], which the algorithm names, chooses the segments to retransmit after a loss.
//!
//! ```
//! use cellrelay_models::transport::tcp::congestion::{
//!     Ack, CongestionControl, CongestionEvent, CongestionSpec, Limits,
//! };
//!
//! let (mss, header) = (1000, 40);
//! let limits = Limits { mss, window: 64_000, initial: 1000, ssthresh: 64_000, header };
//! let reno: CongestionSpec = parameters::understand(&parameters::value!({ reno = {} })).unwrap();
//! let mut reno = reno.build(&limits);
//! (0..19).for_each(|_| reno.on_ack(&Ack::default()));
//! assert_eq!(reno.cwnd(), 20_000);
//! reno.on_loss(&CongestionEvent { flight: 20_000, ..CongestionEvent::default() });
//! assert_eq!(reno.cwnd(), 10_000);
//! ```

pub mod control;

use parameters::choices;

pub use self::control::{Ack, CongestionControl, CongestionEvent, Delivery, Echo, Limits, Prior};
use super::recovery::new_reno::NewRenoRecovery;
use super::recovery::rack::RackRecovery;
use super::recovery::rfc6675::Rfc6675Recovery;
use super::recovery::{Recovery, Reports};

parameters::registry! {
    /// Congestion control: the change of the congestion window after acknowledgments, losses and
    /// marks.
    pub enum CongestionSpec builds Box<dyn CongestionControl>, for Limits, answers dyn CongestionKind {
        tahoe_gbn => TahoeGbn,
        tahoe_bsd => TahoeBsd,
        reno => Reno,
        new_reno => NewReno,
        sack => Sack,
        cubic => Cubic,
        dctcp => Dctcp,
        prague => Prague,
        bbr => Bbr,
    } default tahoe_bsd open to Outside
}

/// The properties of an algorithm before the run, which each member states in its own file.
pub trait CongestionKind {
    /// The loss recovery of one sender.
    fn recovery(&self) -> Box<dyn Recovery> {
        Box::new(NewRenoRecovery::default())
    }

    /// Format in which the receiver reports data beyond the cumulative acknowledgment; none without
    /// reports.
    fn reports(&self) -> Option<Reports>;

    /// True if the receiver must echo exactly which octets were marked: RFC 8257, section 3.2.
    fn needs_exact_marks(&self) -> bool;

    /// True if the algorithm states a rate at which segments leave.
    fn paces(&self) -> bool {
        false
    }

    /// True if slow start counts what is delivered; in RFC 5681, section 3.1, an acknowledgment
    /// counts for a segment at most.
    fn counts_delivered(&self) -> bool {
        false
    }
}

choices! {
    /// Loss recovery of an algorithm that does not prescribe one.
    pub enum LossRecovery {
        /// With selective acknowledgments: RFC 6675.
        sack => Sack,
        /// With selective acknowledgments, while the window shrinks in proportion to the data that
        /// arrives: RFC 6937.
        sack_proportional => SackProportional,
        /// With selective acknowledgments, losses found by time, and loss probes: RFC 8985.
        rack => Rack,
        /// As `rack`, while the window shrinks in proportion to the data that arrives: RFC 6937.
        rack_proportional => RackProportional,
        /// Without selective acknowledgments, as in NewReno: RFC 6582.
        new_reno => NewReno,
    }
}

impl LossRecovery {
    /// Format in which the receiver reports data beyond the cumulative acknowledgment; none without
    /// reports.
    pub fn reports(self) -> Option<Reports> {
        match self {
            LossRecovery::NewReno => None,
            _ => Some(Reports::Rfc2018),
        }
    }

    /// The recovery of one sender.
    pub fn build(self) -> Box<dyn Recovery> {
        match self {
            LossRecovery::Sack => Box::new(Rfc6675Recovery::default()),
            LossRecovery::SackProportional => Box::new(Rfc6675Recovery::proportional()),
            LossRecovery::Rack => Box::new(RackRecovery::default()),
            LossRecovery::RackProportional => Box::new(RackRecovery::proportional()),
            LossRecovery::NewReno => Box::new(NewRenoRecovery::default()),
        }
    }
}

#[cfg(test)]
mod tests {
    use parameters::{understand, value};

    use super::*;

    const LIMITS: Limits = Limits {
        mss: 1000,
        window: 64_000,
        initial: 16_000,
        ssthresh: 64_000,
        header: 40,
    };

    /// Slow-start thresholds after the first and the second expiry of the timer for one segment.
    fn after_expiries(control: &parameters::Value) -> [u64; 2] {
        let control: CongestionSpec = understand(control).expect("a congestion control");
        let mut control = control.build(&LIMITS);
        [false, true].map(|again| {
            control.on_timeout(&CongestionEvent {
                flight: 16_000,
                again,
                ..CongestionEvent::default()
            });
            control.ssthresh()
        })
    }

    #[test]
    fn a_second_expiry_halves_again_as_in_bsd_and_ns() {
        for control in [
            value!({ tahoe_bsd = {} }),
            value!({ tahoe_gbn = {} }),
            value!({ reno = {} }),
            value!({ new_reno = { flavour = "ns" } }),
            value!({ sack = { pipe = "fall_floyd" } }),
        ] {
            assert_eq!(after_expiries(&control), [8000, 2000], "{control}");
        }
    }

    #[test]
    fn a_second_expiry_leaves_ssthresh_as_in_the_standard() {
        for control in [
            value!({ new_reno = {} }),
            value!({ sack = {} }),
            value!({ cubic = {} }),
            value!({ dctcp = {} }),
            value!({ prague = {} }),
        ] {
            let [first, second] = after_expiries(&control);
            assert!(first < 16_000, "{control}");
            assert_eq!(first, second, "{control}");
        }
    }
}
