//! Histograms of times, with quantiles in little memory.
//!
//! Each class is at most 1/128 of its lower bound wide, so the middle of a class is within 0.4 % of
//! every time in the class, for any number and range of times. Counts of several meters can be
//! added. Tene's `HdrHistogram` has similar classes. Our own design: classes are allocated in
//! blocks at their first use, because most flows have times of one magnitude.

use std::array::from_fn;

use kernel::Duration;

/// Number of classes per doubling of the time.
const PARTS: usize = 128;

/// Number of classes that are allocated together.
const BLOCK: usize = 32;

/// Counts of times by class. An empty histogram takes one pointer.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Histogram(Option<Box<Counted>>);

#[derive(Clone, Debug, Default, PartialEq)]
struct Counted {
    count: u64,
    /// Sum of the times, in picoseconds.
    sum: u128,
    shortest: Duration,
    longest: Duration,
    /// Position of the first block that has counted a time, among the blocks of all classes.
    first: usize,
    /// The blocks from this one to the last that has counted a time, each with the counts of its
    /// classes; none for a block between them that has counted no time.
    blocks: Vec<Option<Box<[u64; BLOCK]>>>,
}

impl Counted {
    /// An empty histogram whose first time will be `time`.
    fn new(time: Duration) -> Counted {
        Counted {
            shortest: time,
            ..Counted::default()
        }
    }

    /// A block of classes, allocated at its first use.
    #[cold]
    fn block(&mut self, block: usize) -> &mut [u64; BLOCK] {
        if self.blocks.is_empty() {
            self.first = block;
        }
        let before = self.first.saturating_sub(block);
        self.blocks.splice(0..0, std::iter::repeat_n(None, before));
        self.first -= before;
        let place = block - self.first;
        if self.blocks.len() <= place {
            self.blocks.resize(place + 1, None);
        }
        self.blocks[place].get_or_insert_with(|| Box::new([0; BLOCK]))
    }
}

impl Histogram {
    /// Counts a time.
    #[inline]
    pub fn record(&mut self, time: Duration) {
        let counted = self.0.get_or_insert_with(|| Box::new(Counted::new(time)));
        counted.count += 1;
        counted.sum += u128::from(time.ps());
        counted.shortest = counted.shortest.min(time);
        counted.longest = counted.longest.max(time);
        let class = class_of(time.ps());
        let (block, place) = (class / BLOCK, class % BLOCK);
        match counted.blocks.get_mut(block.wrapping_sub(counted.first)) {
            Some(Some(counts)) => counts[place] += 1,
            _ => counted.block(block)[place] += 1,
        }
    }

    /// Adds the counts of another histogram.
    pub fn add(&mut self, other: &Histogram) {
        let Some(other) = &other.0 else {
            return;
        };
        let counted = self
            .0
            .get_or_insert_with(|| Box::new(Counted::new(other.shortest)));
        counted.count += other.count;
        counted.sum += other.sum;
        counted.shortest = counted.shortest.min(other.shortest);
        counted.longest = counted.longest.max(other.longest);
        for (block, counts) in (other.first..).zip(&other.blocks) {
            if let Some(counts) = counts {
                let sums = counted.block(block);
                *sums = from_fn(|place| sums[place] + counts[place]);
            }
        }
    }

    /// Number of times.
    pub fn count(&self) -> u64 {
        self.0.as_ref().map_or(0, |counted| counted.count)
    }

    /// Mean time in seconds; none for an empty histogram.
    pub fn mean(&self) -> Option<f64> {
        let counted = self.0.as_ref()?;
        Some(counted.sum as f64 * 1e-12 / counted.count as f64)
    }

    /// The shortest and the longest time; none for an empty histogram.
    pub fn ends(&self) -> Option<[Duration; 2]> {
        let counted = self.0.as_ref()?;
        Some([counted.shortest, counted.longest])
    }

    /// The classes that have counted any time, from short to long, each with the middle of its
    /// range and its count.
    pub fn classes(&self) -> impl Iterator<Item = (Duration, u64)> {
        let blocks = self
            .0
            .iter()
            .flat_map(|counted| (counted.first..).zip(&counted.blocks));
        let all = blocks.flat_map(|(block, counts)| {
            let counts = counts.iter().flat_map(|counts| counts.iter().enumerate());
            counts.map(move |(place, count)| (middle(block * BLOCK + place), *count))
        });
        all.filter(|(_, count)| *count > 0)
    }

