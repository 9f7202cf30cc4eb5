//! Giving up: the end of a connection whose receiver no longer answers.
//!
//! RFC 9293, section 3.8.3, with the threshold R2 of RFC 1122, section 4.2.3.5, and the user timeout of
//! section 3.9.1; `tcp_write_timeout` and `tcp_probe_timer` of Linux. The warning of R1 goes to the
//! network layer, which is not modelled.

use kernel::Duration;
use parameters::parameters;

parameters! {
    /// The point at which a sender gives up a connection whose receiver no longer answers; it never does
    /// unless one of these is set, and the first that is reached counts.
    pub struct GiveUp {
        /// R2, as a number of retransmissions or probes of the same data without an answer: the sender
        /// gives up when the timer expires once more. Linux has 15.
        #[range(1, 1000)]
        pub retries: Option<u32>,
        /// The user timeout: the time from the first unanswered retransmission or probe, as Linux counts
        /// it.
        pub after: Option<Duration>,
    }
}

impl GiveUp {
    /// True if the sender may give up.
    pub fn is_on(&self) -> bool {
        self.retries.is_some() || self.after.is_some()
    }
}
