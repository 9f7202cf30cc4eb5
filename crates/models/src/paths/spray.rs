//! Packet spraying: each packet takes a link by itself, so that all links carry the same load and packets
//! overtake each other.
//!
//! Dixit, Prakash, Hu and Kompella, "On the Impact of Packet Spraying in Data Center Networks", IEEE
//! INFOCOM 2013, section III: random packet spraying. Switches of today also take turns, which the paper
//! names as an alternative; each group of next links then has turns of its own.

use kernel::Stream;
use parameters::{choices, parameters};

use super::{Fork, Passing, PathChoice, PathsKind};

parameters! {
    /// A link for each packet.
    pub struct Spray {
        /// Choice of the link of a packet.
        pub choice: SprayChoice = "random",
    }
}

choices! {
    /// Choice of the link of a packet.
    pub enum SprayChoice {
        /// Any link, with equal probabilities.
        random => Random,
        /// The links in turn: for each flow and direction, or in a scheduled fabric for each input and
        /// output.
        in_turn => InTurn,
    }
}

impl Spray {
    /// The rule at one node.
    pub fn build(&self, fork: &Fork) -> Option<Box<dyn PathChoice>> {
        Some(match self.choice {
            SprayChoice::Random => Box::new(Random(fork.random.clone())),
            SprayChoice::InTurn => Box::new(InTurn {
                last: vec![0; fork.groups].into(),
            }),
        })
    }
}

impl PathsKind for Spray {
    fn divides(&self) -> bool {
        true
    }

    fn keeps_together(&self) -> bool {
        false
    }
}

struct Random(Stream);

impl PathChoice for Random {
    fn choose(&mut self, passing: Passing) -> usize {
        self.0.below(passing.links as u64) as usize
    }
}

struct InTurn {
    /// By group, the number of the link that was chosen last.
    last: Box<[u32]>,
}

impl PathChoice for InTurn {
    fn choose(&mut self, passing: Passing) -> usize {
        let last = &mut self.last[passing.group];
        *last = (*last + 1) % passing.links as u32;
        *last as usize
    }
}

#[cfg(test)]
mod tests {
    use parameters::value;

    use super::super::script::{is_balanced, packet, rule};

    #[test]
    fn packets_of_one_connection_are_spread() {
        let mut random = rule(&value!({ spray = {} }));
        let mut counts = [0; 4];
        for us in 0..4000 {
            counts[random.choose(packet(us, 1))] += 1;
        }
        assert!(is_balanced(&counts), "{counts:?}");
    }

    #[test]
    fn each_flow_takes_the_links_in_turn() {
        let mut turns = rule(&value!({ spray = { choice = "in_turn" } }));
        let mut chosen = |connection| turns.choose(packet(0, connection));
        let links = [1, 1, 2, 1, 2, 1].map(&mut chosen);
        assert_eq!(links, [1, 2, 1, 3, 2, 0]);
    }
}
