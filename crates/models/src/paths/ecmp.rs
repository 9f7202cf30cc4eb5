//! Equal-cost multipath (ECMP): a hash of the connection chooses the link, so that the packets of a
//! connection stay in order.
//!
//! Hopps, "Analysis of an Equal-Cost Multi-Path Algorithm", RFC 2992, 2000: the hash threshold, its
//! section 2. The hash has a random number of the node in it, so that nodes one behind the other choose
//! independently. The two directions of a connection are hashed apart.

use parameters::parameters;

use super::{Fork, Passing, PathChoice, PathsKind, hashed};

parameters! {
    /// A link for each connection and each VC, by a hash.
    pub struct Ecmp {}
}

impl Ecmp {
    /// The rule at one node.
    pub fn build(&self, fork: &Fork) -> Option<Box<dyn PathChoice>> {
        let salt = fork.random.clone().bits();
        Some(Box::new(State { salt }))
    }
}

impl PathsKind for Ecmp {
    fn divides(&self) -> bool {
        true
    }

    fn keeps_together(&self) -> bool {
        true
    }
}

struct State {
    salt: u64,
}

impl PathChoice for State {
    fn choose(&mut self, passing: Passing) -> usize {
        hashed(self.salt, passing.connection, passing.links)
    }
}

#[cfg(test)]
mod tests {
    use parameters::value;

    use super::super::Passing;
    use super::super::script::{is_balanced, packet, rule};

    #[test]
    fn a_connection_keeps_its_link_and_connections_are_spread() {
        let mut rule = rule(&value!({ ecmp = {} }));
        let mut counts = [0; 4];
        for connection in 0..4000 {
            let link = rule.choose(packet(0, connection));
            assert_eq!(rule.choose(packet(9, connection)), link);
            counts[link] += 1;
        }
        assert!(is_balanced(&counts), "{counts:?}");
    }

    #[test]
    fn a_link_that_fails_moves_half_of_the_connections() {
        // RFC 2992, section 2.2: when the last of N regions goes, the others widen, and the share that
        // changes is between a quarter and a half; with the last of four it is a half.
        let mut rule = rule(&value!({ ecmp = {} }));
        let moved = (0..4000).filter(|connection| {
            let before = packet(0, *connection);
            let after = Passing { links: 3, ..before };
            rule.choose(before) != rule.choose(after)
        });
        // Five standard deviations of a binomial count.
        assert!(moved.count().abs_diff(2000) < 158);
    }
}
