//! Flowlets: a connection takes another link when it has been silent for longer than the paths differ in
//! delay, so that its packets stay in order without being bound to one path.
//!
//! Vanini, Pan, Alizadeh, Taheri and Edsall, "Let It Flow: Resilient Asymmetric Load Balancing with
//! Flowlet Switching", NSDI 2017, section 4: each flowlet takes a random link, and a table of hashed
//! connections holds the link and the time of the last packet. Connections with one hash share an entry.

use kernel::random::mix;
use kernel::{Duration, Stream, Time};
use parameters::parameters;

use super::{Fork, Passing, PathChoice, PathsKind};

parameters! {
    /// A random link for each flowlet: the packets of a connection without a longer silence.
    pub struct Flowlet {
        /// Silence that ends a flowlet.
        #[range("1 ns", "1 h")]
        pub gap: Duration = "500 us",
        /// Number of entries of the table of connections.
        #[range(1, 16_777_216)]
        pub entries: u32 = 65_536,
    }
}

impl Flowlet {
    /// The rule at one node.
    pub fn build(&self, fork: &Fork) -> Option<Box<dyn PathChoice>> {
        let mut random = fork.random.clone();
        Some(Box::new(State {
            salt: random.bits(),
            random,
            gap: self.gap,
            entries: u64::from(self.entries),
            table: Vec::new(),
        }))
    }
}

impl PathsKind for Flowlet {
    fn divides(&self) -> bool {
        true
    }

    fn keeps_together(&self) -> bool {
        false
    }
}

struct State {
    salt: u64,
    random: Stream,
    gap: Duration,
    entries: u64,
    /// Empty until the first packet.
    table: Vec<Option<Entry>>,
}

/// The present flowlet of a connection.
#[derive(Clone, Copy)]
struct Entry {
    /// Time of its last packet.
    last: Time,
    link: u32,
}

impl PathChoice for State {
    fn choose(&mut self, passing: Passing) -> usize {
        let Passing { now, links, .. } = passing;
        if self.table.is_empty() {
            self.table = vec![None; self.entries as usize];
        }
        let index = mix(self.salt ^ mix(passing.connection)) % self.entries;
        let entry = &mut self.table[index as usize];
        // A link that is no longer among the next links ends the flowlet too.
        let goes_on =
            |entry: &Entry| now.since(entry.last) <= self.gap && (entry.link as usize) < links;
        let link = match entry.filter(goes_on) {
            Some(Entry { link, .. }) => link,
            None => self.random.below(links as u64) as u32,
        };
        *entry = Some(Entry { last: now, link });
        link as usize
    }
}

#[cfg(test)]
mod tests {
    use parameters::value;

    use super::super::script::{is_balanced, packet, rule};

    #[test]
    fn a_connection_keeps_its_link_until_it_is_silent() {
        let mut rule = rule(&value!({ flowlet = { gap = "10 us" } }));
        let mut counts = [0; 4];
        for flowlet in 0..2000 {
            let start = flowlet * 100;
            let link = rule.choose(packet(start, 1));
            for us in [3, 13, 23] {
                assert_eq!(rule.choose(packet(start + us, 1)), link);
            }
            counts[link] += 1;
        }
        assert!(is_balanced(&counts), "{counts:?}");
    }

    #[test]
    fn connections_have_flowlets_of_their_own() {
        let mut rule = rule(&value!({ flowlet = {} }));
        let mut links: Vec<usize> = (0..64)
            .map(|connection| rule.choose(packet(0, connection)))
            .collect();
        links.sort_unstable();
        links.dedup();
        assert_eq!(links, [0, 1, 2, 3]);
    }
}
