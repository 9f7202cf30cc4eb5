//! The event list of the immediate fabric: the next event of each train that is arriving at an
//! input.
//!
//! The next event of a train is the arrival of its next cell, which then moves. Where the output
//! takes many cells in one step, the event is *deferred* to the arrival of the last cell of the
//! train: the cells before the last form a stretch with those of other trains (see `stretch.rs`),
//! and move just before the next event of the same output. Here two inputs send PDUs to one output;
//! `F` is the first cell of a PDU, and `L` its last:
//!
//! ```text
//! time            0    1    2    3    4    5    6
//! input 0         F0   a1   a2   a3   L4
//! input 1              F1   b2   b3   b4   b5   L6
//!
//! events          F0   F1             L4        L6
//! stretch before       a1             a2 b2     b4 b5
//!                                     a3 b3
//! output link     F0   a1   F1   a2   b2   a3   b3   L4   b4   b5   L6
//! ```
//!
//! Towards another switch a cell must not wait for a later event. There the fabric moves the cells
//! up to the next instant at which a PDU may begin or end, before they arrive, and they go on as
//! *interleaved* trains: at instant 2 the train `a2 a3` and the train `b2 b3`, each with a spacing
//! of two cell times.
//!
//! Our own design: `docs/decisions/0016-stretches.md`. The event list is a ring, since the trains
//! of links with equal rates take turns.
//!
//! This file may be written for speed.

use kernel::Time;

use crate::ties::Chance;

/// The order in which cells that continue trains move at one instant.
pub trait TieOrder: Send {
    /// The position of an input in the tie order at `time`: the lowest number comes first, and of
    /// equal numbers the lowest train index.
    fn tie_order(&self, time: Time, input: usize) -> u32;
}

/// The tie order by input number.
pub struct ByInput;

impl TieOrder for ByInput {
    #[inline]
    fn tie_order(&self, _time: Time, input: usize) -> u32 {
        input as u32
    }
}

impl TieOrder for Chance {
    fn tie_order(&self, time: Time, input: usize) -> u32 {
        Chance::tie_order(*self, time, input)
    }
}

/// The next event of each train, in order of time; of equal times, in tie order.
///
/// With links of equal rates, the next cell of the input just served arrives after the next cells of
/// all other inputs, so a search from the end of the ring ends after one step; with similar rates a
/// few steps suffice.
pub struct EventList<T> {
    /// A ring buffer, whose length is a power of two, or zero.
    ring: Box<[TrainEvent]>,
    /// Index of the first event in the ring.
    first: usize,
    /// Number of events.
    count: usize,
    ties: T,
    /// Number of trains that are interleaved, or whose event is deferred to the last cell.
    deferred_or_interleaved: usize,
}

/// The next event of a train: a time, and in the bits below it the tie order, the train index,
/// whether the train is interleaved, and whether the event is deferred to the last cell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct TrainEvent(u128);

/// The lowest bit of each field of a [`TrainEvent`].
const TIME: u32 = 64;
const TIE_ORDER: u32 = 32;
const TRAIN: u32 = 2;
/// The flags, in the bits below the train index.
const INTERLEAVED: u128 = 2;
const DEFERRED: u128 = 1;

/// Added to the number of an input in the tie order for the cells of interleaved trains. Like units
/// that arrive by themselves, they come after the cells that continue other trains: an exception to
/// the order of events, see `docs/concepts/kernel-and-ties.md`.
const UNIT: u32 = 1 << 31;

/// The position in the tie order of a unit that arrives at `input`.
pub fn tie_order_of_unit(input: usize) -> u32 {
    UNIT | input as u32
}

impl TrainEvent {
    #[inline]
    fn new(time: Time, tie_order: u32, train_index: usize) -> TrainEvent {
        TrainEvent(
            u128::from(time.ps()) << TIME
                | u128::from(tie_order) << TIE_ORDER
                | (train_index as u128) << TRAIN,
        )
    }

    /// Time of the event.
    #[inline]
    pub fn time(self) -> Time {
        Time::from_ps((self.0 >> TIME) as u64)
    }

