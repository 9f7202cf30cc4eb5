//! Tahoe as 4.3BSD has it: a fast retransmit sends one segment and goes on where it was.
//!
//! There is no go-back-N except after a timeout, so several losses in one window usually end in
//! one. `tcp_input.c` 7.19 (4.3BSD-Tahoe, June 1988).

use parameters::parameters;

use super::{CongestionControl, Limits, Recovery, Tahoe, Threshold, Window};

parameters! {
    /// Tahoe with a fast retransmit of one segment, as in 4.3BSD.
    pub struct TahoeBsd {}
}

impl TahoeBsd {
    /// The algorithm for one sender.
    pub fn build(&self, limits: &Limits) -> Box<dyn CongestionControl> {
        Box::new(Tahoe {
            window: Window::new(limits, Threshold::Included),
            recovery: Recovery::Resend,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::Ack;
    use super::*;

    #[test]
    fn answers_a_loss_with_one_segment() {
        let limits = Limits {
            mss: 1,
            window: 100,
            initial: 1,
            ssthresh: 50,
        };
        let window = Window::new(&limits, Threshold::Included);
        let mut tahoe = Tahoe {
            window,
            recovery: Recovery::Resend,
        };
        (0..19).for_each(|_| tahoe.on_ack(Ack { octets: 1 }));
        assert_eq!(tahoe.on_loss(), Recovery::Resend);
        assert_eq!((tahoe.cwnd(), tahoe.ssthresh()), (1, 10));
    }
}
