//! Drop causes, by virtual channel.
//!
//! This file may be written for speed. Its code runs for every dropped cell.

use super::metric::Metric;
use super::table::drop;

/// Cause for which an output dropped a cell or a packet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Cause {
    /// Overflow: the buffer was full.
    #[default]
    Overflow,
    /// Threshold: the unit fitted into the buffer, but the policy dropped it, or an earlier unit of
    /// its PDU, by a threshold, at random or by its
    /// waiting time.
    Threshold,
    /// Remainder: the unit fitted into the buffer, but an earlier unit of its PDU had overflowed
    /// the buffer.
    Remainder,
    /// Pushed out: the unit was accepted, and was dropped later to make space for another.
    PushedOut,
    /// No route: no path was left to the end of the flow.
    NoRoute,
    /// Headroom: the input held all that it may hold beyond xoff.
    Headroom,
    /// Trimmed: the packet overflowed the buffer, and lost its payload; its first octets were offered
    /// again.
    Trimmed,
    /// Input: the cell came to a queue of its input, whose discard policy dropped it.
    Input,
    /// Knockout: in the slot of the cell, other cells took all paths of the fabric to the output.
    Knockout,
    /// Fabric: a link of the fabric lost a cell of the packet.
    Fabric,
    /// Returned: the packet did not fit even when it was trimmed, and went back to its sender.
    Returned,
}

/// Number of causes.
pub const CAUSES: usize = 11;

impl Cause {
    /// The cause of a drop. `fitted` is true if the unit fitted into the buffer; `before` is the
    /// cause of earlier drops in the PDU. A drop before the output tells the output nothing.
    #[inline]
    pub fn of(fitted: bool, before: Option<Cause>) -> Cause {
        match (fitted, before) {
            (_, Some(Cause::Threshold))
            | (true, None | Some(Cause::Input | Cause::Knockout | Cause::Fabric)) => {
                Cause::Threshold
            }
            (true, Some(_)) => Cause::Remainder,
            (false, _) => Cause::Overflow,
        }
    }
}

/// Units dropped per VC, by cause. A cause lasts for a PDU or longer, so the counts are updated
/// when it changes; the table is allocated at the first change.
#[derive(Clone, Debug, Default)]
pub struct CauseCounts(Option<Box<[Counts]>>);

#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    by_cause: [u64; CAUSES],
    /// Sum of the counts.
    counted: u64,
}

impl CauseCounts {
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

    /// Units dropped on a VC, by metric; `dropped` is their sum, and `cause` the latest cause.
    pub fn of(&self, vc: usize, dropped: u64, cause: Cause) -> [(&'static Metric, u64); CAUSES] {
        let Counts {
            mut by_cause,
            counted,
        } = self
            .0
            .as_ref()
            .map_or(Counts::default(), |counts| counts[vc]);
        by_cause[cause as usize] += dropped - counted;
        let [
            overflow,
            threshold,
            remainder,
            pushed_out,
            no_route,
            headroom,
            trimmed,
            input,
            knockout,
            fabric,
            returned,
        ] = by_cause;
        [
            (drop::overflow, overflow),
            (drop::threshold, threshold),
            (drop::remainder, remainder),
            (drop::pushed_out, pushed_out),
            (drop::no_route, no_route),
            (drop::headroom, headroom),
            (drop::trimmed, trimmed),
            (drop::input, input),
            (drop::knockout, knockout),
            (drop::fabric, fabric),
            (drop::returned, returned),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_drop_of_a_pdu_decides_the_cause_of_the_rest() {
        let [early, full] = [Some(Cause::Threshold), Some(Cause::Overflow)];
        assert_eq!(Cause::of(true, None), Cause::Threshold);
        assert_eq!(Cause::of(false, early), Cause::Threshold);
        assert_eq!(Cause::of(false, None), Cause::Overflow);
        assert_eq!(Cause::of(true, full), Cause::Remainder);
        assert_eq!(Cause::of(false, full), Cause::Overflow);
        assert_eq!(Cause::of(true, Some(Cause::PushedOut)), Cause::Remainder);
        for before in [Cause::Input, Cause::Knockout, Cause::Fabric] {
            assert_eq!(Cause::of(true, Some(before)), Cause::Threshold);
            assert_eq!(Cause::of(false, Some(before)), Cause::Overflow);
        }
    }

    #[test]
    fn vcs_are_counted_separately_and_from_zero_again() {
        let mut counts = CauseCounts::default();
        let by = |counts: &CauseCounts, vc, dropped, cause| {
            counts.of(vc, dropped, cause).map(|(_, count)| count)
        };
        assert_eq!(
            by(&counts, 1, 3, Cause::Overflow),
            [3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
        );
        counts.turn(Cause::Overflow, 1, 3, 2);
        counts.turn(Cause::PushedOut, 1, 4, 2);
        assert_eq!(
            by(&counts, 1, 9, Cause::Threshold),
            [3, 5, 0, 1, 0, 0, 0, 0, 0, 0, 0]
        );
        assert_eq!(by(&counts, 0, 0, Cause::Overflow), [0; CAUSES]);
        counts.begin();
        assert_eq!(
            by(&counts, 1, 2, Cause::Remainder),
            [0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0]
        );
    }
}
