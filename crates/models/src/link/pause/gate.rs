//! The end of a link that obeys pauses: it starts no packet of a paused priority.
//!
//! IEEE 802.1Qbb, 2011, clause 36.2: a packet whose transmission has begun is not interrupted, and
//! a pause ends by itself after its quanta. Our own simplification: a frame takes effect exactly one
//! response time after its arrival, whether it pauses or resumes, and its quanta are counted from
//! then on.

use std::collections::VecDeque;

use kernel::{Duration, Rate, Time};

use super::PauseGateMeter;
use crate::wire::between::PauseFrame;
use crate::wire::priority::{ByPriority, Priority, PrioritySet};

/// Bits of a quantum: IEEE 802.3, Annex 31B.
const QUANTUM: u64 = 512;

/// The priorities that the far end of a link has paused.
#[derive(Clone, Debug)]
pub struct PauseGate {
    /// Rate of the link, which determines the length of a quantum.
    rate: Rate,
    response: Duration,
    /// Frames that have arrived, and the times at which they take effect.
    arrived: VecDeque<(Time, PauseFrame)>,
    paused: PrioritySet,
    /// Ends of the pauses of the paused priorities.
    until: ByPriority<Time>,
    /// Time at which a frame takes effect or a pause ends; [`Time::NEVER`] if neither is to come.
    next: Time,
    /// Pause frames received since the start of the run.
    pub arrived_ever: u64,
    /// Counts of this end.
    pub meter: PauseGateMeter,
}

impl PauseGate {
    /// The gate of a link of this rate, where nothing is paused.
    pub fn new(rate: Rate, response: Duration) -> PauseGate {
        PauseGate {
            rate,
            response,
            arrived: VecDeque::new(),
            paused: PrioritySet::default(),
            until: [Time::NEVER; Priority::COUNT],
            next: Time::NEVER,
            arrived_ever: 0,
            meter: PauseGateMeter::default(),
        }
    }

    /// True if packets of a priority may start.
    #[inline]
    pub fn is_open(&self, priority: Priority) -> bool {
        !self.paused.has(priority)
    }

    /// True if a priority is paused, and no frame that has arrived resumes it.
    pub fn stays_closed(&self, priority: Priority) -> bool {
        let mut arrived = self.arrived.iter();
        !self.is_open(priority) && !arrived.any(|(_, frame)| frame.resumes(priority))
    }

    /// The paused priorities.
    pub fn paused(&self) -> PrioritySet {
        self.paused
    }

    /// A frame arrives at `now`.
    pub fn receive(&mut self, now: Time, frame: PauseFrame) {
        self.meter.receive(frame);
        self.arrived_ever += 1;
        let at = now + self.response;
        self.arrived.push_back((at, frame));
        self.next = self.next.min(at);
    }

    /// Time of the next change: see [`PauseGate::change`].
    #[inline]
    pub fn next_change(&self) -> Time {
        self.next
    }

    /// Obeys the frames that take effect until `now`, and ends the pauses that are over; returns the
    /// priorities that were paused before and are not any more, or the reverse.
    pub fn change(&mut self, now: Time) -> PrioritySet {
        let before = self.paused;
        while let Some((at, frame)) = self.arrived.front().copied()
            && at <= now
        {
            self.arrived.pop_front();
            self.obey(at, frame);
        }
        for priority in self.paused.iter() {
            if self.until[priority.index()] <= now {
                self.paused.set(priority, false);
            }
        }
        let ends = self.paused.iter().map(|one| self.until[one.index()]);
        let frames = self.arrived.front().map(|(at, _)| *at);
        self.next = ends.chain(frames).min().unwrap_or(Time::NEVER);
        self.meter.turn(now, before, self.paused);
        before.differing(self.paused)
    }

    fn obey(&mut self, at: Time, frame: PauseFrame) {
        let lasts = self.rate.transmission(u64::from(frame.quanta) * QUANTUM);
        for priority in frame.enabled.iter() {
            let is_paused = frame.paused.has(priority);
            self.paused.set(priority, is_paused);
            if is_paused {
                self.until[priority.index()] = at + lasts;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const AT: fn(u64) -> Time = |us| Time::from_ps(us * 1_000_000);

    fn set(numbers: &[u8]) -> PrioritySet {
        numbers
            .iter()
            .filter_map(|one| Priority::new(*one))
            .collect()
    }

    fn frame(enabled: &[u8], paused: &[u8], quanta: u16) -> PauseFrame {
        PauseFrame {
            enabled: set(enabled),
            paused: set(paused),
            quanta,
        }
    }

    /// A gate that obeys after 2 us, and where a quantum takes a microsecond.
    fn gate() -> PauseGate {
        PauseGate::new(
            Rate::from_bits_per_second(512_000_000),
            Duration::from_us(2),
        )
    }

    #[test]
    fn a_frame_is_obeyed_after_the_response_time_and_until_its_quanta_are_over() {
        let mut gate = gate();
        gate.receive(AT(10), frame(&[1, 3], &[1, 3], 20));
        assert_eq!((gate.next_change(), gate.paused()), (AT(12), set(&[])));
        assert_eq!(gate.change(AT(12)), set(&[1, 3]));
        assert!(!gate.is_open(Priority::new(3).unwrap()));
        assert_eq!(gate.next_change(), AT(32));
        assert_eq!(gate.change(AT(32)), set(&[1, 3]));
        assert_eq!((gate.next_change(), gate.paused()), (Time::NEVER, set(&[])));
        assert_eq!(gate.meter.paused.at(AT(50)), Duration::from_us(20));
    }

    #[test]
    fn zero_quanta_resume_and_another_frame_prolongs() {
        let mut gate = gate();
        gate.receive(AT(0), frame(&[1, 2], &[1, 2], 20));
        gate.change(AT(2));
        gate.receive(AT(10), frame(&[1, 2], &[2], 20));
        assert_eq!(gate.next_change(), AT(12));
        let [one, two] = [1, 2].map(|one| Priority::new(one).unwrap());
        assert!(!gate.is_open(one) && !gate.stays_closed(one) && gate.stays_closed(two));
        assert_eq!(gate.change(AT(12)), set(&[1]));
        assert_eq!((gate.next_change(), gate.paused()), (AT(32), set(&[2])));
        assert_eq!(gate.meter.received, 2);
    }

    #[test]
    fn priorities_that_are_not_enabled_stay_as_they_are() {
        let mut gate = gate();
        gate.receive(AT(0), frame(&[1], &[1], 20));
        gate.receive(AT(1), frame(&[4], &[4], 5));
        assert_eq!(gate.change(AT(3)), set(&[1, 4]));
        assert_eq!(gate.next_change(), AT(8));
        assert_eq!(gate.change(AT(8)), set(&[4]));
        assert_eq!(gate.paused(), set(&[1]));
    }
}
