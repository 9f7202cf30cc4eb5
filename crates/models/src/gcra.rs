//! The generic cell rate algorithm (GCRA) decides whether a cell conforms to a rate, and when the
//! next cell will conform.
//!
//! Virtual scheduling: each cell advances a theoretical arrival time by an increment. A cell that
//! arrives earlier than this time by more than a limit does not conform, and advances nothing. A
//! shaper asks for the time at which the next cell will conform.
//!
//! Times are whole picoseconds, and so is the increment, which is the transmission time of a cell
//! at the rate. Arrivals are not rounded to the slots of a switch.
//!
//! ITU-T Recommendation I.371, 1996, annex A; ATM Forum, "Traffic Management Specification 4.0",
//! af-tm-0056.000, 1996, section 4.4 and annex C.

use kernel::{Duration, Rate, Time};
use parameters::{CellCount, Conflict};

use crate::wire::format::CellFormat;

/// GCRA(T, tau) of one connection.
#[derive(Clone, Copy, Debug)]
pub struct Gcra {
    /// T: time between cells at the rate.
    increment: Duration,
    /// Tau: the tolerance by which a cell may be early.
    limit: Duration,
    /// TAT: the time at which the next cell is due at the rate.
    theoretical: Time,
}

impl Gcra {
    /// The algorithm before the first cell, which always conforms.
    pub fn new(increment: Duration, limit: Duration) -> Gcra {
        Gcra {
            increment,
            limit,
            theoretical: Time::ZERO,
        }
    }

    /// The earliest instant at which the next cell conforms.
    #[inline]
    pub fn earliest(&self) -> Time {
        Time::ZERO + self.theoretical.since(Time::ZERO + self.limit)
    }

    /// True if a cell that arrives at `now` conforms.
    #[inline]
    pub fn conforms(&self, now: Time) -> bool {
        now >= self.earliest()
    }

    /// Counts a conforming cell at `now`.
    #[inline]
    pub fn take(&mut self, now: Time) {
        debug_assert!(self.conforms(now), "only conforming cells are counted");
        self.theoretical = self.theoretical.max(now) + self.increment;
    }
}

/// The traffic descriptor of a connection.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Descriptor {
    /// Peak cell rate (PCR), in bits of cells.
    pub peak: Rate,
    /// Cell delay variation tolerance (CDVT) of the peak.
    pub cdvt: Duration,
    /// The bound in the long run, if there is one.
    pub sustained: Option<Sustained>,
}

/// The sustainable rate of a connection, and its burst at the peak rate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sustained {
    /// Sustainable cell rate (SCR), in bits of cells.
    pub rate: Rate,
    /// Maximum burst size (MBS): cells that may arrive at the peak rate.
    pub burst: u64,
}

/// The contradiction within a descriptor, if there is one.
pub fn conflict(
    peak: Option<Rate>,
    sustained: Option<Rate>,
    burst: Option<CellCount>,
) -> Option<Conflict> {
    let (name, problem, hint) = match (sustained, burst) {
        (None, Some(_)) => (
            "burst",
            "`sustained` is missing".to_string(),
            "write for example `sustained = \"10 Mbit/s\"`, or leave out `burst`".to_string(),
        ),
        (Some(_), None) => (
            "sustained",
            "`burst` is missing".to_string(),
            "write for example `burst = \"100 cells\"`, the cells that may come at the peak rate"
                .to_string(),
        ),
        (Some(rate), Some(_)) if let Some(peak) = peak.filter(|peak| rate > *peak) => (
            "sustained",
            format!("`{rate}` is more than the peak"),
            format!("write at most `\"{peak}\"`"),
        ),
        _ => return None,
    };
    Some(Conflict {
        name,
        problem,
        hint,
    })
}

/// The buckets of a connection: one for the peak rate, and one for the sustainable rate.
#[derive(Clone, Copy, Debug)]
pub struct Buckets {
    /// GCRA(1/PCR, CDVT).
    pub peak: Gcra,
    /// GCRA(1/SCR, BT + CDVT), where the burst tolerance BT is (MBS - 1)(1/SCR - 1/PCR).
    pub sustained: Option<Gcra>,
}

