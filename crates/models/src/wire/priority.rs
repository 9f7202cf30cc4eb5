//! The eight priorities of packets, which a link may pause one by one.
//!
//! IEEE 802.1Q, section 6.9.3: the priority code point of three bits; IEEE 802.1Qbb, "Priority-based
//! Flow Control", 2011.

use parameters::{Hint, Parameter, Path, Problem, Problems, Shape, Value, Written};

/// The priority of a packet, from 0 to 7.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Priority(u8);

/// A value for each priority, by [`Priority::index`].
pub type ByPriority<T> = [T; Priority::COUNT];

impl Priority {
    /// Number of priorities.
    pub const COUNT: usize = 8;

    /// The priority with this number; none if there is no such priority.
    pub fn new(number: u8) -> Option<Priority> {
        (usize::from(number) < Priority::COUNT).then_some(Priority(number))
    }

    /// All priorities, from 0 on.
    pub fn all() -> impl Iterator<Item = Priority> {
        (0..Priority::COUNT as u8).map(Priority)
    }

    /// The number of the priority.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl Parameter for Priority {
    fn shape() -> Shape {
        Shape::Integer {
            minimum: 0,
            maximum: Priority::COUNT as i64 - 1,
        }
    }

    fn read(written: &Written, at: &Path, problems: &mut Problems) -> Option<Priority> {
        let of = |number: i64| u8::try_from(number).ok().and_then(Priority::new);
        if let Value::Integer(number) = written.value
            && let Some(priority) = of(number)
        {
            return Some(priority);
        }
        let bounds = [0, Priority::COUNT as i64 - 1].map(Value::Integer);
        let mut hints = vec![Hint::naming("write a whole number from `0` to `7`", bounds)];
        let text = written
            .value
            .text()
            .and_then(|text| text.trim().parse().ok());
        if let Some(priority) = text.and_then(of) {
            hints.insert(0, Hint::value("leave out the quotes:", priority.write()));
        }
        let problem = format!("{} is not a priority", written.value.quoted());
        problems.add(Problem::new(at, written.place, problem).hints(hints));
        None
    }

    fn write(&self) -> Value {
        Value::Integer(i64::from(self.0))
    }
}

/// A set of priorities.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct PrioritySet(u8);

impl PrioritySet {
    /// All priorities.
    pub const ALL: PrioritySet = PrioritySet(u8::MAX);

    /// True if the set has no priority.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Number of priorities.
    pub fn len(self) -> u64 {
        u64::from(self.0.count_ones())
    }

    /// True if the set has this priority.
    #[inline]
    pub fn has(self, priority: Priority) -> bool {
        self.0 >> priority.0 & 1 == 1
    }

    /// Adds a priority, or removes it unless `has`.
    pub fn set(&mut self, priority: Priority, has: bool) {
        self.0 &= !(1 << priority.0);
        self.0 |= u8::from(has) << priority.0;
    }

    /// The priorities that either set has.
    #[must_use]
    pub fn or(self, other: PrioritySet) -> PrioritySet {
        PrioritySet(self.0 | other.0)
    }

    /// The priorities that both sets have.
    #[must_use]
    pub fn and(self, other: PrioritySet) -> PrioritySet {
        PrioritySet(self.0 & other.0)
    }

    /// The priorities that exactly one of the sets has.
    #[must_use]
    pub fn differing(self, other: PrioritySet) -> PrioritySet {
        PrioritySet(self.0 ^ other.0)
    }

    /// The priorities of the set, from the lowest number on.
    pub fn iter(self) -> impl Iterator<Item = Priority> {
        Priority::all().filter(move |priority| self.has(*priority))
    }
}

impl FromIterator<Priority> for PrioritySet {
    fn from_iter<I: IntoIterator<Item = Priority>>(priorities: I) -> PrioritySet {
        let mut set = PrioritySet::default();
        for priority in priorities {
            set.set(priority, true);
        }
        set
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_eight_priorities() {
        let numbers = (0..=u8::MAX).filter_map(Priority::new);
        assert!(numbers.eq(Priority::all()));
        assert_eq!(PrioritySet::ALL.iter().count(), Priority::COUNT);
    }

    #[test]
    fn a_set_has_what_was_added_and_not_removed() {
        let of = |numbers: &[u8]| -> PrioritySet {
            numbers
                .iter()
                .filter_map(|one| Priority::new(*one))
                .collect()
        };
        let mut set = of(&[0, 3, 7]);
        set.set(Priority(3), false);
        set.set(Priority(7), true);
        assert_eq!(set, of(&[0, 7]));
        assert_eq!(set.differing(of(&[7, 2])), of(&[0, 2]));
        assert_eq!(set.or(of(&[2])), of(&[0, 2, 7]));
        assert_eq!(set.and(of(&[2, 7])), of(&[7]));
        assert!(set.has(Priority(7)) && !set.has(Priority(3)));
        assert!(!set.is_empty() && set.differing(set).is_empty());
    }
}
