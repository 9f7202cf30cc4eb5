//! The clock of one direction of a link: its present rate, and the capacity that it has had.
//!
//! The clock is kept by the node that feeds the link. It needs no event of its own: its owner moves
//! it to the present before each unit.

use kernel::{Duration, Rate, Time};

use super::Schedule;
use crate::metrics::LinkCapacity;
use crate::shaper::Bucket;

/// The rate of one direction of a link over time.
#[derive(Clone, Debug)]
pub struct LinkClock {
    schedule: Schedule,
    /// Number of the next change of the schedule.
    next: usize,
    /// Time of that change; [`Time::NEVER`] if none is to come.
    next_at: Time,
    /// A change by the program that steers the run, which is still to be carried out.
    set: Option<(Time, Rate)>,
    /// The rate of units that start; during an outage, the rate before it.
    rate: Rate,
    /// End of the present outage; none if units may start.
    resumes: Option<Time>,
    /// End of the unit that was started last, and its rate.
    on_wire: (Time, Rate),
    /// The shaper in front of the link, if there is one.
    bucket: Option<Bucket>,
    /// Time until which `capacity` counts.
    counted_until: Time,
    /// Bits that the link could have carried, times a picosecond for each second.
    capacity: u128,
    /// The capacity, and the bits of the unit on the wire, when counting began.
    before: (u128, u128),
}

/// A change of the rate of a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RateChange {
    /// Time of the change.
    pub at: Time,
    /// Rate of the units that start from then on; none in an outage.
    pub rate: Option<Rate>,
    /// Time from which units may start: that of the change, or the end of the outage.
    pub starts: Time,
}

impl LinkClock {
    /// The clock of a direction with these changes, at the start of the run.
    pub fn new(schedule: Schedule) -> LinkClock {
        let mut clock = LinkClock {
            next: 0,
            next_at: Time::NEVER,
            set: None,
            rate: schedule.first,
            resumes: None,
            on_wire: (Time::ZERO, schedule.first),
            bucket: None,
            counted_until: Time::ZERO,
            capacity: 0,
            before: (0, 0),
            schedule,
        };
        clock.next_at = clock.time_of_next();
        clock
    }

    /// This clock, of a link with a shaper in front of it.
    pub fn shaped(self, bucket: Option<Bucket>) -> LinkClock {
        LinkClock { bucket, ..self }
    }

    /// Time from which a unit of as many bits may start, if a shaper is in front of the link.
    pub fn conforms(&self, bits: u64) -> Option<Time> {
        let bucket = self.bucket.as_ref();
        bucket.map(|bucket| bucket.conforms(bits))
    }

    fn time_of_next(&self) -> Time {
        let next = self.schedule.change(self.next);
        next.map_or(Time::NEVER, |(at, _)| at)
    }

    /// The rate of units that start now; during an outage, the rate before it.
    pub fn rate(&self) -> Rate {
        self.rate
    }

    /// The fastest rate that the link may have.
    pub fn fastest(&self) -> Rate {
        self.schedule.fastest()
    }

    /// End of the present outage; none if units may start.
    pub fn resumes(&self) -> Option<Time> {
        self.resumes
    }

    /// True if the program that steers the run may change the rate.
    pub fn is_steered(&self) -> bool {
        self.schedule.is_steered
    }

    /// From `now` on the link has this rate. Only links are steered that have no outages.
    pub fn set(&mut self, now: Time, rate: Rate) {
        debug_assert!(
            self.is_steered(),
            "the rates of other links are known before the run"
        );
        self.set = Some((now, rate));
    }

    /// The rate that a program sees at a pause.
    pub fn shown(&self) -> Rate {
        self.set.map_or(self.rate, |(_, rate)| rate)
    }

