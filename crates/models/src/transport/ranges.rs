//! Sets of octet numbers as sorted ranges: the reassembly queue of a receiver, and the scoreboard
//! of a sender (RFC 6675, section 3).

/// Disjoint ranges `[start, end)`, of which no two touch.
// Boxed: without losses a flow needs none, and both of its ends stay small.
#[allow(clippy::box_collection)]
#[derive(Clone, Debug, Default)]
pub struct Ranges(Option<Box<Vec<(u64, u64)>>>);

impl PartialEq for Ranges {
    fn eq(&self, other: &Ranges) -> bool {
        self.all() == other.all()
    }
}

impl Eq for Ranges {}

impl Ranges {
    /// The ranges, in order.
    #[inline]
    fn all(&self) -> &[(u64, u64)] {
        self.0.as_deref().map_or(&[], Vec::as_slice)
    }

    /// Adds `[start, end)` and returns the number of octets that were missing before.
    pub fn insert(&mut self, start: u64, end: u64) -> u64 {
        if start >= end {
            return 0;
        }
        let ranges = self.0.get_or_insert_default();
        let first = ranges.partition_point(|range| range.1 < start);
        let last = ranges.partition_point(|range| range.0 <= end);
        let mut merged = (start, end);
        let mut known = 0;
        for range in &ranges[first..last] {
            known += range.1.min(end).saturating_sub(range.0.max(start));
            merged = (merged.0.min(range.0), merged.1.max(range.1));
        }
        ranges.splice(first..last, [merged]);
        end - start - known
    }

    /// Removes the range that contains `next` and returns its end; returns `next` if no range
    /// contains it.
    pub fn take_through(&mut self, next: u64) -> u64 {
        match &mut self.0 {
            Some(ranges) if ranges.first().is_some_and(|(start, _)| *start <= next) => {
                let (_, end) = ranges.remove(0);
                next.max(end)
            }
            _ => next,
        }
    }

    /// Removes all numbers below `number`.
    pub fn forget_below(&mut self, number: u64) {
        let Some(ranges) = &mut self.0 else {
            return;
        };
        let whole = ranges.partition_point(|range| range.1 <= number);
        ranges.drain(..whole);
        if let Some(first) = ranges.first_mut() {
            first.0 = first.0.max(number);
        }
    }

    /// The ranges, in order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (u64, u64)> + '_ {
        self.all().iter().copied()
    }

    /// The number after the last one.
    pub fn end(&self) -> Option<u64> {
        self.all().last().map(|range| range.1)
    }

    /// The range that `number` is in.
    pub fn containing(&self, number: u64) -> Option<(u64, u64)> {
        let ranges = self.all();
        let index = ranges.partition_point(|range| range.1 <= number);
        ranges
            .get(index)
            .copied()
            .filter(|(start, _)| *start <= number)
    }

    /// The count of numbers in `[start, end)`.
    pub fn octets(&self, start: u64, end: u64) -> u64 {
        let within = |range: &(u64, u64)| range.1.min(end).saturating_sub(range.0.max(start));
        self.all().iter().map(within).sum()
    }

    /// The first missing numbers from `from` on that are followed by a range.
    pub fn gap(&self, from: u64) -> Option<(u64, u64)> {
        self.gaps(from, self.end()?).next()
    }

    /// The missing numbers in `[from, until)`, as ranges in order.
    pub fn gaps(&self, from: u64, until: u64) -> impl Iterator<Item = (u64, u64)> + '_ {
        let mut next = from;
        let ends = self.iter().chain([(until, until)]);
        ends.filter_map(move |(start, end)| {
            let gap = (next, start.min(until));
            next = next.max(end);
            (gap.0 < gap.1).then_some(gap)
        })
    }

    /// True if the set is empty.
    pub fn is_empty(&self) -> bool {
        self.all().is_empty()
    }
}

/// Numbers of octets that arrived out of order, the latest first. They select the ranges to report
/// if a segment has no space for all.
#[derive(Clone, Debug, Default)]
pub struct LatestArrivals(Vec<u64>);

impl LatestArrivals {
    /// Records that `octet` arrived out of order.
    pub fn note(&mut self, octet: u64) {
        self.0.insert(0, octet);
    }

    /// Up to `most` of the ranges in `beyond`, the range of the latest arrival first: RFC 2018,
    /// section 4.
    pub fn ranges<'a>(
        &'a mut self,
        beyond: &'a Ranges,
        most: usize,
    ) -> impl Iterator<Item = (u64, u64)> + 'a {
        let mut told = Ranges::default();
        self.0.retain(|octet| {
            let range = beyond.containing(*octet);
            range.is_some_and(|(start, end)| told.insert(start, end) > 0)
        });
        let latest = self.0.iter().take(most);
        latest.filter_map(|octet| beyond.containing(*octet))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    #[test]
    fn merges_touching_ranges_and_counts_new_octets() {
        let mut ranges = Ranges::default();
        assert_eq!(ranges.insert(10, 20), 10);
        assert_eq!(ranges.insert(30, 40), 10);
        assert_eq!(ranges.insert(15, 30), 10);
        assert_eq!(ranges.insert(10, 40), 0);
        assert_eq!(ranges.take_through(5), 5);
        assert_eq!(ranges.take_through(10), 40);
        assert!(ranges.is_empty());
    }

    #[test]
    fn finds_missing_ranges() {
        let mut ranges = Ranges::default();
        ranges.insert(10, 20);
        ranges.insert(30, 40);
        assert_eq!(
            ranges.gaps(0, 50).collect::<Vec<_>>(),
            [(0, 10), (20, 30), (40, 50)]
        );
        assert_eq!(ranges.gaps(15, 35).collect::<Vec<_>>(), [(20, 30)]);
        assert_eq!(
            [0, 10, 25, 40].map(|from| ranges.gap(from)),
            [Some((0, 10)), Some((20, 30)), Some((25, 30)), None]
        );
        assert_eq!(
            [9, 10, 39, 40].map(|number| ranges.containing(number)),
            [None, Some((10, 20)), Some((30, 40)), None]
        );
        assert_eq!(ranges.octets(15, 33), 8);
        ranges.forget_below(35);
        assert_eq!((ranges.gap(0), ranges.end()), (Some((0, 35)), Some(40)));
    }

    proptest! {
        #[test]
        fn ranges_hold_the_same_octets_as_a_set(
            inserts in prop::collection::vec((0u64..60, 0u64..12), 0..30),
        ) {
            let mut ranges = Ranges::default();
            let mut model = BTreeSet::new();
            for (start, length) in inserts {
                let new = (start..start + length).filter(|number| model.insert(*number)).count();
                prop_assert_eq!(ranges.insert(start, start + length), new as u64);
            }
            let held: BTreeSet<u64> = ranges.iter().flat_map(|(start, end)| start..end).collect();
            prop_assert_eq!(held, model);
            prop_assert!(ranges.all().windows(2).all(|pair| pair[0].1 < pair[1].0));
        }
    }
}
