//! Drops by cause, of each virtual channel.
//!
//! This file may be written for speed. Its code runs for every dropped cell.

use super::cause::Cause;

/// Units dropped per VC, by cause. A cause lasts for a PDU or longer, so the counts are updated
/// when it changes; the table is allocated at the first change.
#[derive(Clone, Debug, Default)]
pub struct CauseCounts(Option<Box<[Counts]>>);

#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    by_cause: [u64; Cause::COUNT],
    /// Sum of the counts.
    counted: u64,
}

impl CauseCounts {
    /// The counts before the first change of cause.
    pub const NONE: &CauseCounts = &CauseCounts(None);

    /// Counts the drops since the last change of cause under `cause`; `dropped` is the number of
    /// units dropped so far on VC number `vc` of `vcs`.
    #[cold]
    pub fn turn(&mut self, cause: Cause, vc: usize, dropped: u64, vcs: usize) {
        let counts = self
            .0
            .get_or_insert_with(|| vec![Counts::default(); vcs].into());
        let Counts { by_cause, counted } = &mut counts[vc];
        by_cause[cause as usize] += dropped - *counted;
        *counted = dropped;
    }

    /// Restarts the counts.
    pub fn begin(&mut self) {
        self.0
            .iter_mut()
            .for_each(|counts| counts.fill(Counts::default()));
    }

    /// Units dropped on a VC, by cause; `dropped` is their sum, and `cause` the latest cause.
    pub fn of(&self, vc: usize, dropped: u64, cause: Cause) -> impl Iterator<Item = (Cause, u64)> {
        let Counts {
            mut by_cause,
            counted,
        } = self
            .0
            .as_ref()
            .map_or(Counts::default(), |counts| counts[vc]);
        by_cause[cause as usize] += dropped - counted;
        Cause::ALL.into_iter().zip(by_cause)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The causes with drops, and their drops.
    fn drops(counts: &CauseCounts, vc: usize, dropped: u64, cause: Cause) -> Vec<(Cause, u64)> {
        let all = counts.of(vc, dropped, cause);
        all.filter(|(_, units)| *units > 0).collect()
    }

    #[test]
    fn vcs_are_counted_separately_and_from_zero_again() {
        let mut counts = CauseCounts::default();
        assert_eq!(
            drops(&counts, 1, 3, Cause::Overflow),
            [(Cause::Overflow, 3)]
        );
        counts.turn(Cause::Overflow, 1, 3, 2);
        counts.turn(Cause::PushedOut, 1, 4, 2);
        assert_eq!(
            drops(&counts, 1, 9, Cause::Threshold),
            [
                (Cause::Overflow, 3),
                (Cause::Threshold, 5),
                (Cause::PushedOut, 1)
            ]
        );
        assert_eq!(drops(&counts, 0, 0, Cause::Overflow), []);
        counts.begin();
        assert_eq!(
            drops(&counts, 1, 2, Cause::Remainder),
            [(Cause::Remainder, 2)]
        );
    }
}
