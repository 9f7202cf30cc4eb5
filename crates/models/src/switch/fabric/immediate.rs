//! Immediate fabric: a cell reaches its output the instant it arrives.
//!
//! Cells that arrive at the same instant move in this order: first the cells that continue a train,
//! by input; then the cells that begin a train and all cells of interleaved trains, by input. If
//! ties are random, each of the two groups moves in random order. Our own order: the table in
//! `docs/concepts/kernel-and-ties.md` gives the reasons.
//!
//! This file may be written for speed.

use kernel::{Duration, Time};
use parameters::parameters;

use super::{Fabric, Inputs};
use crate::output::discard::Promise;
use crate::switch::arrivals::NextCell;
use crate::switch::crossing::Crossing;
use crate::switch::event_list::{ByInput, EventList, TieOrder};
use crate::switch::stretch::{StretchEnd, Stretches};

parameters! {
    /// Cells reach the output as they arrive: the switch has no slots.
    pub struct Immediate {}
}

impl Immediate {
    /// The fabric of one switch.
    pub fn build(&self, inputs: &Inputs) -> Box<dyn Fabric> {
        match inputs.chance {
            None => Box::new(State::new(ByInput)),
            Some(chance) => Box::new(State::new(chance)),
        }
    }
}

struct State<T> {
    events: EventList<T>,
    stretches: Stretches,
    /// Time before which cells towards other switches move one by one. A stretch would be too short
    /// or have no closed form there, and an attempt costs more than a few cells.
    one_by_one: Time,
}

/// Least duration of a stretch, in spacings of its trains. The cells of a shorter stretch take
/// fewer instructions one by one.
const FEWEST_SPACINGS: u64 = 2;

/// Largest number of arriving trains with which cells towards another switch move as stretches:
/// each attempt reads all of these trains.
const MOST_TRAINS: usize = 16;

impl<T: TieOrder> State<T> {
    fn new(ties: T) -> State<T> {
        State {
            events: EventList::new(ties),
            stretches: Stretches::default(),
            one_by_one: Time::ZERO,
        }
    }

    /// Inserts the arrival of the next cell of a train into the event list.
    #[inline]
    fn insert(
        &mut self,
        arrival: Time,
        train_index: usize,
        is_interleaved: bool,
        crossing: &Crossing<'_, '_>,
    ) {
        if is_interleaved {
            let input = crossing.arrivals.input_of(train_index);
            self.events
                .insert_interleaved(arrival, train_index, input, None);
        } else {
            self.events.insert(arrival, train_index);
        }
    }

    /// Moves the deferred cells for `output` that arrived before `until`.
    #[inline(never)]
    fn settle_output(&mut self, output: usize, until: StretchEnd, crossing: &mut Crossing<'_, '_>) {
        let deferred = self.events.events().filter(|event| event.is_deferred());
        self.stretches
            .collect(output, deferred, until, crossing.arrivals);
        self.stretches.settle(output, crossing);
    }

    /// Moves the cells for `output` that arrive from `now` on, up to the next instant at which a
    /// PDU may begin or end, or at which a cell that is not announced yet may arrive. Returns false
    /// if these cells must move one by one.
    #[inline(never)]
    fn send_stretch(&mut self, now: Time, output: usize, crossing: &mut Crossing<'_, '_>) -> bool {
        let port = &crossing.outputs.ports[output];
        let first = crossing.arrivals.train(self.events.first().train_index());
        if crossing.out.horizon() < now + first.spacing * FEWEST_SPACINGS {
            self.one_by_one = crossing.out.horizon() + Duration::from_ps(1);
            return false;
        }
        if port.promise(first.cell.vc) == Promise::Ask {
            // The first cell begins a PDU; the policy may promise its decisions on the cells behind
            // it.
            self.one_by_one = now + Duration::from_ps(1);
            return false;
        }
        // A cell that neither begins nor ends a PDU causes no reply, so the stretch may reach beyond
        // the arrival of its first cell at the next node.
        let mut end = crossing.out.horizon() + Duration::from_ps(1);
        let mut spacing = Duration::ZERO;
        for event in self.events.events() {
            let train = crossing.arrivals.train(event.train_index());
            let boundary = if train.output as usize != output {
                event.time()
            } else if event.is_interleaved() {
                // No cell of an interleaved train ends a PDU, so the last cell too may belong to
                // the stretch.
                train.last_arrival() + train.spacing
            } else {
                train.last_arrival()
            };
            end = end.min(boundary);
            if train.output as usize == output {
                spacing = spacing.max(train.spacing);
            }
        }
        self.one_by_one = end;
        if self.events.count() > MOST_TRAINS || end < now + spacing * FEWEST_SPACINGS {
            return false;
        }
        let events = self.events.events();
        let until = StretchEnd::through(end.just_before());
        self.stretches
            .collect(output, events, until, crossing.arrivals);
        if !self.stretches.send(output, crossing) {
            return false;
        }
        for index in 0..self.stretches.moved().len() {
            let moved = self.stretches.moved()[index];
            self.events.remove(moved.train_index);
            let Some(arrival) = crossing.arrivals.skip(moved.train_index, moved.cells) else {
                continue;
            };
            self.insert(arrival, moved.train_index, moved.is_interleaved, crossing);
        }
        true
    }
}

