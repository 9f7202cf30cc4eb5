//! Cyclic counts of 20 bits, by which the two ends of a link agree on credits although it loses some
//! of their messages.
//!
//! UEC Management Working Group, "SAI Proposal: Credit Based Flow Control (CBFC)", 2026, for SAI 1.18:
//! "Cyclic Counters". Two counts can be told apart while they differ by less than 2^20.

/// A count modulo 2^20.
// Three octets, so that a message with the counts of all virtual channels is no larger than other
// units on links.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CyclicCount([u8; 3]);

/// Number of different counts.
const MODULUS: u32 = 1 << 20;

impl CyclicCount {
    /// The largest difference of two counts: 2^20 - 1.
    pub const LARGEST: u32 = MODULUS - 1;

    fn of(number: u32) -> CyclicCount {
        let [_, high, middle, low] = (number % MODULUS).to_be_bytes();
        CyclicCount([high, middle, low])
    }

    /// The count, from 0 to 2^20 - 1.
    pub fn number(self) -> u32 {
        let CyclicCount([high, middle, low]) = self;
        u32::from_be_bytes([0, high, middle, low])
    }

    /// Counts `more`.
    pub fn add(&mut self, more: u32) {
        *self = CyclicCount::of(self.number() + more % MODULUS);
    }

    /// The number counted since `before`, if it is less than 2^20.
    pub fn since(self, before: CyclicCount) -> u32 {
        (MODULUS + self.number() - before.number()) % MODULUS
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_count_begins_again_after_its_last_number() {
        let mut count = CyclicCount::default();
        count.add(CyclicCount::LARGEST - 2);
        let before = count;
        assert_eq!(count.since(CyclicCount::default()), 1_048_573);
        count.add(5);
        assert_eq!(count, CyclicCount::of(2));
        assert_eq!(count.since(before), 5);
        assert_eq!(before.since(count), MODULUS - 5);
    }
}
