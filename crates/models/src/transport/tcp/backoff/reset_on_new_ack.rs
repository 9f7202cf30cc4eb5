//! Backoff that any acknowledgment of new data resets, as in TCP with time stamps.
//!
//! A new round-trip time ends the backoff (RFC 6298, section 5). Without time stamps Karn's rule
//! excludes retransmitted segments (section 3). With time stamps each acknowledgment of new data
//! gives a round-trip time, and so resets the factor, as in ns-2 with `ts_resetRTO_` (`newack` in
//! `tcp.cc`). A sender without time stamps that follows this rule departs from RFC 6298.

use parameters::parameters;

use super::{Backoff, LARGEST};

parameters! {
    /// The timeout is doubled at each expiry, up to a factor of 64; any acknowledgment of new data
    /// resets the factor.
    pub struct ResetOnNewAck {}
}

impl ResetOnNewAck {
    /// The rule for one sender.
    pub fn build(&self, (): &()) -> Box<dyn Backoff> {
        Box::new(State(1))
    }
}

/// The factor, at most 64.
struct State(u8);

impl Backoff for State {
    fn on_timeout(&mut self) {
        self.0 = (self.0 * 2).min(LARGEST as u8);
    }

    fn on_sample(&mut self) {
        self.0 = 1;
    }

    fn on_new_ack(&mut self) {
        self.0 = 1;
    }

    fn factor(&self) -> u64 {
        self.0.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_acknowledgment_of_new_data_resets_the_factor() {
        let mut rule = State(1);
        rule.on_timeout();
        rule.on_timeout();
        assert_eq!(rule.factor(), 4);
        rule.on_new_ack();
        assert_eq!(rule.factor(), 1);
    }
}
