//! Delayed acknowledgments of BSD, for every second segment or at a tick of a clock.
//!
//! Data that arrives in order requests a delayed acknowledgment. The application reads it at once,
//! which advances the right edge of the receiver's window. The acknowledgment leaves when the edge
//! has advanced by two segments or by a share of the receive buffer (`tcp_output`), or at the next
//! tick of the fast clock (`tcp_fasttimo`). Wright and Stevens, "TCP/IP Illustrated, Volume 2: The
//! Implementation", 1995, sections 25.4 and 26.3. Departs from BSD, where all connections of a host
//! share that clock: each receiver draws a phase of its own, because a transport does not know its
//! host.

use kernel::{Duration, Time};
use parameters::{Fraction, parameters};

use super::{Acknowledge, Reception};

parameters! {
    /// BSD: one acknowledgment for two segments, or at a tick of a clock.
    pub struct BsdAcknowledge {
        /// Time between ticks of the clock.
        #[range("1 us", "10 s")]
        pub tick: Duration = "200 ms",
        /// Share of the receive buffer that is acknowledged at once; 35 % in 4.3BSD-Tahoe.
        pub share: Fraction = "50 %",
    }
}

impl BsdAcknowledge {
    /// The policy of one receiver.
    pub fn build(&self, reception: &Reception) -> Box<dyn Acknowledge> {
        let share = (self.share.0 * reception.window as f64) as u64;
        Box::new(Pairs {
            tick: self.tick,
            phase: reception.random.clone().uniform(Duration::ZERO, self.tick),
            enough: share.min(2 * reception.mss).max(1),
            unacknowledged: 0,
            deadline: Time::NEVER,
        })
    }
}

struct Pairs {
    tick: Duration,
    /// Ticks are at multiples of `tick`, minus this phase.
    phase: Duration,
    /// Number of octets in order that cause an acknowledgment at once.
    enough: u64,
    /// Octets that arrived in order since the last acknowledgment.
    unacknowledged: u64,
    deadline: Time,
}

impl Acknowledge for Pairs {
    fn on_data(&mut self, now: Time, octets: u64) -> bool {
        if self.unacknowledged == 0 {
            let ticks = (now + self.phase).since(Time::ZERO).whole(self.tick) + 1;
            self.deadline = Time::ZERO + (self.tick * ticks).saturating_sub(self.phase);
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
