//! Why cells and packets go no further, channel by channel.

/// Why an output refused a cell or a packet, or gave it up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Cause {
    /// There was no room for it.
    #[default]
    Overflow,
    /// There was room, but not for it: a threshold was reached, or chance was against it; or it
    /// belongs to a PDU of which that was said first.
    Threshold,
    /// There was room, but a part of its PDU had been lost before.
    Remainder,
    /// It was accepted, and gave its place to another.
    PushedOut,
}

impl Cause {
    /// Why a unit is refused, where there may be `room` for it and something of its PDU may have been
    /// lost, for the cause `before`.
    #[inline]
    pub fn of(room: bool, before: Option<Cause>) -> Cause {
        match (room, before) {
            (_, Some(Cause::Threshold)) | (true, None) => Cause::Threshold,
            (true, Some(_)) => Cause::Remainder,
            (false, _) => Cause::Overflow,
        }
    }
}

/// What of each channel went no further, by why. It is counted when the cause changes, as that lasts
/// for a PDU or longer; nothing is kept before it does.
#[derive(Clone, Debug, Default)]
pub struct CauseCounts(Option<Box<[Counts]>>);

#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    by_cause: [u64; 4],
    /// How much that is together.
    counted: u64,
}

impl CauseCounts {
    /// So much of a channel, of so many, had gone no further when the cause changed from `cause`.
    #[cold]
    pub fn turn(&mut self, cause: Cause, vc: usize, refused: u64, vcs: usize) {
        let counts = self
            .0
            .get_or_insert_with(|| vec![Counts::default(); vcs].into());
        let Counts { by_cause, counted } = &mut counts[vc];
        by_cause[cause as usize] += refused - *counted;
        *counted = refused;
    }

    /// Starts again.
    pub fn begin(&mut self) {
        self.0
            .iter_mut()
            .for_each(|counts| counts.fill(Counts::default()));
    }

    /// What of a channel went no further, by metric, where that is so much together, the last of it for
    /// this cause.
    pub fn of(&self, vc: usize, refused: u64, cause: Cause) -> [(&'static str, u64); 4] {
        let Counts {
            mut by_cause,
            counted,
        } = self
            .0
            .as_ref()
            .map_or(Counts::default(), |counts| counts[vc]);
        by_cause[cause as usize] += refused - counted;
        let [overflow, threshold, remainder, pushed_out] = by_cause;
        [
            ("overflow", overflow),
            ("threshold", threshold),
            ("remainder", remainder),
            ("pushed_out", pushed_out),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_refused_first_says_why_the_rest_is() {
        let [early, full] = [Some(Cause::Threshold), Some(Cause::Overflow)];
        assert_eq!(Cause::of(true, None), Cause::Threshold);
        assert_eq!(Cause::of(false, early), Cause::Threshold);
        assert_eq!(Cause::of(false, None), Cause::Overflow);
        assert_eq!(Cause::of(true, full), Cause::Remainder);
        assert_eq!(Cause::of(false, full), Cause::Overflow);
        assert_eq!(Cause::of(true, Some(Cause::PushedOut)), Cause::Remainder);
    }

    #[test]
    fn channels_are_counted_apart_and_again() {
        let mut counts = CauseCounts::default();
        let by = |counts: &CauseCounts, vc, refused, cause| {
            counts.of(vc, refused, cause).map(|(_, count)| count)
        };
        assert_eq!(by(&counts, 1, 3, Cause::Overflow), [3, 0, 0, 0]);
        counts.turn(Cause::Overflow, 1, 3, 2);
        counts.turn(Cause::PushedOut, 1, 4, 2);
        assert_eq!(by(&counts, 1, 9, Cause::Threshold), [3, 5, 0, 1]);
        assert_eq!(by(&counts, 0, 0, Cause::Overflow), [0; 4]);
        counts.begin();
        assert_eq!(by(&counts, 1, 2, Cause::Remainder), [0, 0, 2, 0]);
    }
}
