//! Sets of inputs, outputs or virtual channels, as bits.

/// A set of small numbers.
#[derive(Clone, Debug)]
pub struct NumberSet {
    words: Box<[u64]>,
}

impl NumberSet {
    /// An empty set of numbers below `size`.
    pub fn new(size: usize) -> NumberSet {
        NumberSet {
            words: vec![0; size.div_ceil(64).max(1)].into(),
        }
    }

    /// Adds a number.
    #[inline]
    pub fn insert(&mut self, number: usize) {
        self.words[number / 64] |= 1 << (number % 64);
    }

    /// Takes a number out.
    #[inline]
    pub fn remove(&mut self, number: usize) {
        self.words[number / 64] &= !(1 << (number % 64));
    }

    /// Whether there is none.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|word| *word == 0)
    }

    /// The smallest number that is at least `from`.
    #[inline]
    pub fn first_from(&self, from: usize) -> Option<usize> {
        let mut index = from / 64;
        let mut word = self.words.get(index)? & (!0 << (from % 64));
        while word == 0 {
            index += 1;
            word = *self.words.get(index)?;
        }
        Some(index * 64 + word.trailing_zeros() as usize)
    }

    /// Appends up to `wanted` numbers to `found`, upward from `from` and then from zero.
    #[inline]
    pub fn cycle_from(&self, from: usize, wanted: usize, found: &mut Vec<usize>) {
        let mut next = from;
        while found.len() < wanted
            && let Some(number) = self.first_from(next)
        {
            found.push(number);
            next = number + 1;
        }
        next = 0;
        while found.len() < wanted
            && let Some(number) = self.first_from(next)
            && number < from
        {
            found.push(number);
            next = number + 1;
        }
    }
}

/// Those of some numbers that have something to do, which take turns.
#[derive(Clone, Debug)]
pub struct Turns {
    busy: NumberSet,
    /// The number after the last one served.
    next: usize,
}

impl Turns {
    /// Turns of numbers below `size`, of which none has anything to do.
    pub fn new(size: usize) -> Turns {
        Turns {
            busy: NumberSet::new(size),
            next: 0,
        }
    }

    /// A number has something to do.
    #[inline]
    pub fn insert(&mut self, number: usize) {
        self.busy.insert(number);
    }

    /// Whose turn it is, if anyone has anything to do.
    #[inline]
    pub fn next(&self) -> Option<usize> {
        let next = self.busy.first_from(self.next);
        next.or_else(|| self.busy.first_from(0))
    }

    /// A number has had its turn; `more` tells whether it has more to do.
    #[inline]
    pub fn served(&mut self, number: usize, more: bool) {
        if !more {
            self.busy.remove(number);
        }
        self.next = number + 1;
    }

    /// Whether nobody has anything to do.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.busy.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(numbers: &[usize]) -> NumberSet {
        let mut set = NumberSet::new(130);
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
    fn forgets_what_was_removed() {
        let mut set = set(&[3, 100]);
        set.remove(3);
        assert_eq!(set.first_from(0), Some(100));
        set.remove(100);
        assert!(set.is_empty());
    }
}
