//! The clocks of links whose rate changes, or with a shaper in front of them.

use kernel::Rate;
use models::rates::{LinkClock, Schedule};
use models::shaper::ShaperSpec;

use super::{Hop, Plan};

impl Plan {
    /// The changes of the rate of a hop; none if it never changes.
    pub fn rate_changes(&self, hop: Hop) -> Option<Schedule> {
        self.link_spec(hop.link()).schedule(hop.reverse())
    }

    /// The clock of a hop whose rate changes, or that has a shaper; none of any other.
    pub(in crate::lower) fn clock(&self, hop: Hop) -> Option<LinkClock> {
        let rate = self.rate(hop);
        let shaper = self.link_spec(hop.link()).shaper(hop.reverse());
        let changes = self.rate_changes(hop);
        let changes = changes.or_else(|| shaper.map(|_| Schedule::new(rate, Vec::new(), None)));
        let bucket = shaper.map(|shaper| shaper.build(&rate));
        changes.map(|changes| LinkClock::new(changes).shaped(bucket))
    }

    /// The rate at which a queue in front of a hop empties: that of the link or of its shaper.
    pub(in crate::lower) fn rate_of_departures(&self, hop: Hop) -> Rate {
        let shaper = self.link_spec(hop.link()).shaper(hop.reverse());
        let rates = shaper.map(|ShaperSpec::TokenBucket(bucket)| bucket.rate);
        rates.into_iter().fold(self.rate(hop), Rate::min)
    }
}
