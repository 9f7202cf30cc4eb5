//! Slotted fabric: the switch has a cell clock of its own, and cells that arrived during a slot
//! contend at the end of the slot.
//!
//! Each input keeps its cells in a queue, which has no limit unless `input` gives one. At the end of a slot every input offers the
//! cell at its head, and at most `speedup` cells may enter one output; the others wait. The
//! Batcher-banyan switch of Romanow and Floyd ("Dynamics of TCP Traffic over ATM Networks", IEEE
//! JSAC 13(4), 1995, section 2) has a speedup of two, and serves inputs round robin; the simulator
//! CLASS moves the cells of all inputs in random order.
//!
//! A cell that arrives exactly at the end of a slot waits for the end of the next slot, because a
//! node's own events come before the arrivals of the same instant.

mod contention;
mod limited;

use kernel::{Duration, Rate, Time};
use parameters::{choices, parameters};

use super::{Fabric, Inputs};
use crate::switch::arrivals::NextCell;
use crate::switch::crossing::Crossing;
use crate::switch::input_buffer::InputSpec;
use contention::Contention;
use limited::LimitedState;

parameters! {
    /// The switch moves cells at the ends of its own cell slots, in which inputs contend for
    /// outputs.
    pub struct Slotted {
        /// Largest number of cells that enter one output in one slot; if not given, all that
        /// contend.
        #[range(1, 65536)]
        pub speedup: Option<u32>,
        /// Order in which contending inputs are served.
        pub order: Order = "round_robin",
        /// Rate whose cell time is the slot; if not given, the rate of the fastest link.
        pub clock: Option<Rate>,
        /// Memory of the inputs; if not given, it has no limit.
        pub input: Option<InputSpec>,
    }
}

choices! {
    /// Order in which contending inputs are chosen, and in which their cells enter the output.
    pub enum Order {
        /// Inputs are chosen in cyclic order, from the one after the last served; their cells enter
        /// in random order.
        round_robin => RoundRobin,
        /// Inputs are chosen, and their cells enter, in an order drawn for each slot.
        random => Random,
        /// Inputs are chosen, and their cells enter, by input number, lowest first.
        input => Input,
    }
}

impl Slotted {
    /// The fabric of one switch.
    pub fn build(&self, inputs: &Inputs) -> Box<dyn Fabric> {
        let slot = self
            .clock
            .map_or(inputs.cell_time, |clock| inputs.cells.time(clock));
        if let Some(input) = &self.input {
            return Box::new(LimitedState::new(self, input, slot, inputs));
        }
        Box::new(State {
            slot,
            contention: Contention::new(self, inputs),
            heads: vec![None; inputs.inputs].into(),
            later: Later {
                inputs: Vec::with_capacity(inputs.inputs),
                first: Time::NEVER,
            },
            last: Time::ZERO,
        })
    }
}

struct State {
    slot: Duration,
    contention: Contention,
    /// The cell expected at each input.
    heads: Box<[Option<NextCell>]>,
    later: Later,
    /// The last end of a slot at which cells moved.
    last: Time,
}

/// The inputs whose first cell does not contend yet: it has not arrived, or the slot has not ended.
struct Later {
    inputs: Vec<usize>,
    /// Earliest arrival of the first cells of these inputs.
    first: Time,
}

impl Fabric for State {
    fn next_wake(&self) -> Time {
        if !self.contention.busy.is_empty() {
            return self.last + self.slot;
        }
        if self.later.first == Time::NEVER {
            return Time::NEVER;
        }
        // The first end of a slot after the arrival at which no cell has moved yet. An input with a
        // backlog has its next cell at the head long after that cell arrived.
        let slots = self.later.first.ps() / self.slot.ps() + 1;
        Time::from_ps(slots * self.slot.ps()).max(self.last + self.slot)
    }

    fn expect(&mut self, input: usize, next: NextCell) {
        self.heads[input] = Some(next);
        self.later.wait(input, next);
    }

    fn forget(&mut self, input: usize) {
        let Some(NextCell { output, .. }) = self.heads[input].take() else {
            return;
        };
        self.contention.leave(input, output as usize);
        self.later.inputs.retain(|other| *other != input);
        let heads = self
            .later
            .inputs
            .iter()
            .map(|input| self.head(*input).arrival);
        self.later.first = heads.min().unwrap_or(Time::NEVER);
    }

    fn advance(&mut self, crossing: &mut Crossing<'_, '_>) {
        loop {
            let now = self.next_wake();
            if crossing.is_closed(now) {
                return;
            }
            self.last = now;
            if self.later.first < now {
                self.admit_heads(now);
            }
            let mut output = 0;
            while let Some(next) = self.contention.busy.first_from(output) {
                self.serve(now, next, crossing);
                output = next + 1;
            }
        }
    }
}

