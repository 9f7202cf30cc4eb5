//! Congestion control: the amount of data that may be outstanding.
//!
//! An algorithm gets each event with its time, and answers with a window; it sends nothing and
//! reads no clock. The segments that are retransmitted after a loss are chosen by a
//! [`Recovery`], which the algorithm names.
//!
//! ```
//! use models::transport::tcp::congestion::{Ack, CongestionControl, CongestionSpec, Limits, Loss};
//!
//! let limits = Limits { mss: 1000, window: 64_000, initial: 1000, ssthresh: 64_000 };
//! let reno: CongestionSpec = parameters::understand(&parameters::value!({ reno = {} })).unwrap();
//! let mut reno = reno.build(&limits);
//! (0..19).for_each(|_| reno.on_ack(&Ack::default()));
//! assert_eq!(reno.cwnd(), 20_000);
//! reno.on_loss(&Loss { flight: 20_000, ..Loss::default() });
//! assert_eq!(reno.cwnd(), 10_000);
//! ```

use kernel::{Duration, Time};
use parameters::choices;

use super::recovery::new_reno::NewRenoRecovery;
use super::recovery::{Recovery, Reports};

parameters::registry! {
    /// Congestion control: the answer of the congestion window to acknowledgments, losses and marks.
    pub enum CongestionSpec builds Box<dyn CongestionControl>, for Limits, answers dyn CongestionKind {
        tahoe_gbn => TahoeGbn,
        tahoe_bsd => TahoeBsd,
        reno => Reno,
        new_reno => NewReno,
        sack => Sack,
        cubic => Cubic,
        dctcp => Dctcp,
    } default tahoe_bsd
}

/// The properties of an algorithm before the run, which each member states in its own file.
pub trait CongestionKind {
    /// Format in which the receiver reports data beyond the cumulative acknowledgment, if it must.
    fn reports(&self) -> Option<Reports>;

    /// True if the receiver must echo exactly which octets were marked: RFC 8257, section 3.2.
    fn needs_exact_marks(&self) -> bool;
}

/// Limits of the window, in octets of user data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Maximum segment size.
    pub mss: u64,
    /// Receiver's window, in whole segments.
    pub window: u64,
    /// Congestion window at the start.
    pub initial: u64,
    /// Slow-start threshold at the start.
    pub ssthresh: u64,
}

/// An acknowledgment of new data.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ack {
    /// Time of the acknowledgment.
    pub now: Time,
    /// Number of octets acknowledged.
    pub octets: u64,
    /// Oldest octet that is now unacknowledged.
    pub una: u64,
    /// One more than the highest octet ever sent.
    pub max: u64,
    /// Smoothed round-trip time; zero before the first sample.
    pub srtt: Duration,
    /// Round-trip time of the latest segment acknowledged, if the algorithm requests samples.
    pub rtt: Option<Duration>,
    /// True if the congestion window limited the sender.
    pub limited: bool,
}

/// A loss, or a mark.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Loss {
    /// Time at which the sender noticed the loss.
    pub now: Time,
    /// Outstanding octets, without those sent for the first duplicates (RFC 3042).
    pub flight: u64,
    /// True if the timer had expired for this segment before; ssthresh then stays as it was set
    /// (RFC 5681, section 3.1).
    pub again: bool,
}

/// Feedback of marks by the receiver: RFC 8257, section 3.2.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Echo {
    /// Octets acknowledged.
    pub octets: u64,
    /// True if the octets were marked.
    pub marked: bool,
    /// Oldest octet that is now unacknowledged.
    pub una: u64,
    /// One more than the highest octet ever sent.
    pub max: u64,
}

/// A congestion control algorithm.
pub trait CongestionControl {
    /// New data is acknowledged, and no recovery is under way.
    fn on_ack(&mut self, ack: &Ack);

    /// Duplicate acknowledgments, or their SACK blocks, indicate a loss.
    fn on_loss(&mut self, loss: &Loss);

    /// The retransmission timer expires.
    fn on_timeout(&mut self, loss: &Loss);

    /// The network marked a packet; called at most once per window of data.
    fn on_mark(&mut self, loss: &Loss) {
        self.on_loss(loss);
    }

    /// Feedback of marks, with every acknowledgment of new data.
    fn on_echo(&mut self, echo: &Echo) {
        let _ = echo;
    }

    /// Octets that may be outstanding; at least one segment.
    fn cwnd(&self) -> u64;

    /// Sets the window, at the end of a recovery or after an idle time.
    fn set_cwnd(&mut self, octets: u64);

    /// The slow-start threshold, in octets.
    fn ssthresh(&self) -> u64;

    /// True if the algorithm needs the round-trip time of every segment, from the start on.
    fn wants_samples(&self) -> bool {
        false
    }

    /// Loss recovery.
    fn recovery(&self) -> Box<dyn Recovery> {
        Box::new(NewRenoRecovery::default())
    }
}

choices! {
    /// Loss recovery of an algorithm that leaves it open.
    pub enum LossRecovery {
        /// With selective acknowledgments: RFC 6675.
        sack => Sack,
        /// With selective acknowledgments, while the window shrinks in proportion to the data that
        /// arrives: RFC 6937.
        sack_proportional => SackProportional,
        /// Without selective acknowledgments, as in NewReno: RFC 6582.
        new_reno => NewReno,
    }
}

impl LossRecovery {
    /// Format in which the receiver reports data beyond the cumulative acknowledgment, if it must.
    pub fn reports(self) -> Option<Reports> {
        match self {
            LossRecovery::Sack | LossRecovery::SackProportional => Some(Reports::Rfc2018),
            LossRecovery::NewReno => None,
        }
    }

    /// The recovery of one sender.
    pub fn build(self) -> Box<dyn Recovery> {
        match self {
            LossRecovery::Sack => Box::new(super::recovery::rfc6675::Rfc6675Recovery::default()),
            LossRecovery::SackProportional => {
                Box::new(super::recovery::rfc6675::Rfc6675Recovery::proportional())
            }
            LossRecovery::NewReno => Box::new(NewRenoRecovery::default()),
        }
    }
}