    /// Position among the events of the same instant: the lowest comes first.
    #[inline]
    pub fn tie_order(self) -> u32 {
        (self.0 >> TIE_ORDER) as u32
    }

    /// Train index: see [`ArrivingCells`](super::arrivals::ArrivingCells).
    #[inline]
    pub fn train_index(self) -> usize {
        (self.0 as u32 >> TRAIN) as usize
    }

    /// True if the event is the arrival of the last cell of the train, even if other cells arrive
    /// before.
    #[inline]
    pub fn is_deferred(self) -> bool {
        self.0 & DEFERRED != 0
    }

    fn deferred(self) -> TrainEvent {
        TrainEvent(self.0 | DEFERRED)
    }

    /// The event of an interleaved train of `input`.
    fn interleaved(time: Time, input: usize, train_index: usize) -> TrainEvent {
        TrainEvent(TrainEvent::new(time, tie_order_of_unit(input), train_index).0 | INTERLEAVED)
    }

    /// True if the train is interleaved, or its event is deferred to the last cell.
    #[inline]
    fn is_deferred_or_interleaved(self) -> bool {
        self.0 & (INTERLEAVED | DEFERRED) != 0
    }

    /// True if the train is interleaved.
    #[inline]
    pub fn is_interleaved(self) -> bool {
        self.0 & INTERLEAVED != 0
    }

    /// True if the cell comes before a unit that arrives at `input` at the same instant.
    #[inline]
    pub fn is_before(self, input: usize) -> bool {
        !self.is_interleaved() || ((self.tie_order() ^ UNIT) as usize) < input
    }
}

/// Largest number of deferred and interleaved trains; beyond it, events are not deferred. Each
/// event searches all these trains for the cells of a stretch, which with more trains would cost
/// more than an event for each cell.
const MOST_DEFERRED: usize = 16;

impl<T: TieOrder> EventList<T> {
    /// No events; `ties` orders events of one instant.
    pub fn new(ties: T) -> EventList<T> {
        EventList {
            ring: Box::default(),
            first: 0,
            count: 0,
            ties,
            deferred_or_interleaved: 0,
        }
    }

    /// The first event; without any, one at [`Time::NEVER`].
    #[inline]
    pub fn first(&self) -> TrainEvent {
        if self.count == 0 {
            return TrainEvent::new(Time::NEVER, 0, 0);
        }
        self.ring[self.first]
    }

    /// Number of events.
    #[inline]
    pub fn count(&self) -> usize {
        self.count
    }

    /// True if any train is interleaved, or its event is deferred to the last cell.
    #[inline]
    pub fn has_deferred_or_interleaved(&self) -> bool {
        self.deferred_or_interleaved > 0
    }