    /// Carries out the next change that is due until `now`; none if no other is.
    pub fn change(&mut self, now: Time) -> Option<RateChange> {
        if let Some((at, rate)) = self.set
            && at <= now
        {
            self.set = None;
            let at = at.max(self.counted_until);
            self.count(at);
            self.rate = rate;
            return Some(RateChange {
                at,
                rate: Some(rate),
                starts: at,
            });
        }
        if self.next_at > now {
            return None;
        }
        let (at, rate) = self.schedule.change(self.next)?;
        self.count(at);
        self.resumes = match rate {
            Some(rate) => {
                self.rate = rate;
                None
            }
            None => Some(self.schedule.end_of_outage(self.next)),
        };
        self.next += 1;
        self.next_at = self.time_of_next();
        Some(RateChange {
            at,
            rate,
            starts: self.resumes.unwrap_or(at),
        })
    }

    /// The start of a unit of as many bits that is next on the link from `ready` on, and its end.
    /// Units must be asked for in the order of their starts.
    pub fn send(&mut self, ready: Time, bits: u64) -> [Time; 2] {
        // A link with a shaper keeps its rate.
        let mut start = self.conforms(bits).map_or(ready, |at| at.max(ready));
        loop {
            while self.change(start).is_some() {}
            match self.resumes {
                Some(resumes) => start = resumes,
                None => break,
            }
        }
        let end = start + self.rate.transmission(bits);
        self.start([start, end], bits);
        [start, end]
    }

    /// A unit of as many bits is sent from `start` to `end`, at the present rate.
    pub fn start(&mut self, [start, end]: [Time; 2], bits: u64) {
        self.count(start);
        if let Some(bucket) = &mut self.bucket {
            bucket.spend(start, bits);
        }
        self.on_wire = (end, self.rate);
    }

    /// Bits that the link could have carried from the start of the run until `now`, times a
    /// picosecond for each second. A unit that is being sent when the rate changes keeps its rate, and
    /// nothing is sent in an outage.
    fn capacity(&mut self, now: Time) -> u128 {
        self.count(now);
        self.capacity
    }

    /// Bits in the same unit that are still to be sent at `now` of the unit that was started last.
    fn on_wire(&self, now: Time) -> u128 {
        let (end, rate) = self.on_wire;
        bits(end.max(now).since(now), rate)
    }

    /// Begins to count the capacity at `now`, when a unit starts that takes as long, or none.
    pub fn begin_counting(&mut self, now: Time, starts: Option<Duration>) {
        let starting = starts.map_or(0, |time| bits(time, self.rate));
        self.before = (self.capacity(now), self.on_wire(now) + starting);
    }

    /// The capacity from the beginning of the count until `now`, when a unit starts that takes as
    /// long, or none.
    pub fn counted(&mut self, now: Time, starts: Option<Duration>) -> LinkCapacity {
        let starting = starts.map_or(0, |time| bits(time, self.rate));
        let (before, carried) = self.before;
        let [bits, carried] = [
            (self.capacity(now) - before) as i128,
            carried as i128 - (self.on_wire(now) + starting) as i128,
        ]
        .map(|scaled| scaled as f64 / 1e12);
        LinkCapacity {
            bits,
            carried_over: carried,
        }
    }

    fn count(&mut self, now: Time) {
        let now = now.max(self.counted_until);
        let (end, rate) = self.on_wire;
        let sent = end.clamp(self.counted_until, now);
        self.capacity += bits(sent.since(self.counted_until), rate);
        if self.resumes.is_none() {
            self.capacity += bits(now.since(sent), self.rate);
        }
        self.counted_until = now;
    }
}

/// Bits that a rate carries in a time, times a picosecond for each second.
fn bits(span: Duration, rate: Rate) -> u128 {
    u128::from(span.ps()) * u128::from(rate.bits_per_second())
}

#[cfg(test)]
mod tests {
    use parameters::RateOrZero;

    use super::*;

    const AT: fn(u64) -> Time = |us| Time::from_ps(us * 1_000_000);

