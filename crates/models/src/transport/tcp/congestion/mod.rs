//! Congestion control: how much may be outstanding.
//!
//! An algorithm is told what happened, and when, and answers with a window; it sends nothing and
//! reads no clock. Which segments a loss makes the sender repeat is the business of a
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
    /// How the congestion window answers acknowledgments, losses and marks.
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

/// What is known of an algorithm before the run, stated by each in its own file.
pub trait CongestionKind {
    /// How its receiver must report what has arrived beyond the cumulative acknowledgment, if it must.
    fn reports(&self) -> Option<Reports>;

    /// Whether its receiver must echo exactly which octets were marked: RFC 8257, section 3.2.
    fn needs_exact_marks(&self) -> bool;
}

/// What the window may range over, in octets of user data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Maximum segment size.
    pub mss: u64,
    /// Window of the receiver, in whole segments.
    pub window: u64,
    /// Congestion window at the start.
    pub initial: u64,
    /// Slow-start threshold at the start.
    pub ssthresh: u64,
}

/// New data was acknowledged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ack {
    /// When.
    pub now: Time,
    /// How much.
    pub octets: u64,
    /// Oldest octet now unacknowledged.
    pub una: u64,
    /// One more than the highest octet ever sent.
    pub max: u64,
    /// Smoothed round-trip time; zero before the first sample.
    pub srtt: Duration,
    /// Round-trip time of the latest segment acknowledged, if the algorithm wants those.
    pub rtt: Option<Duration>,
    /// Whether the congestion window was what kept the sender from sending.
    pub limited: bool,
}

/// Something was lost, or marked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Loss {
    /// When that was noticed.
    pub now: Time,
    /// Octets that were outstanding, without those sent upon the first duplicates (RFC 3042).
    pub flight: u64,
    /// The timer had expired for the same segment before: the threshold that was set then stands
    /// (RFC 5681, section 3.1).
    pub again: bool,
}

/// What the receiver tells of marks: RFC 8257, section 3.2.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Echo {
    /// Octets that were acknowledged.
    pub octets: u64,
    /// Whether they were marked.
    pub marked: bool,
    /// Oldest octet now unacknowledged.
    pub una: u64,
    /// One more than the highest octet ever sent.
    pub max: u64,
}

/// A congestion control algorithm.
pub trait CongestionControl {
    /// New data was acknowledged, and no loss is being repaired.
    fn on_ack(&mut self, ack: &Ack);

    /// Duplicate acknowledgments, or their blocks, tell of a loss.
    fn on_loss(&mut self, loss: &Loss);

    /// The retransmission timer expired.
    fn on_timeout(&mut self, loss: &Loss);

    /// The network marked a packet; told once per window of data.
    fn on_mark(&mut self, loss: &Loss) {
        self.on_loss(loss);
    }

    /// What the receiver echoes, with every acknowledgment of new data.
    fn on_echo(&mut self, echo: &Echo) {
        let _ = echo;
    }

    /// Octets that may be outstanding; never less than a segment.
    fn cwnd(&self) -> u64;

    /// Sets the window: at the end of a recovery, or after an idle time.
    fn set_cwnd(&mut self, octets: u64);

    /// Where slow start ends, in octets.
    fn ssthresh(&self) -> u64;

    /// Whether it wants the round-trip time of every segment, now and from the start on.
    fn wants_samples(&self) -> bool {
        false
    }

    /// How losses are repaired.
    fn recovery(&self) -> Box<dyn Recovery> {
        Box::new(NewRenoRecovery::default())
    }
}

choices! {
    /// How an algorithm that leaves it open repairs losses.
    pub enum Repair {
        /// With selective acknowledgments: RFC 6675.
        sack => Sack,
        /// Likewise, while the window shrinks in proportion to what arrives: RFC 6937.
        sack_proportional => SackProportional,
        /// Without: RFC 6582.
        new_reno => NewReno,
    }
}

impl Repair {
    /// How the receiver must report for it what has arrived beyond the cumulative acknowledgment.
    pub fn reports(self) -> Option<Reports> {
        match self {
            Repair::Sack | Repair::SackProportional => Some(Reports::Rfc2018),
            Repair::NewReno => None,
        }
    }

    /// The machinery for one sender.
    pub fn build(self) -> Box<dyn Recovery> {
        match self {
            Repair::Sack => Box::new(super::recovery::rfc6675::Rfc6675Recovery::default()),
            Repair::SackProportional => {
                Box::new(super::recovery::rfc6675::Rfc6675Recovery::proportional())
            }
            Repair::NewReno => Box::new(NewRenoRecovery::default()),
        }
    }
}
