//! Outputs to links whose rate changes, or with a shaper in front of them.
//!
//! The output follows the clock of its link whenever it acts: a change needs no event of its own, since
//! the unit that is being sent keeps its rate, and the next one starts later.

use kernel::{Duration, Time};

use super::control::AbrControl;
use super::port::Output;
use super::queue::Queued;
use super::queueing::Queue;
use super::scheduled::Scheduled;
use crate::metrics::LinkCapacity;
use crate::rates::LinkClock;

impl<U: Queued, C: AbrControl<U>> Output<U, C> {
    /// Declares that the rate of the link changes, or that a shaper is in front of it. Units must be committed to the link when they start,
    /// since those that wait may get another rate.
    pub fn follow_rate(&mut self, clock: LinkClock) {
        let Queue::Scheduled(scheduled) = &mut self.queue else {
            unreachable!("lowering lets the units for such a link wait until they start")
        };
        scheduled.clock = Some(Box::new(clock));
        self.transmitter.watch();
    }

    /// The clock of the link, mutable; none if its rate never changes.
    pub fn clock_mut(&mut self) -> Option<&mut LinkClock> {
        match &mut self.queue {
            Queue::Fifo { .. } => None,
            Queue::Scheduled(scheduled) => scheduled.clock.as_deref_mut(),
        }
    }

    /// Carries out the changes of the rate that are due until `now`; returns true if the link has a
    /// clock.
    #[inline]
    pub(super) fn keep_rate(&mut self, now: Time) -> bool {
        let has_clock =
            matches!(&self.queue, Queue::Scheduled(scheduled) if scheduled.clock.is_some());
        if has_clock {
            self.change_rate(now);
        }
        has_clock
    }

    /// True if no unit starts at `now`, which was [`Output::next_service`]: an outage of the link has
    /// begun, or the first unit waits for the shaper.
    #[inline]
    pub(super) fn is_held_by_link(&mut self, now: Time) -> bool {
        self.keep_rate(now) && self.is_held(now)
    }

    #[cold]
    #[inline(never)]
    fn is_held(&mut self, now: Time) -> bool {
        if let Queue::Scheduled(scheduled) = &mut self.queue
            && let Some(clock) = &scheduled.clock
            && let Some(octets) = scheduled.queue.starting_octets(now)
            && let Some(at) = clock.conforms(u64::from(octets) * 8)
        {
            scheduled.queue.hold_until(at);
        }
        self.next_service() > now
    }

    #[cold]
    #[inline(never)]
    fn change_rate(&mut self, now: Time) {
        let Queue::Scheduled(scheduled) = &mut self.queue else {
            return;
        };
        let Some(clock) = &mut scheduled.clock else {
            return;
        };
        while let Some(change) = clock.change(now) {
            for gate in scheduled.layout.gates_mut() {
                gate.on_rate(change);
            }
            self.pace = U::pace(clock.rate(), self.measure);
        }
        if let Some(resumes) = clock.resumes() {
            scheduled.queue.hold_until(resumes);
        }
    }

    /// The clock of the link after all changes until `now`, and the transmission time of the unit that
    /// starts at `now`, if one does; none if the rate of the link never changes.
    fn clock_at(&mut self, now: Time) -> Option<(&mut LinkClock, Option<Duration>)> {
        self.keep_rate(now);
        let Queue::Scheduled(scheduled) = &mut self.queue else {
            return None;
        };
        let starts = scheduled.queue.starts(now, self.pace);
        Some((scheduled.clock.as_deref_mut()?, starts))
    }

    /// Begins to count the capacity of the link, if its rate changes.
    pub(super) fn begin_counting_capacity(&mut self, now: Time) {
        if let Some((clock, starts)) = self.clock_at(now) {
            clock.begin_counting(now, starts);
        }
    }

    /// The capacity of the link since counting began, if its rate changes.
    pub(super) fn capacity(&mut self, now: Time) -> Option<LinkCapacity> {
        let (clock, starts) = self.clock_at(now)?;
        Some(clock.counted(now, starts))
    }
}

impl<U: Queued> Scheduled<U> {
    /// Lets the unit that has been admitted to an idle link wait for the shaper in front of it.
    #[cold]
    pub(super) fn shape(&mut self, now: Time, unit: &U) {
        let octets = unit.length(self.queue.measure).octets;
        let clock = self.clock.as_ref().filter(|_| self.queue.is_idle(now));
        if let Some(at) = clock.and_then(|clock| clock.conforms(u64::from(octets) * 8)) {
            self.queue.hold_until(at);
        }
    }
}
