//! No backoff: an expiry of the timer does not lengthen the timeout.
//!
//! Departs from RFC 6298, section 5.5, which doubles the timeout at every expiry. Our own rule, by
//! which a study measures a result without backoff.

use parameters::parameters;

use super::Backoff;

parameters! {
    /// The timeout stays at its estimate, however often the timer has expired.
    pub struct ConstantBackoff {}
}

impl ConstantBackoff {
    /// The rule for one sender.
    pub fn build(&self, (): &()) -> Box<dyn Backoff> {
        Box::new(State)
    }
}

struct State;

impl Backoff for State {
    fn on_timeout(&mut self) {}

    fn on_sample(&mut self) {}

    fn factor(&self) -> u64 {
        1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn never_grows() {
        let mut rule = State;
        rule.on_timeout();
        assert_eq!(rule.factor(), 1);
    }
}
