//! Delayed acknowledgments of RFC 5681, section 4.2, and RFC 1122, section 4.2.3.2.

use kernel::{Duration, Time};
use parameters::parameters;

use super::{Acknowledge, Reception};

parameters! {
    /// RFC 5681: at least every second full segment is acknowledged at once, and each segment
    /// within a delay.
    pub struct Rfc5681 {
        /// Longest delay of an acknowledgment; the standard allows 500 ms.
        #[range("1 us", "10 s")]
        pub delay: Duration = "500 ms",
    }
}

impl Rfc5681 {
    /// The policy of one receiver.
    pub fn build(&self, reception: &Reception) -> Box<dyn Acknowledge> {
        Box::new(Delayed {
            delay: self.delay,
            // Section 4.2 counts full segments. Octets are counted here, which delays small
            // segments longer, as RFC 1122 permits.
            enough: 2 * reception.mss,
            unacknowledged: 0,
            deadline: Time::NEVER,
        })
    }
}

struct Delayed {
    delay: Duration,
    enough: u64,
    /// Octets that arrived in order since the last acknowledgment.
    unacknowledged: u64,
    deadline: Time,
}

impl Acknowledge for Delayed {
    fn on_data(&mut self, now: Time, octets: u64) -> bool {
        if self.unacknowledged == 0 {
            self.deadline = now + self.delay;
        }
        self.unacknowledged += octets;
        self.unacknowledged >= self.enough
    }

    fn on_sent(&mut self) {
        self.unacknowledged = 0;
        self.deadline = Time::NEVER;
    }

    fn deadline(&self) -> Time {
        self.deadline
    }
}