    /// The quantiles at these `thousandths`, in rising order: exact if all times are equal, and
    /// zero for an empty histogram.
    pub fn quantiles<const N: usize>(&self, thousandths: [u64; N]) -> [Duration; N] {
        let mut found = [Duration::ZERO; N];
        let Some([shortest, longest]) = self.ends() else {
            return found;
        };
        let rank = |share: u64| (u128::from(self.count()) * u128::from(share)).div_ceil(1000);
        let mut ranks = thousandths.map(rank).into_iter().zip(&mut found);
        let mut sought = ranks.next();
        let mut below = 0;
        for (time, count) in self.classes() {
            below += u128::from(count);
            while let Some((_, quantile)) = sought.take_if(|(rank, _)| *rank <= below) {
                *quantile = time.clamp(shortest, longest);
                sought = ranks.next();
            }
            if sought.is_none() {
                break;
            }
        }
        found
    }
}

/// The class of a time in picoseconds.
fn class_of(ps: u64) -> usize {
    let parts = PARTS as u64;
    if ps < parts {
        return ps as usize;
    }
    let doubled = ps.ilog2() - parts.ilog2();
    doubled as usize * PARTS + (ps >> doubled) as usize
}

/// The middle of a class.
fn middle(class: usize) -> Duration {
    let Some(doubled) = (class / PARTS).checked_sub(1) else {
        return Duration::from_ps(class as u64);
    };
    let half = (1 << doubled) / 2;
    let part = (class % PARTS) as u64;
    Duration::from_ps(((PARTS as u64 + part) << doubled) + half)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PS: fn(u64) -> Duration = Duration::from_ps;
    const THOUSANDTHS: [u64; 4] = [500, 950, 990, 999];

    fn counted(times: impl IntoIterator<Item = u64>) -> Histogram {
        let mut histogram = Histogram::default();
        for time in times {
            histogram.record(PS(time));
        }
        histogram
    }

    #[test]
    fn quantiles_of_known_times_are_within_half_a_percent() {
        // Times from 1 us to 1 s, in a scrambled order.
        let histogram =
            counted((0..1_000_000_u64).map(|number| (1 + number * 7919 % 1_000_000) * 1_000_000));
        for (of_thousand, found) in THOUSANDTHS
            .into_iter()
            .zip(histogram.quantiles(THOUSANDTHS))
        {
            let (found, expected) = (found.seconds(), of_thousand as f64 / 1000.0);
            assert!(
                (found / expected - 1.0).abs() < 0.005,
                "{expected}: {found}"
            );
        }
        assert!(histogram.classes().count() < 2600);
    }

    #[test]
    fn the_quantile_of_a_single_time_is_that_time() {
        for time in [0, 1, 127, 128, 129, 1_234_567_891, u64::MAX] {
            assert_eq!(counted([time]).quantiles(THOUSANDTHS), [PS(time); 4]);
        }
    }

    #[test]
    fn a_quantile_has_its_rank() {
        let histogram = counted(1..=100);
        assert_eq!(histogram.quantiles(THOUSANDTHS), [50, 95, 99, 100].map(PS));
        assert_eq!(counted([3, 5]).quantiles(THOUSANDTHS), [3, 5, 5, 5].map(PS));
    }

    #[test]
    fn classes_follow_one_another_without_gaps_and_hold_their_middles() {
        let mut before = None;
        for class in 0..58 * PARTS {
            let time = middle(class).ps();
            assert_eq!(class_of(time), class);
            assert!(before < Some(time));
            before = Some(time);
        }
        assert_eq!(class_of(u64::MAX), 58 * PARTS - 1);
        for power in 7..63 {
            assert_eq!(class_of((1 << power) - 1) + 1, class_of(1 << power));
        }
    }

    #[test]
    fn histograms_of_parts_add_up_to_the_whole() {
        let times = |from| (from..3_000_000).step_by(7001);
        let mut sum = counted(times(1));
        sum.add(&counted(times(400_000)));
        sum.add(&Histogram::default());
        let whole = counted(times(1).chain(times(400_000)));
        assert_eq!(sum.count(), whole.count());
        assert_eq!(sum.ends(), whole.ends());
        assert!(sum.classes().eq(whole.classes()));
        let [sum, whole] = [sum, whole].map(|one| one.mean().expect("there were some"));
        assert!((sum / whole - 1.0).abs() < 1e-12);
    }
}