impl<T: TieOrder> Fabric for State<T> {
    #[inline]
    fn next_wake(&self) -> Time {
        self.events.first().time()
    }

    fn wakes_before(&self, input: usize) -> bool {
        self.events.first().is_before(input)
    }

    fn moves_at_once(&self) -> bool {
        true
    }

    fn expect(&mut self, input: usize, next: NextCell) {
        self.one_by_one = Time::ZERO;
        self.events.insert(next.arrival, input);
    }

    fn expect_stretch(&mut self, input: usize, next: NextCell, end: Time) {
        self.events.insert_deferred(next.arrival, input, end);
    }

    fn expect_interleaved(
        &mut self,
        train_index: usize,
        input: usize,
        arrival: Time,
        end: Option<Time>,
    ) {
        self.one_by_one = Time::ZERO;
        self.events
            .insert_interleaved(arrival, train_index, input, end);
    }

    fn forget(&mut self, input: usize) {
        self.events.remove(input);
    }

    fn advance(&mut self, crossing: &mut Crossing<'_, '_>) {
        if self.events.has_deferred_or_interleaved() || crossing.outputs.any_sends_interleaved() {
            self.advance_stretches(crossing);
        } else {
            self.advance_cells(crossing);
        }
    }

    fn settle(&mut self, until: StretchEnd, output: usize, crossing: &mut Crossing<'_, '_>) {
        if self.events.has_deferred_or_interleaved() {
            self.settle_output(output, until, crossing);
        }
    }
}

impl<T: TieOrder> State<T> {
    /// Moves every cell that has arrived, one by one.
    fn advance_cells(&mut self, crossing: &mut Crossing<'_, '_>) {
        loop {
            let event = self.events.first();
            let (now, train_index) = (event.time(), event.train_index());
            if crossing.is_closed(now) {
                return;
            }
            let next = crossing.pass(now, train_index);
            self.events.remove_plain();
            if let Some(next) = next {
                self.events.insert(next.arrival, train_index);
            }
        }
    }

    /// Moves every cell that has arrived, those of a stretch together.
    fn advance_stretches(&mut self, crossing: &mut Crossing<'_, '_>) {
        loop {
            let event = self.events.first();
            let now = event.time();
            if crossing.is_closed(now)
                || now == crossing.out.horizon() && !event.is_before(crossing.out.next_input())
            {
                return;
            }
            let train_index = event.train_index();
            let output = crossing.arrivals.train(train_index).output as usize;
            if self.events.has_deferred_or_interleaved() && crossing.outputs.takes_stretches(output)
            {
                self.settle_output(output, StretchEnd::before(now, event.tie_order()), crossing);
            } else if now >= self.one_by_one
                && crossing.outputs.sends_interleaved(output)
                && self.send_stretch(now, output, crossing)
            {
                continue;
            }
            let next = crossing.pass(now, train_index);
            self.events.remove_first(event);
            if let Some(next) = next {
                self.insert(next.arrival, train_index, event.is_interleaved(), crossing);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::FabricSpec;
    use super::super::script::order;
    use super::*;

    #[test]
    fn cells_leave_in_the_order_in_which_they_arrive() {
        let fabric = FabricSpec::Immediate(Immediate {});
        let left = order(&fabric, &[&[(13, 2)], &[(11, 2)], &[(30, 1)]]);
        assert_eq!(left, [(11, 1), (21, 0), (31, 1), (41, 0), (51, 2)]);
    }

    #[test]
    fn cells_that_continue_a_train_come_first_and_then_inputs_by_number() {
        let fabric = FabricSpec::Immediate(Immediate {});
        let left = order(&fabric, &[&[(20, 1)], &[(10, 2)], &[(10, 2)]]);
        let inputs: Vec<u32> = left.iter().map(|(_, input)| *input).collect();
        assert_eq!(inputs, [1, 2, 1, 2, 0]);
    }
}