impl Buckets {
    /// Buckets before the first cell of this format.
    ///
    /// # Panics
    /// If the sustainable rate exceeds the peak rate.
    pub fn new(descriptor: &Descriptor, cells: CellFormat) -> Buckets {
        let Descriptor { peak, cdvt, .. } = *descriptor;
        let interval = |rate: Rate| cells.time(rate);
        let sustained = descriptor.sustained.map(|Sustained { rate, burst }| {
            assert!(rate <= peak, "{rate} is sustained below a peak of {peak}");
            let saved = interval(rate) - interval(peak);
            Gcra::new(interval(rate), saved * (burst - 1) + cdvt)
        });
        Buckets {
            peak: Gcra::new(interval(peak), cdvt),
            sustained,
        }
    }

    /// The earliest instant at which the next cell conforms to both buckets.
    #[inline]
    pub fn earliest(&self) -> Time {
        let sustained = self
            .sustained
            .map_or(Time::ZERO, |bucket| bucket.earliest());
        self.peak.earliest().max(sustained)
    }

    /// Counts a cell at `now` that conforms to both buckets.
    #[inline]
    pub fn take(&mut self, now: Time) {
        self.peak.take(now);
        if let Some(sustained) = &mut self.sustained {
            sustained.take(now);
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const PS: fn(u64) -> Duration = Duration::from_ps;
    const AT: fn(u64) -> Time = Time::from_ps;

    /// The continuous-state leaky bucket, which I.371 gives as an equivalent of virtual scheduling:
    /// it drains by one a picosecond, and a cell that conforms adds T, unless the bucket holds more
    /// than tau.
    #[derive(Clone)]
    struct LeakyBucket {
        content: i128,
        last: i128,
        increment: i128,
        limit: i128,
    }

    impl LeakyBucket {
        fn new(increment: u64, limit: u64) -> LeakyBucket {
            LeakyBucket {
                content: 0,
                last: 0,
                increment: i128::from(increment),
                limit: i128::from(limit),
            }
        }

        fn take(&mut self, now: u64) -> bool {
            let now = i128::from(now);
            let left = (self.content - (now - self.last)).max(0);
            let conforms = left <= self.limit;
            if conforms {
                self.content = left + self.increment;
                self.last = now;
            }
            conforms
        }
    }

    /// Conformance of cells at these instants.
    fn decisions(gcra: &mut Gcra, arrivals: &[u64]) -> Vec<bool> {
        let arrivals = arrivals.iter().map(|ps| AT(*ps));
        arrivals
            .map(|now| {
                let conforms = gcra.conforms(now);
                if conforms {
                    gcra.take(now);
                }
                conforms
            })
            .collect()
    }

    fn arrivals(gaps: &[u64]) -> Vec<u64> {
        let sums = gaps.iter().scan(0, |now, gap| {
            *now += gap;
            Some(*now)
        });
        sums.collect()
    }

    #[test]
    fn cells_may_come_early_until_the_limit_is_used_up() {
        // T = 10, tau = 4: the cells are 10 - 8 = 2 early, then 4 early, then 6, which exceeds tau.
        let mut gcra = Gcra::new(PS(10), PS(4));
        assert_eq!(
            decisions(&mut gcra, &[0, 8, 16, 24, 26, 36]),
            [true, true, true, false, true, true]
        );
    }

    #[test]
    fn a_cell_that_does_not_conform_changes_nothing() {
        let mut gcra = Gcra::new(PS(10), PS(0));
        let without = decisions(&mut gcra.clone(), &[0, 10, 20]);
        let with = decisions(&mut gcra, &[0, 9, 10, 11, 19, 20]);
        assert_eq!(without, [true; 3]);
        assert_eq!(with, [true, false, true, false, false, true]);
    }

    #[test]
    fn silence_saves_nothing_up_beyond_the_limit() {
        let mut gcra = Gcra::new(PS(10), PS(4));
        // At most 1 + floor(tau / (T - delta)) cells at the rate of the link, delta = 7: two.
        assert_eq!(
            decisions(&mut gcra, &[1000, 1007, 1014, 1021]),
            [true, true, false, true]
        );
    }

    #[test]
    fn a_burst_of_mbs_cells_at_the_peak_conforms_and_no_more() {
        let rate = Rate::from_bits_per_second;
        let descriptor = Descriptor {
            peak: rate(424_000_000),
            cdvt: Duration::ZERO,
            sustained: Some(Sustained {
                rate: rate(42_400_000),
                burst: 7,
            }),
        };
        let mut buckets = Buckets::new(&descriptor, CellFormat::ATM);
        let mut departures = Vec::new();
        for _ in 0..10 {
            let next = buckets.earliest();
            buckets.take(next);
            departures.push(next.ps() / 1_000_000);
        }
        // The peak rate is a cell a microsecond, and the sustainable rate a cell in ten
        // microseconds. After a burst of seven cells, the eighth leaves when it would have left
        // without a burst.
        assert_eq!(departures, [0, 1, 2, 3, 4, 5, 6, 16, 26, 36]);
    }

    proptest! {
        #[test]
        fn virtual_scheduling_is_the_leaky_bucket(
            increment in 1u64..1000,
            limit in 0u64..3000,
            gaps in prop::collection::vec(0u64..1500, 1..300),
        ) {
            let mut bucket = LeakyBucket::new(increment, limit);
            let arrivals = arrivals(&gaps);
            let mut gcra = Gcra::new(PS(increment), PS(limit));
            let expected: Vec<bool> = arrivals.iter().map(|now| bucket.take(*now)).collect();
            prop_assert_eq!(decisions(&mut gcra, &arrivals), expected);
        }

        /// I.371: a conforming stream has at most this number of cells in any span of time.
        #[test]
        fn conforming_cells_keep_to_the_rate_over_any_span(
            increment in 1u64..1000,
            limit in 0u64..3000,
            gaps in prop::collection::vec(0u64..600, 1..200),
        ) {
            let arrivals = arrivals(&gaps);
            let mut gcra = Gcra::new(PS(increment), PS(limit));
            let conform = decisions(&mut gcra, &arrivals);
            let passed: Vec<u64> = arrivals
                .into_iter()
                .zip(conform)
                .filter_map(|(now, conforms)| conforms.then_some(now))
                .collect();
            for (first, begin) in passed.iter().enumerate() {
                for (last, end) in passed.iter().enumerate().skip(first) {
                    let most = 1 + (end - begin + limit) / increment;
                    prop_assert!((last - first + 1) as u64 <= most);
                }
            }
        }

        /// For any arrivals, cells that leave a shaper pass a policer, and no cell leaves later
        /// than it must.
        #[test]
        fn shaped_cells_conform(
            peak in 20u64..400,
            cdvt in 0u64..3_000_000,
            share in 1u64..=20,
            burst in 1u64..50,
            gaps in prop::collection::vec(0u64..4_000_000, 1..300),
        ) {
            let rate = |bits: u64| Rate::from_bits_per_second(bits * 50_000);
            let sustained = Sustained { rate: rate(peak * share), burst };
            let mut shaper = Buckets::new(&Descriptor {
                peak: rate(peak * 20),
                cdvt: PS(cdvt),
                sustained: Some(sustained),
            }, CellFormat::ATM);
            let mut policers = [Some(shaper.peak), shaper.sustained].map(|gcra| LeakyBucket::new(
                gcra.expect("a bucket").increment.ps(),
                gcra.expect("a bucket").limit.ps(),
            ));
            let mut last = 0;
            for now in arrivals(&gaps) {
                let asked = now.max(last);
                let departure = shaper.earliest().max(AT(asked));
                shaper.take(departure);
                last = departure.ps();
                let sooner = policers.iter().all(|bucket| bucket.clone().take(last.saturating_sub(1)));
                prop_assert!(last == asked || !sooner, "it was held for nothing");
                for bucket in &mut policers {
                    prop_assert!(bucket.take(last));
                }
            }
        }
    }
}
