//! Immediate fabric: a cell reaches its output the instant it arrives.
//!
//! Cells that arrive at the same instant move in this order: cells that continue a train, by input;
//! then cells that begin a train or are spread among others, by input. If ties are decided at random, each of the two groups
//! moves in random order.
//!
//! This file may be written for speed.

use kernel::{Duration, Time};
use parameters::parameters;

use super::{Fabric, Inputs};
use crate::output::discard::Promise;
use crate::switch::arrivals::NextCell;
use crate::switch::due::{ByInput, DueTrains, Rank};
use crate::switch::gate::Gate;
use crate::switch::stretch::{Stretches, Until};

parameters! {
    /// Cells reach the output as they arrive; the switch adds no clock of its own.
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

struct State<R> {
    due: DueTrains<R>,
    stretches: Stretches,
    /// Time before which the cells to other switches move one by one, since a stretch would be too
    /// short or has no closed form.
    one_by_one: Time,
}

/// Fewest spacings of a stretch. Shorter ones take more instructions than their cells one by one.
const FEWEST_TURNS: u64 = 2;

/// Most trains among which a stretch is looked for: each attempt goes through all of them.
const MOST_TRAINS: usize = 16;

impl<R: Rank> State<R> {
    fn new(ranks: R) -> State<R> {
        State {
            due: DueTrains::new(ranks),
            stretches: Stretches::default(),
            one_by_one: Time::ZERO,
        }
    }

    /// Inserts a train, to be looked at when its next cell arrives.
    #[inline]
    fn insert(&mut self, arrival: Time, place: usize, is_spread: bool, gate: &Gate<'_, '_>) {
        if is_spread {
            let input = gate.arrivals.input_of(place);
            self.due.insert_spread(arrival, place, input, None);
        } else {
            self.due.insert(arrival, place);
        }
    }

    /// Moves the cells to `output` that came before `until`, as far as they have not moved.
    #[inline(never)]
    fn settle_output(&mut self, output: usize, until: Until, gate: &mut Gate<'_, '_>) {
        let lazy = self.due.entries().filter(|entry| entry.is_lazy());
        self.stretches.collect(output, lazy, until, gate.arrivals);
        self.stretches.settle(output, gate);
    }

    /// Moves the cells to `output` from now on, as far as none of them begins or ends a PDU and
    /// nothing else happens at the switch; returns false if they must move one by one.
    #[inline(never)]
    fn send_stretch(&mut self, now: Time, output: usize, gate: &mut Gate<'_, '_>) -> bool {
        let port = &gate.outputs.ports[output];
        let first = gate.arrivals.train(self.due.first().place());
        if gate.out.through() < now + first.spacing * FEWEST_TURNS {
            self.one_by_one = gate.out.through() + Duration::from_ps(1);
            return false;
        }
        if port.promise(first.cell.vc) == Promise::Ask {
            // The cell begins a PDU, and the policy promises more about those behind it.
            self.one_by_one = now + Duration::from_ps(1);
            return false;
        }
        // No unit answers a cell that neither begins nor ends a PDU, so the far end sets no limit.
        let mut end = gate.out.through() + Duration::from_ps(1);
        let mut spacing = Duration::ZERO;
        for entry in self.due.entries() {
            let train = gate.arrivals.train(entry.place());
            let boundary = if train.output as usize != output {
                entry.time()
            } else if entry.is_spread() {
                // No cell of these ends a PDU, and the last may come in the last turn.
                train.end() + train.spacing
            } else {
                train.end()
            };
            end = end.min(boundary);
            if train.output as usize == output {
                spacing = spacing.max(train.spacing);
            }
        }
        self.one_by_one = end;
        if self.due.count() > MOST_TRAINS || end < now + spacing * FEWEST_TURNS {
            return false;
        }
        let entries = self.due.entries();
        let until = Until::through(end.just_before());
        self.stretches
            .collect(output, entries, until, gate.arrivals);
        if !self.stretches.send(output, gate) {
            return false;
        }
        for index in 0..self.stretches.moved().len() {
            let moved = self.stretches.moved()[index];
            self.due.remove(moved.place);
            let Some(arrival) = gate.arrivals.skip(moved.place, moved.cells) else {
                continue;
            };
            self.insert(arrival, moved.place, moved.is_spread, gate);
        }
        true
    }
}

impl<R: Rank> Fabric for State<R> {
    #[inline]
    fn next_wake(&self) -> Time {
        self.due.first().time()
    }

    fn wakes_before(&self, input: usize) -> bool {
        self.due.first().is_before(input)
    }

    fn moves_at_once(&self) -> bool {
        true
    }

    fn expect(&mut self, input: usize, next: NextCell) {
        self.one_by_one = Time::ZERO;
        self.due.insert(next.arrival, input);
    }

    fn expect_stretch(&mut self, input: usize, next: NextCell, end: Time) {
        self.due.insert_lazy(next.arrival, input, end);
    }

    fn expect_spread(&mut self, place: usize, input: usize, arrival: Time, end: Option<Time>) {
        self.one_by_one = Time::ZERO;
        self.due.insert_spread(arrival, place, input, end);
    }

    fn forget(&mut self, input: usize) {
        self.due.remove(input);
    }

    fn advance(&mut self, gate: &mut Gate<'_, '_>) {
        if self.due.has_special() || gate.outputs.send_any_spread() {
            self.advance_stretches(gate);
        } else {
            self.advance_cells(gate);
        }
    }

    fn settle(&mut self, until: Until, output: usize, gate: &mut Gate<'_, '_>) {
        if self.due.has_special() {
            self.settle_output(output, until, gate);
        }
    }
}

impl<R: Rank> State<R> {
    /// Moves every cell that is due, one by one.
    fn advance_cells(&mut self, gate: &mut Gate<'_, '_>) {
        loop {
            let entry = self.due.first();
            let (now, place) = (entry.time(), entry.place());
            if gate.is_closed(now) {
                return;
            }
            let next = gate.pass(now, place);
            self.due.remove_plain();
            if let Some(next) = next {
                self.due.insert(next.arrival, place);
            }
        }
    }

    /// Moves every cell that is due, those of a stretch together.
    fn advance_stretches(&mut self, gate: &mut Gate<'_, '_>) {
        loop {
            let entry = self.due.first();
            let now = entry.time();
            if gate.is_closed(now)
                || now == gate.out.through() && !entry.is_before(gate.out.before())
            {
                return;
            }
            let place = entry.place();
            let output = gate.arrivals.train(place).output as usize;
            if self.due.has_special() && gate.outputs.takes_stretches(output) {
                self.settle_output(output, Until::before(now, entry.rank()), gate);
            } else if now >= self.one_by_one
                && gate.outputs.sends_spread(output)
                && self.send_stretch(now, output, gate)
            {
                continue;
            }
            let next = gate.pass(now, place);
            self.due.remove_first(entry);
            if let Some(next) = next {
                self.insert(next.arrival, place, entry.is_spread(), gate);
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
    fn what_continues_a_train_goes_before_what_begins_one_and_low_inputs_before_high() {
        let fabric = FabricSpec::Immediate(Immediate {});
        let left = order(&fabric, &[&[(20, 1)], &[(10, 2)], &[(10, 2)]]);
        let inputs: Vec<u32> = left.iter().map(|(_, input)| *input).collect();
        assert_eq!(inputs, [1, 2, 1, 2, 0]);
    }
}