    /// The events in order.
    #[inline]
    pub fn events(&self) -> impl Iterator<Item = TrainEvent> + '_ {
        let mask = self.ring.len().wrapping_sub(1);
        (0..self.count).map(move |nth| self.ring[(self.first + nth) & mask])
    }

    /// The index in the ring of the event with number `nth`, counted from zero.
    #[inline]
    fn ring_index(&self, nth: usize) -> usize {
        (self.first + nth) & (self.ring.len() - 1)
    }

    /// Removes the first event, which is `first`.
    #[inline]
    pub fn remove_first(&mut self, first: TrainEvent) {
        self.deferred_or_interleaved -= usize::from(first.is_deferred_or_interleaved());
        self.remove_plain();
    }

    /// Removes the first event, which is not deferred, and whose train is not interleaved.
    #[inline]
    pub fn remove_plain(&mut self) {
        self.first = self.ring_index(1);
        self.count -= 1;
    }

    /// Removes the event of a train.
    ///
    /// # Panics
    /// If there is no such train.
    pub fn remove(&mut self, train_index: usize) {
        // Searched from the end, since the cells that are amended were mostly announced just
        // before.
        let mut numbers = (0..self.count).rev();
        let found =
            numbers.find(|nth| self.ring[self.ring_index(*nth)].train_index() == train_index);
        let removed = found.expect("a cell is announced");
        self.deferred_or_interleaved -=
            usize::from(self.ring[self.ring_index(removed)].is_deferred_or_interleaved());
        for nth in removed..self.count - 1 {
            self.ring[self.ring_index(nth)] = self.ring[self.ring_index(nth + 1)];
        }
        self.count -= 1;
    }

    /// Inserts the arrival of the next cell of an input.
    #[inline]
    pub fn insert(&mut self, arrival: Time, input: usize) {
        let tie_order = self.ties.tie_order(arrival, input);
        self.insert_event(TrainEvent::new(arrival, tie_order, input));
    }

    /// Inserts the arrival of the last cell of an input's train, at `end`. If too many trains are
    /// deferred, inserts the arrival of the next cell instead.
    pub fn insert_deferred(&mut self, arrival: Time, input: usize, end: Time) {
        if self.deferred_or_interleaved >= MOST_DEFERRED {
            return self.insert(arrival, input);
        }
        self.deferred_or_interleaved += 1;
        let tie_order = self.ties.tie_order(end, input);
        self.insert_event(TrainEvent::new(end, tie_order, input).deferred());
    }

    /// Inserts the arrival of the next cell of an interleaved train, or, if `end` is given, the
    /// arrival of its last cell, at `end`.
    pub fn insert_interleaved(
        &mut self,
        arrival: Time,
        train_index: usize,
        input: usize,
        end: Option<Time>,
    ) {
        let event = match end {
            Some(end) if self.deferred_or_interleaved < MOST_DEFERRED => {
                TrainEvent::interleaved(end, input, train_index).deferred()
            }
            _ => TrainEvent::interleaved(arrival, input, train_index),
        };
        self.deferred_or_interleaved += 1;
        self.insert_event(event);
    }

    #[inline]
    fn insert_event(&mut self, event: TrainEvent) {
        if self.count == self.ring.len() {
            self.grow();
        }
        self.count += 1;
        self.sift(self.count - 1, event);
    }

    /// Inserts the event `next` in order, at the free entry `nth` or before it.
    #[inline]
    fn sift(&mut self, nth: usize, next: TrainEvent) {
        let mut free = self.ring_index(nth);
        let ring = &mut self.ring[..];
        let mask = ring.len() - 1;
        for _ in 0..nth {
            let before = free.wrapping_sub(1) & mask;
            let event = ring[before];
            if event <= next {
                break;
            }
            ring[free & mask] = event;
            free = before;
        }
        ring[free & mask] = next;
    }

    #[cold]
    fn grow(&mut self) {
        let mut ring = vec![TrainEvent::default(); (2 * self.count).max(4)];
        for (nth, event) in ring.iter_mut().enumerate().take(self.count) {
            *event = self.ring[self.ring_index(nth)];
        }
        (self.ring, self.first) = (ring.into(), 0);
    }
}

#[cfg(test)]
mod tests {
    use kernel::Duration;
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn events_of_trains_of_any_rates_come_in_order_of_time_and_then_of_inputs(
            spacings in prop::collection::vec(1u64..9, 1..20),
            changes in prop::collection::vec(0u64..40, 200),
        ) {
            let mut events = EventList::new(ByInput);
            let mut naive: Vec<(Time, usize)> = Vec::new();
            for input in 0..spacings.len() {
                events.insert(Time::from_ps(7), input);
                naive.push((Time::from_ps(7), input));
            }
            for (later, again) in changes.into_iter().zip(1usize..) {
                let next = *naive.iter().min().expect("a train");
                let first = events.first();
                prop_assert_eq!((first.time(), first.train_index()), next);
                let (now, input) = next;
                let then = now + Duration::from_ps(spacings[input]);
                events.remove_first(first);
                events.insert(then, input);
                naive[input].0 = then;
                // The arrival of another input's cell is changed.
                let other = again % spacings.len();
                let then = now + Duration::from_ps(later);
                events.remove(other);
                events.insert(then, other);
                naive[other].0 = then;
            }
        }
    }
}
