//! The memory that the credits of an input of a router allow.

use models::link::credit::CbfcTerms;
use models::output::memory::Memory;
use models::router::account::CreditRoom;
use models::wire::priority::{Priority, PrioritySet};

/// An input with credits for packets, which take at most the memory that the credits allow.
#[derive(Clone, Copy, Debug)]
pub struct CreditShare {
    pub terms: CbfcTerms,
    /// Octets of the smallest and of the largest packet.
    sizes: [u32; 2],
    memory: Memory,
}

impl CreditShare {
    /// The share of an input with packets of these sizes.
    pub fn new(terms: CbfcTerms, packets: [u64; 2], memory: Memory) -> CreditShare {
        CreditShare {
            terms,
            sizes: packets.map(|octets| octets as u32),
            memory,
        }
    }

    /// Most octets of memory that packets with as many credits take.
    fn space(self, credits: u64) -> u64 {
        let packets = self.memory.for_packets();
        let further = packets.further_sizes(self.sizes);
        let space = |octets| packets.space(octets);
        self.terms
            .cost
            .most_space(credits, self.sizes, further, space)
    }

    /// Most octets of memory that some virtual channels hold together.
    pub fn most_of(self, vcs: PrioritySet) -> u64 {
        match self.terms.shared {
            None => {
                let each = self.space(u64::from(self.terms.limit));
                each.saturating_mul(vcs.len())
            }
            Some(_) => self.space(self.terms.most_of(vcs)),
        }
    }

    /// The memory that is kept for flows of these priorities.
    pub fn room(self, priorities: PrioritySet) -> CreditRoom {
        let each = Priority::all().map(|vc| self.space(self.terms.most(vc)));
        let each: Vec<u64> = each.collect();
        CreditRoom {
            each: each.try_into().expect("one for each priority"),
            together: self.most_of(self.terms.priorities.and(priorities)),
        }
    }
}
