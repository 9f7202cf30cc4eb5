//! Karn's rule: double the timeout at each expiry up to a factor of 64, and keep the factor until a
//! fresh round-trip time is measured.
//!
//! Karn and Partridge, "Improving Round-Trip Time Estimates in Reliable Transport Protocols",
//! SIGCOMM 1987; the table `tcp_backoff` of 4.3BSD ends at 64. RFC 6298, sections 3 and 5.

use parameters::parameters;

use super::{Backoff, LARGEST};

parameters! {
    /// The timeout is doubled at each expiry, up to a factor of 64; the factor lasts until a
    /// segment sent only once is acknowledged.
    pub struct Karn {}
}

impl Karn {
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

    fn factor(&self) -> u64 {
        self.0.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_fresh_sample_resets_the_factor() {
        let mut rule = State(1);
        (0..8).for_each(|_| rule.on_timeout());
        assert_eq!(rule.factor(), 64);
        rule.on_new_ack();
        assert_eq!(rule.factor(), 64);
        rule.on_sample();
        assert_eq!(rule.factor(), 1);
    }
}
