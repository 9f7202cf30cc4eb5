//! Pacing as in Linux under the queueing discipline `fq`: twice the window in a round trip during
//! slow start, and 1.2 times the window otherwise.
//!
//! `tcp_update_pacing_rate` of Linux 6.6 (2023, `tcp_input.c`). The rate counts user data, and the packets
//! that it spaces have their headers, as there. Departs from Linux, where segments leave in bursts of
//! about a millisecond (TSO): here each segment is spaced by itself.

use kernel::{Duration, Rate};
use parameters::parameters;

use super::Sending;

parameters! {
    /// Linux under `fq`: a multiple of the window in each round trip.
    pub struct LinuxPacing {
        /// Windows in a round trip below half of ssthresh (`tcp_pacing_ss_ratio`).
        #[range(0.1, 10.0)]
        pub slow_start: f64 = 2.0,
        /// Windows in a round trip otherwise (`tcp_pacing_ca_ratio`).
        #[range(0.1, 10.0)]
        pub avoidance: f64 = 1.2,
    }
}

impl LinuxPacing {
    /// Rate at which packets leave; none before a round-trip time is known.
    pub fn rate(&self, sending: &Sending) -> Option<Rate> {
        if sending.srtt == Duration::ZERO {
            return None;
        }
        let ratio = if sending.cwnd < sending.ssthresh / 2 {
            self.slow_start
        } else {
            self.avoidance
        };
        let octets = ratio * sending.cwnd.max(sending.flight) as f64;
        let rate = octets * 8.0 / sending.srtt.seconds();
        Some(Rate::from_bits_per_second((rate as u64).max(1)))
    }
}

#[cfg(test)]
mod tests {
    use parameters::ParameterTable;

    use super::*;

    #[test]
    fn slow_start_is_paced_at_two_windows_a_round_trip() {
        let linux = LinuxPacing::defaults();
        let mut sending = Sending {
            cwnd: 10_000,
            ssthresh: 100_000,
            flight: 5_000,
            srtt: Duration::from_ms(100),
        };
        let rate = |sending: &Sending| linux.rate(sending).map(Rate::bits_per_second);
        assert_eq!(rate(&sending), Some(1_600_000));
        sending.cwnd = 50_000;
        assert_eq!(rate(&sending), Some(4_800_000));
        sending.srtt = Duration::ZERO;
        assert_eq!(rate(&sending), None);
    }
}
