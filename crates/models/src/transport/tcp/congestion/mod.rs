//! Congestion control: how much may be outstanding, and what to do about a loss.
//!
//! An algorithm is told what happened and answers; it sends nothing and reads no clock.

parameters::registry! {
    /// How the congestion window answers acknowledgments and losses.
    pub enum CongestionSpec builds Box<dyn CongestionControl>, for Limits {
        tahoe_gbn => TahoeGbn,
        tahoe_bsd => TahoeBsd,
    } default tahoe_bsd
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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ack {
    /// How much.
    pub octets: u64,
}

/// What the sender does about duplicate acknowledgments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Recovery {
    /// Sends what the window allows.
    Continue,
    /// Sends the first unacknowledged segment again, and goes on where it was.
    Resend,
    /// Starts again from the first unacknowledged segment.
    GoBack,
}

/// A congestion control algorithm.
pub trait CongestionControl {
    /// New data was acknowledged.
    fn on_ack(&mut self, ack: Ack);

    /// As many duplicate acknowledgments as make a loss.
    fn on_loss(&mut self) -> Recovery;

    /// A duplicate beyond those.
    fn on_further_duplicate(&mut self) -> Recovery {
        Recovery::Continue
    }

    /// The retransmission timer expired; the sender goes back by itself.
    fn on_timeout(&mut self);

    /// Octets that may be outstanding.
    fn cwnd(&self) -> u64;

    /// Where slow start ends, in octets.
    fn ssthresh(&self) -> u64;
}

/// At which window slow start gives way to linear growth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Threshold {
    /// Slow start up to and including ssthresh, as in BSD.
    Included,
    /// Linear growth from ssthresh on, as in ns.
    Excluded,
}

/// The window arithmetic that the algorithms of Jacobson ("Congestion Avoidance and Control",
/// SIGCOMM 1988) share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Window {
    pub limits: Limits,
    pub cwnd: u64,
    pub ssthresh: u64,
    pub threshold: Threshold,
}

impl Window {
    pub fn new(limits: &Limits, threshold: Threshold) -> Window {
        let cwnd = limits.initial.min(limits.window);
        Window {
            limits: *limits,
            cwnd,
            ssthresh: limits.ssthresh,
            threshold,
        }
    }

    /// One segment per acknowledgment in slow start, one per window beyond.
    pub fn grow(&mut self) {
        let mss = self.limits.mss;
        let slow_start = match self.threshold {
            Threshold::Included => self.cwnd <= self.ssthresh,
            Threshold::Excluded => self.cwnd < self.ssthresh,
        };
        let step = if slow_start {
            mss
        } else {
            (mss * mss / self.cwnd).max(1)
        };
        self.cwnd = (self.cwnd + step).min(self.limits.window);
    }

    /// Sets ssthresh to half the window in whole segments, at least two; back to one segment.
    pub fn collapse(&mut self) {
        let mss = self.limits.mss;
        let half = self.cwnd.min(self.limits.window) / 2 / mss;
        self.ssthresh = half.max(2) * mss;
        self.cwnd = mss;
    }
}

/// Tahoe, which answers a loss of any kind by slow start; the two flavours differ in what they
/// repeat after a fast retransmit.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tahoe {
    pub window: Window,
    pub recovery: Recovery,
}

impl CongestionControl for Tahoe {
    fn on_ack(&mut self, _ack: Ack) {
        self.window.grow();
    }

    fn on_loss(&mut self) -> Recovery {
        self.window.collapse();
        self.recovery
    }

    fn on_timeout(&mut self) {
        self.window.collapse();
    }

    fn cwnd(&self) -> u64 {
        self.window.cwnd
    }

    fn ssthresh(&self) -> u64 {
        self.window.ssthresh
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMITS: Limits = Limits {
        mss: 100,
        window: 2000,
        initial: 100,
        ssthresh: 800,
    };

    fn grown(threshold: Threshold, acks: usize) -> u64 {
        let mut window = Window::new(&LIMITS, threshold);
        (0..acks).for_each(|_| window.grow());
        window.cwnd
    }

    #[test]
    fn doubles_each_round_trip_until_ssthresh() {
        assert_eq!(grown(Threshold::Included, 7), 800);
        assert_eq!(grown(Threshold::Included, 8), 900);
        assert_eq!(grown(Threshold::Excluded, 8), 812);
    }

    #[test]
    fn never_grows_beyond_the_window_of_the_receiver() {
        assert_eq!(grown(Threshold::Included, 1000), 2000);
    }

    #[test]
    fn a_loss_halves_in_whole_segments_and_leaves_at_least_two() {
        let mut window = Window {
            cwnd: 950,
            ..Window::new(&LIMITS, Threshold::Included)
        };
        window.collapse();
        assert_eq!((window.ssthresh, window.cwnd), (400, 100));
        window.collapse();
        assert_eq!((window.ssthresh, window.cwnd), (200, 100));
    }
}
