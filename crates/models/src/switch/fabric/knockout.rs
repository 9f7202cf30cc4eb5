//! Knockout fabric: in a slot at most `paths` cells enter an output, and the others are dropped.
//!
//! There is no queue at an input. In front of each output a concentrator lets through as many of the
//! cells that arrive for it in a slot as it has paths to the buffer of the output, and drops those
//! that are knocked out: with enough paths, few are. Yeh, Hluchyj and Acampora, "The Knockout
//! Switch: A Simple, Modular Architecture for High-Performance Packet Switching", IEEE JSAC 5(8),
//! 1987. We have not read the paper, and follow Chao, Lam and Oki, "Broadband Packet Switching
//! Technologies", 2001, section 6.1.
//!
//! The concentrator is a tournament, in which two cells that meet contend for a path. That all cells
//! for an output are as likely to win, whatever their inputs, is our own simplification: how many
//! are dropped does not depend on it. The winners enter the buffer in the order in which they are drawn.
//!
//! A cell that arrives exactly at the end of a slot belongs to the next, because a node's own events
//! come before the arrivals of the same instant.

use kernel::{Stream, Time};
use parameters::parameters;

use super::{Fabric, Inputs};
use crate::metrics::Cause;
use crate::switch::arrivals::NextCell;
use crate::switch::crossing::Crossing;
use crate::switch::slots::Slots;
use crate::wire::cell::Cell;

parameters! {
    /// The switch moves cells at the ends of its own cell slots, those of the fastest link. Of the
    /// cells that arrive in a slot for one output, at most as many enter it as it has paths; the
    /// others are dropped.
    pub struct Knockout {
        /// Paths to each output: the largest number of cells that enter it in a slot.
        #[range(1, 1024)]
        pub paths: u32 = 8,
    }
}

impl Knockout {
    /// The fabric of one switch.
    pub fn build(&self, inputs: &Inputs) -> Box<dyn Fabric> {
        let mut sending: Vec<usize> = inputs.routed.iter().map(|(input, _)| *input).collect();
        sending.sort_unstable();
        sending.dedup();
        Box::new(State {
            slots: Slots::new(inputs.cell_time, inputs.inputs),
            contenders: Vec::with_capacity(sending.len()),
            sending: sending.into(),
            paths: self.paths as usize,
            random: inputs.random.clone(),
        })
    }
}

struct State {
    slots: Slots,
    /// The inputs that VCs use.
    sending: Box<[usize]>,
    paths: usize,
    random: Stream,
    /// The cells that arrived in the slot that ends; empty between slots.
    contenders: Vec<Contender>,
}

struct Contender {
    output: usize,
    input: usize,
    arrival: Time,
    cell: Cell,
}

impl Fabric for State {
    fn next_wake(&self) -> Time {
        self.slots.next_wake(false)
    }

    fn expect(&mut self, input: usize, next: NextCell) {
        self.slots.expect(input, next);
    }

    fn forget(&mut self, input: usize) {
        self.slots.forget(input);
    }

    fn advance(&mut self, crossing: &mut Crossing<'_, '_>) {
        loop {
            let now = self.next_wake();
            if crossing.is_closed(now) {
                return;
            }
            self.slots.end(now);
            self.take(now, crossing);
            debug_assert!(
                self.next_wake() > now,
                "the slot is that of the fastest link, so an input has one cell in it at most"
            );
            let one_output = |one: &Contender, other: &Contender| one.output == other.output;
            for rivals in self.contenders.chunk_by_mut(one_output) {
                // A VC comes from one input, so it has one cell here at most, and keeps its order.
                self.random.shuffle(rivals, self.paths);
                for (number, rival) in rivals.iter().enumerate() {
                    if number < self.paths {
                        crossing.offer(now, rival.arrival, rival.output, rival.cell);
                    } else {
                        crossing.drop_taken(now, rival.output, &rival.cell, Cause::Knockout);
                    }
                }
            }
            self.contenders.clear();
        }
    }
}

impl State {
    /// Takes the cells that arrived before `now`, in the order of their outputs and inputs.
    fn take(&mut self, now: Time, crossing: &mut Crossing<'_, '_>) {
        for input in &self.sending {
            if let Some((cell, next)) = self.slots.take(*input, now, crossing) {
                self.contenders.push(Contender {
                    output: next.output as usize,
                    input: *input,
                    arrival: next.arrival,
                    cell,
                });
            }
        }
        self.slots.find_next_arrival();
        self.contenders
            .sort_unstable_by_key(|contender| (contender.output, contender.input));
    }
}

#[cfg(test)]
mod tests {
    use super::super::FabricSpec;
    use super::super::script::order;
    use super::*;

    /// The start of each cell that is not dropped, and its input.
    fn left(paths: u32, trains: &[&[(u64, u32)]]) -> Vec<(u64, u32)> {
        order(&FabricSpec::Knockout(Knockout { paths }), trains)
    }

    #[test]
    fn cells_move_at_the_end_of_the_slot_in_which_they_came() {
        assert_eq!(left(1, &[&[(13, 1)]]), [(20, 0)]);
        assert_eq!(left(1, &[&[(20, 1)]]), [(30, 0)]);
        assert_eq!(left(1, &[&[(13, 2), (58, 1)]]), [(20, 0), (30, 0), (60, 0)]);
    }

    #[test]
    fn as_many_cells_of_a_slot_are_left_as_there_are_paths() {
        // Five cells in the first slot, and four in the next but one.
        let one: &[(u64, u32)] = &[(11, 1), (31, 1)];
        let trains = [one, one, one, one, &[(19, 1)]];
        for (paths, count) in [(1, 2), (2, 4), (4, 8), (5, 9), (1024, 9)] {
            assert_eq!(left(paths, &trains).len(), count, "{paths} paths");
        }
    }

    #[test]
    fn all_inputs_win_as_often() {
        let slots = 300;
        let trains: &[&[(u64, u32)]] = &[&[(11, slots)], &[(11, slots)], &[(11, slots)]];
        for paths in 1..=2 {
            let left = left(paths, trains);
            let share = f64::from(paths) / 3.0;
            for input in 0..3 {
                let won = left.iter().filter(|(_, of)| *of == input).count() as f64;
                let mean = share * f64::from(slots);
                // The bound is five standard deviations of as many tosses.
                let bound = 5.0 * (mean * (1.0 - share)).sqrt();
                assert!((won - mean).abs() < bound, "{paths} paths, {input}: {won}");
            }
        }
    }
}