    /// A link of 8 Mbit/s, on which an octet takes a microsecond, with changes at these times in
    /// microseconds to these rates in Mbit/s.
    fn clock(changes: &[(u64, u64)], repeat: Option<u64>) -> LinkClock {
        let changes = changes.iter();
        let changes =
            changes.map(|(at, mbits)| (Duration::from_us(*at), RateOrZero(mbits * 1_000_000)));
        let first = Rate::from_bits_per_second(8_000_000);
        let repeat = repeat.map(Duration::from_us);
        LinkClock::new(Schedule::new(first, changes.collect(), repeat))
    }

    /// Starts and ends, in microseconds, of units of 10 octets that are ready at these times.
    fn sent(clock: &mut LinkClock, ready: &[u64]) -> Vec<[u64; 2]> {
        let mut free = Time::ZERO;
        let units = ready.iter().map(|us| {
            let [start, end] = clock.send(AT(*us).max(free), 80);
            free = end;
            [start, end].map(|time| time.ps() / 1_000_000)
        });
        units.collect()
    }

    #[test]
    fn a_unit_on_the_wire_keeps_its_rate_and_the_next_has_the_other() {
        let mut clock = clock(&[(5, 2)], None);
        assert_eq!(sent(&mut clock, &[0, 0, 0]), [[0, 10], [10, 50], [50, 90]]);
        // A unit that starts at the step has the rate after it.
        let mut clock = self::clock(&[(10, 2)], None);
        assert_eq!(sent(&mut clock, &[0, 0]), [[0, 10], [10, 50]]);
    }

    #[test]
    fn nothing_starts_in_an_outage_and_what_has_started_ends() {
        let mut clock = clock(&[(5, 0), (100, 0), (200, 4), (220, 8)], None);
        assert_eq!(
            sent(&mut clock, &[0, 0, 0, 0]),
            [[0, 10], [200, 220], [220, 230], [230, 240]]
        );
    }

    #[test]
    fn a_schedule_begins_again() {
        let mut clock = clock(&[(0, 8), (20, 2)], Some(100));
        let starts = sent(&mut clock, &[0, 30, 100, 130, 10_000_020]);
        assert_eq!(
            starts,
            [
                [0, 10],
                [30, 70],
                [100, 110],
                [130, 170],
                [10_000_020, 10_000_060]
            ]
        );
        assert_eq!(clock.fastest(), Rate::from_bits_per_second(8_000_000));
    }

    #[test]
    fn the_capacity_is_what_a_busy_link_carries() {
        let mut clock = clock(&[(5, 2), (60, 0), (100, 8)], None);
        // Ten octets each, from 0, 10, 50 and 100 on: the third keeps 2 Mbit/s until 90.
        sent(&mut clock, &[0; 4]);
        let capacity = clock.counted(AT(110), None);
        let is = |value: f64, expected: f64| assert!((value - expected).abs() < 1e-6, "{value}");
        is(capacity.bits, 320.0);
        is(capacity.carried_over, 0.0);
    }

    #[test]
    fn a_unit_on_the_wire_is_carried_over_with_the_rest_of_its_bits() {
        let mut clock = clock(&[(5, 2)], None);
        sent(&mut clock, &[0]);
        clock.begin_counting(AT(4), None);
        while clock.change(AT(110)).is_some() {}
        let capacity = clock.counted(AT(110), Some(Duration::from_us(40)));
        assert!((capacity.bits - (48.0 + 200.0)).abs() < 1e-6);
        assert!((capacity.carried_over - (48.0 - 80.0)).abs() < 1e-6);
    }

    #[test]
    fn a_set_rate_holds_for_the_units_that_start_from_then_on() {
        let mbits = |mbits: u64| Rate::from_bits_per_second(mbits * 1_000_000);
        let mut clock = LinkClock::new(Schedule::steered(mbits(8)));
        assert_eq!(sent(&mut clock, &[0]), [[0, 10]]);
        clock.set(AT(70), mbits(4));
        assert_eq!((clock.shown(), clock.rate()), (mbits(4), mbits(8)));
        assert_eq!(sent(&mut clock, &[65, 75]), [[65, 75], [75, 95]]);
    }
}
