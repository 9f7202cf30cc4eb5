//! The interface of a congestion control: events, and the window that answers them.
//!
//! Our own interface: an algorithm runs in a test without a sender.

use kernel::{Duration, Rate, Stream, Time};

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
    /// Headers and options of a segment with data, which a pacing rate includes.
    pub header: u64,
}

impl Limits {
    /// The pacing rate at which full segments carry user data at `rate` bit/s: the headers of a
    /// segment are paced like its data.
    pub fn pacing_rate(&self, rate: f64) -> Rate {
        let wire = rate * (self.mss + self.header) as f64 / self.mss as f64;
        Rate::from_bits_per_second((wire as u64).max(1))
    }
}

/// An acknowledgment of new data.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ack {
    /// Time of the acknowledgment.
    pub now: Time,
    /// Number of octets acknowledged; if slow start `counts_delivered`, number of octets that were
    /// not known to have arrived (`acked_sacked` of Linux).
    pub octets: u64,
    /// Oldest octet that is now unacknowledged.
    pub una: u64,
    /// One more than the highest octet ever sent.
    pub max: u64,
    /// Smoothed round-trip time; zero before the first sample.
    pub srtt: Duration,
    /// Round-trip time of the latest segment acknowledged, if the algorithm requests samples.
    pub rtt: Option<Duration>,
    /// True if the sender used its congestion window, which may then grow.
    pub limited: bool,
    /// True if slow start counts the octets that are delivered, and not the acknowledgments.
    pub counts_delivered: bool,
    /// True if segments are paced.
    pub is_paced: bool,
}

impl Ack {
    /// Octets by which slow start opens a window with segments of `mss`: RFC 5681, section 3.1,
    /// equation 2, or all that is delivered.
    pub fn opens(&self, mss: u64) -> u64 {
        if self.counts_delivered {
            self.octets
        } else {
            self.octets.min(mss)
        }
    }
}

/// A congestion event (RFC 9438, section 4.6): a loss, a timeout or a mark.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CongestionEvent {
    /// Time at which the sender noticed the event.
    pub now: Time,
    /// Octets outstanding, without those sent by limited transmit: RFC 5681, section 3.2, step 2.
    pub flight: u64,
    /// True if the timer had already expired for the first unacknowledged segment; ssthresh then
    /// keeps its value of the first expiry (RFC 5681, section 3.1).
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

/// A sample of the delivery of data, which an acknowledgment gives:
/// draft-cheng-iccrg-delivery-rate-estimation, section 3.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Delivery {
    /// Time of the acknowledgment.
    pub now: Time,
    /// Octets delivered since the start.
    pub delivered: u64,
    /// Octets that this acknowledgment reports as delivered.
    pub newly: u64,
    /// Octets that had been delivered when the latest segment in the sample was sent.
    pub prior_delivered: u64,
    /// Delivery rate in bit/s, if the acknowledgment reports new data.
    pub rate: Option<f64>,
    /// Round-trip time of the latest segment in the sample, unless it was sent more than once.
    pub rtt: Option<Duration>,
    /// Octets in flight after the acknowledgment, before it is answered: sent, and neither
    /// delivered nor known to be lost (RFC 6675, section 4: `pipe`).
    pub in_flight: u64,
    /// Octets that this acknowledgment shows to be lost.
    pub lost: u64,
    /// True if the application, and not the network, limited the rate.
    pub is_app_limited: bool,
    /// True until the data outstanding at the last loss or timeout is acknowledged, and longer if
    /// data sent later was found lost meanwhile.
    pub in_recovery: bool,
}

/// The windows before a reduction, to which a sender returns if the reduction was spurious.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Prior {
    /// Congestion window, in octets.
    pub cwnd: u64,
    /// Slow-start threshold, in octets.
    pub ssthresh: u64,
}

/// A congestion control algorithm.
pub trait CongestionControl: Send {
    /// New data is acknowledged, no recovery is under way, and the sender used its window.
    fn on_ack(&mut self, ack: &Ack);

    /// As [`CongestionControl::on_ack`], but the sender did not use its window, which therefore does
    /// not grow.
    fn on_unused(&mut self, ack: &Ack) {
        let _ = ack;
    }

    /// Duplicate acknowledgments, or their SACK blocks, indicate a loss.
    fn on_loss(&mut self, event: &CongestionEvent);

    /// The retransmission timer expires.
    fn on_timeout(&mut self, event: &CongestionEvent);

    /// An acknowledgment echoes a congestion mark; called at most once per window of data.
    fn on_mark(&mut self, event: &CongestionEvent) {
        self.on_loss(event);
    }

    /// Feedback of marks, which comes with every acknowledgment of new data.
    fn on_echo(&mut self, echo: &Echo) {
        let _ = echo;
    }

    /// A sample of the delivery rate, which comes after the other events of an acknowledgment except
    /// its marks, and before it is answered; called only if [`CongestionControl::wants_delivery`].
    fn on_delivery(&mut self, sample: &Delivery) {
        let _ = sample;
    }

    /// Octets that may be outstanding; at least one segment.
    fn cwnd(&self) -> u64;

    /// Rate at which segments leave, with their headers, if [`CongestionControl::wants_delivery`];
    /// none if they leave as the window allows. A paced segment too leaves only if the window
    /// allows it.
    fn pacing_rate(&self) -> Option<Rate> {
        None
    }

    /// The sender continues with a window of `octets`: after a recovery, an idle time or a lost
    /// SYN.
    fn resume_from(&mut self, octets: u64);

    /// The slow-start threshold, in octets.
    fn ssthresh(&self) -> u64;

    /// Raises the slow-start threshold to `octets`, if it is lower: the window shrinks without a sign
    /// of congestion, and may return. An algorithm without a threshold does nothing.
    fn raise_ssthresh(&mut self, octets: u64) {
        let _ = octets;
    }

    /// True if the window shrinks while it is not used, for a host that shrinks such windows; not so
    /// for an algorithm that has a model of the path.
    fn rests(&self) -> bool {
        true
    }

    /// The windows now, before a loss or a timeout reduces them. An algorithm that restores more
    /// than the windows keeps a copy of it here.
    fn remember(&mut self) -> Prior {
        Prior {
            cwnd: self.cwnd(),
            ssthresh: self.ssthresh(),
        }
    }

    /// The last reduction was spurious: the windows return to those of `prior` where these are
    /// larger, and other state to that of the last call of [`CongestionControl::remember`]. By
    /// default only the congestion window does.
    fn undo(&mut self, prior: &Prior) {
        self.resume_from(prior.cwnd.max(self.cwnd()));
    }

    /// True if the algorithm needs the round-trip time of every segment, from the start on.
    fn wants_samples(&self) -> bool {
        false
    }

    /// Hands the algorithm a random stream of the flow; called once, before the first event.
    fn use_stream(&mut self, random: Stream) {
        let _ = random;
    }

    /// True if the algorithm needs samples of the delivery rate, and may pace segments.
    fn wants_delivery(&self) -> bool {
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_headers_of_a_segment_are_paced_like_its_data() {
        let limits = Limits {
            mss: 160,
            window: 160_000,
            initial: 160,
            ssthresh: 160_000,
            header: 40,
        };
        assert_eq!(limits.pacing_rate(8e6).bits_per_second(), 10_000_000);
    }
}
