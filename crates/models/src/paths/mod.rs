//! Paths of equal length: the rule by which a switch, a router or a host chooses among the next links.
//!
//! Of all links that begin a path of fewest links to the end of a flow, a node takes the one that is
//! written first, or spreads the packets over all of them, as the multipath routing of RFC 2991 does.
//! Each rule names its own source.

mod forks;

use kernel::random::mix;
use kernel::{Stream, Time};

pub use forks::{Forks, NextLinks, NoRoute};

parameters::registry! {
    /// Choice of a node among the next links of equal paths.
    pub enum PathsSpec builds Option<Box<dyn PathChoice>>, for Fork, answers dyn PathsKind {
        single => Single,
        ecmp => Ecmp,
        spray => Spray,
        flowlet => Flowlet,
    } default single
}

parameters::parameters! {
    /// The parameters that all nodes with several next links share.
    pub struct ForwardingSpec {
        /// Choice among equal paths.
        pub paths: PathsSpec = default,
    }
}

/// The properties of a rule before the run, which each member states in its own file.
pub trait PathsKind {
    /// True if the rule uses several paths.
    fn divides(&self) -> bool;

    /// True if all packets of a connection take one path, so that a VC can be set up along it.
    fn keeps_together(&self) -> bool;
}

/// A node that chooses, as known before the run.
#[derive(Clone, Debug)]
pub struct Fork {
    /// Random stream of the node.
    pub random: Stream,
    /// Number of groups of next links at the node.
    pub groups: usize,
}

/// A packet for which a node chooses.
#[derive(Clone, Copy, Debug)]
pub struct Passing {
    /// Time of the choice.
    pub now: Time,
    /// Number of the group of next links: a flow in one direction.
    pub group: usize,
    /// The connection of the packet and its direction, as a random number.
    pub connection: u64,
    /// Number of next links, which is more than one.
    pub links: usize,
}

/// Chooses the next link of each packet.
pub trait PathChoice: Send {
    /// The next link of a packet, by its number.
    fn choose(&mut self, passing: Passing) -> usize;
}

/// A number below `links` for each `connection`, which differs from node to node by `salt`: the hash
/// threshold of RFC 2992, which divides the range of hashes into equal regions.
fn hashed(salt: u64, connection: u64, links: usize) -> usize {
    let hash = mix(salt ^ mix(connection));
    ((u128::from(hash) * links as u128) >> 64) as usize
}

/// Scripts for the tests of the rules.
#[cfg(test)]
pub(crate) mod script {
    use kernel::{Seed, Time};
    use parameters::{Value, understand};

    use super::{Fork, Passing, PathChoice, PathsSpec};

    /// The rule at a node with eight groups.
    pub fn rule(spec: &Value) -> Box<dyn PathChoice> {
        let spec: PathsSpec = understand(spec).expect("a rule");
        let seed = Seed {
            seed: 1,
            replication: 0,
        };
        let random = seed.stream("s", "paths");
        let fork = Fork { random, groups: 8 };
        spec.build(&fork).expect("the rule chooses")
    }

    /// A packet of a connection, at a number of microseconds, with four next links.
    pub fn packet(us: u64, connection: u64) -> Passing {
        Passing {
            now: Time::from_ps(us * 1_000_000),
            group: (connection % 8) as usize,
            connection,
            links: 4,
        }
    }

    /// True if each of the counts is within five standard deviations of an equal share.
    pub fn is_balanced(counts: &[usize]) -> bool {
        let sum: usize = counts.iter().sum();
        let share = 1.0 / counts.len() as f64;
        let deviation = (sum as f64 * share * (1.0 - share)).sqrt();
        let mut counts = counts.iter().map(|count| *count as f64);
        counts.all(|count| (count - sum as f64 * share).abs() < 5.0 * deviation)
    }
}