impl State {
    /// Lets the first cells that arrived before `now` contend for their outputs.
    fn admit_heads(&mut self, now: Time) {
        self.later.first = Time::NEVER;
        let mut kept = 0;
        for index in 0..self.later.inputs.len() {
            let input = self.later.inputs[index];
            let head = self.head(input);
            if head.arrival < now {
                self.contention.enter(input, head.output as usize);
            } else {
                self.later.first = self.later.first.min(head.arrival);
                self.later.inputs[kept] = input;
                kept += 1;
            }
        }
        self.later.inputs.truncate(kept);
    }

    fn head(&self, input: usize) -> NextCell {
        self.heads[input].expect("a cell is expected")
    }

    /// Moves up to `speedup` cells into `output`.
    fn serve(&mut self, now: Time, output: usize, crossing: &mut Crossing<'_, '_>) {
        let State {
            contention,
            heads,
            later,
            slot,
            ..
        } = self;
        contention.serve(output, |contention, input| {
            let next = crossing.pass(now, input);
            heads[input] = next;
            match next {
                // The usual case: the next cell goes to the same output and arrives in time for the
                // next slot.
                Some(next) if next.output as usize == output && next.arrival < now + *slot => {}
                Some(next) => {
                    contention.leave(input, output);
                    later.wait(input, next);
                }
                None => contention.leave(input, output),
            }
        });
    }
}

impl Later {
    /// Lets the first cell of an input contend once it has arrived.
    #[inline]
    fn wait(&mut self, input: usize, head: NextCell) {
        self.inputs.push(input);
        self.first = self.first.min(head.arrival);
    }
}

#[cfg(test)]
mod tests {
    use super::super::FabricSpec;
    use super::super::script::order;
    use super::*;

    fn inputs(speedup: Option<u32>, order_of: Order, trains: &[&[(u64, u32)]]) -> Vec<u32> {
        let fabric = FabricSpec::Slotted(Slotted {
            speedup,
            order: order_of,
            clock: None,
            input: None,
        });
        order(&fabric, trains)
            .iter()
            .map(|(_, input)| *input)
            .collect()
    }

    #[test]
    fn cells_move_at_the_end_of_the_slot_in_which_they_came() {
        let fabric = FabricSpec::Slotted(Slotted {
            speedup: None,
            order: Order::Input,
            clock: None,
            input: None,
        });
        // The first cell arrives within a slot. The second arrives exactly at the end of a slot,
        // and waits for the end of the next.
        assert_eq!(order(&fabric, &[&[(13, 1)]]), [(20, 0)]);
        assert_eq!(order(&fabric, &[&[(20, 1)]]), [(30, 0)]);
    }

    #[test]
    fn a_train_that_has_waited_moves_in_no_past_slot() {
        // Input 1 has a backlog. When its first cell has moved, the second has waited for three
        // slots, and contends with the cells that arrived at input 0 meanwhile.
        let trains: &[&[(u64, u32)]] = &[&[(11, 3), (52, 1)], &[(11, 1), (21, 1)]];
        assert_eq!(inputs(Some(1), Order::Input, trains), [0, 0, 0, 1, 0, 1]);
    }

    #[test]
    fn no_more_than_the_speedup_enter_in_a_slot() {
        // With a speedup of one the lowest input goes first as long as it has cells.
        let trains: &[&[(u64, u32)]] = &[&[(11, 2)], &[(11, 2)], &[(11, 1)]];
        assert_eq!(inputs(Some(1), Order::Input, trains), [0, 0, 1, 1, 2]);
        // With a speedup of two, inputs 0 and 1 send two cells each before input 2 sends.
        assert_eq!(inputs(Some(2), Order::Input, trains), [0, 1, 0, 1, 2]);
        assert_eq!(inputs(None, Order::Input, trains), [0, 1, 2, 0, 1]);
    }

    #[test]
    fn the_round_robin_goes_on_after_the_last_served() {
        let trains: &[&[(u64, u32)]] = &[&[(11, 2)], &[(11, 2)], &[(11, 2)]];
        assert_eq!(
            inputs(Some(1), Order::RoundRobin, trains),
            [0, 1, 2, 0, 1, 2]
        );
    }

    #[test]
    fn random_order_treats_all_alike() {
        // Two inputs contend for one output in each of many slots; each should go first in half of
        // them.
        let trains: &[&[(u64, u32)]] = &[&[(11, 400)], &[(11, 400)]];
        for order_of in [Order::Random, Order::RoundRobin] {
            let entered = inputs(Some(2), order_of, trains);
            let first = entered.chunks(2).filter(|pair| pair[0] == 0).count();
            // The bound is five standard deviations of 400 tosses of a coin.
            assert!((first as i64 - 200).abs() < 50, "{first} of 400");
        }
    }
}
