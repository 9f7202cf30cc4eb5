//! Karn's rule with another limit of the factor.
//!
//! Below 64 it departs from RFC 6298, section 5.5, which doubles the timeout at every expiry: our own
//! rule, by which a study measures the effect of backoff on a result. A large factor leaves the limit
//! to the timers, as that section permits and Linux does.

use parameters::parameters;

use super::Backoff;

parameters! {
    /// As `karn`, but with another largest factor.
    pub struct Capped {
        /// Largest factor by which the timeout is multiplied.
        #[range(1, 65536)]
        pub factor: u32 = 2,
    }
}

impl Capped {
    /// The rule for one sender.
    pub fn build(&self, (): &()) -> Box<dyn Backoff> {
        Box::new(State {
            factor: 1,
            largest: u64::from(self.factor),
        })
    }
}

struct State {
    factor: u64,
    largest: u64,
}

impl Backoff for State {
    fn on_timeout(&mut self) {
        self.factor = (self.factor * 2).min(self.largest);
    }

    fn on_sample(&mut self) {
        self.factor = 1;
    }

    fn factor(&self) -> u64 {
        self.factor
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn doubles_up_to_the_limit() {
        let mut rule = State {
            factor: 1,
            largest: 6,
        };
        let factors = [(); 4].map(|()| {
            rule.on_timeout();
            rule.factor()
        });
        assert_eq!(factors, [2, 4, 6, 6]);
        rule.on_sample();
        assert_eq!(rule.factor(), 1);
    }
}
