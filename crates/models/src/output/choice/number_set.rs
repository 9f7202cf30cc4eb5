//! Sets of inputs, outputs or virtual channels, as bits. A fabric or a scheduler searches such a
//! set for the next member once for each cell.
//!
//! This file may be written for speed.

/// A set of small numbers.
///
/// The set takes memory only for the range from its smallest to its largest number, because few
/// inputs of a large switch send to the same output.
#[derive(Clone, Debug, Default)]
pub struct NumberSet {
    /// The number of the first bit, a multiple of 64.
    base: usize,
    words: Box<[u64]>,
}

impl NumberSet {
    /// Adds a number.
    #[inline]
    pub fn insert(&mut self, number: usize) {
        let mut index = number.wrapping_sub(self.base) / 64;
        if index >= self.words.len() {
            self.extend_to(number);
            index = (number - self.base) / 64;
        }
        self.words[index] |= 1 << (number % 64);
    }

    /// Removes a number, which is in the set.
    #[inline]
    pub fn remove(&mut self, number: usize) {
        self.words[(number - self.base) / 64] &= !(1 << (number % 64));
    }

    /// Extends the range of the bits so that it includes `number`.
    #[cold]
    fn extend_to(&mut self, number: usize) {
        let word = number / 64;
        if self.words.is_empty() {
            self.base = word * 64;
        }
        let first = word.min(self.base / 64);
        let end = (word + 1).max(self.base / 64 + self.words.len());
        let mut words: Box<[u64]> = vec![0; end - first].into();
        words[self.base / 64 - first..][..self.words.len()].copy_from_slice(&self.words);
        *self = NumberSet {
            base: first * 64,
            words,
        };
    }

    /// True if the set is empty.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|word| *word == 0)
    }

    /// The smallest number of the set that is at least `from`.
    #[inline]
    pub fn first_from(&self, from: usize) -> Option<usize> {
        let found = self.first_bit_from(from.saturating_sub(self.base))?;
        Some(self.base + found)
    }

    #[inline]
    fn first_bit_from(&self, from: usize) -> Option<usize> {
        let mut index = from / 64;
        let mut word = self.words.get(index)? & (!0 << (from % 64));
        while word == 0 {
            index += 1;
            word = *self.words.get(index)?;
        }
        Some(index * 64 + word.trailing_zeros() as usize)
    }

    /// Appends numbers of the set to `found`, upward from `from` and then from zero, until `found`
    /// has `wanted` numbers or all numbers of the set.
    #[inline]
    pub fn cycle_from(&self, from: usize, wanted: usize, found: &mut Vec<usize>) {
        let from = from.saturating_sub(self.base);
        let mut next = from;
        while found.len() < wanted
            && let Some(bit) = self.first_bit_from(next)
        {
            found.push(self.base + bit);
            next = bit + 1;
        }
        next = 0;
        while found.len() < wanted
            && let Some(bit) = self.first_bit_from(next)
            && bit < from
        {
            found.push(self.base + bit);
            next = bit + 1;
        }
    }
}

/// Round-robin service of numbered queues or classes; a number is busy while a unit of its queue or
/// class waits.
#[derive(Clone, Debug, Default)]
pub struct Turns {
    busy: NumberSet,
    /// The number that follows the last number served.
    next: usize,
}

impl Turns {
    /// Makes `number` busy.
    #[inline]
    pub fn insert(&mut self, number: usize) {
        self.busy.insert(number);
    }

    /// The busy number whose turn it is, if any is busy.
    #[inline]
    pub fn next(&self) -> Option<usize> {
        let next = self.busy.first_from(self.next);
        next.or_else(|| self.busy.first_from(0))
    }

    /// Records that `number` was served; `number` stays busy if `more` is true.
    #[inline]
    pub fn served(&mut self, number: usize, more: bool) {
        if !more {
            self.busy.remove(number);
        }
        self.next = number + 1;
    }

    /// True if no number is busy.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.busy.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(numbers: &[usize]) -> NumberSet {
        let mut set = NumberSet::default();
        for number in numbers {
            set.insert(*number);
        }
        set
    }

    fn cycle(numbers: &[usize], from: usize, wanted: usize) -> Vec<usize> {
        let mut found = Vec::new();
        set(numbers).cycle_from(from, wanted, &mut found);
        found
    }

    #[test]
    fn goes_around_once() {
        assert_eq!(cycle(&[0, 63, 64, 129], 64, 10), [64, 129, 0, 63]);
        assert_eq!(cycle(&[0, 63, 64, 129], 1, 2), [63, 64]);
        assert_eq!(cycle(&[5], 130, 2), [5]);
        assert_eq!(cycle(&[], 3, 2), [] as [usize; 0]);
    }

    #[test]
    fn takes_memory_for_the_range_of_its_numbers_only() {
        for (numbers, words) in [(&[1000][..], 1), (&[1000, 900], 2), (&[70, 500, 3], 8)] {
            let set = set(numbers);
            assert_eq!(set.words.len(), words);
            let mut held: Vec<usize> = numbers.to_vec();
            held.sort_unstable();
            assert_eq!(cycle(numbers, 0, 10), held);
        }
    }

    #[test]
    fn removed_numbers_are_not_found() {
        let mut set = set(&[3, 100]);
        set.remove(3);
        assert_eq!(set.first_from(0), Some(100));
        set.remove(100);
        assert!(set.is_empty());
    }
}
