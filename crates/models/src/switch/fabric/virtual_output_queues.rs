//! Virtual output queues: cells wait at the inputs, in a queue for each output, and in each slot a
//! matching decides which of them cross.
//!
//! A cell waits only for cells of its own output, so no head of a queue blocks cells for an idle
//! output, as it does with the one queue of an input of the slotted fabric. The matching decides
//! how much the switch carries. A switch with this fabric is the subject of McKeown, Mekkittikul,
//! Anantharam and Walrand, "Achieving 100% Throughput in an Input-Queued Switch", IEEE Transactions
//! on Communications 47(8), 1999.
//!
//! At the end of a slot the cells that arrived during the slot join their queues, and each matching
//! moves at most one cell from each input and at most one to each output, lowest output first. With
//! a speedup of S there are S matchings, one after the other: Chuang, Goel, McKeown and Prabhakar,
//! "Matching Output Queueing with a Combined Input/Output-Queued Switch", IEEE JSAC 17(6), 1999. A
//! cell that arrives exactly at the end of a slot waits for the end of the next, because a node's
//! own events come before the arrivals of the same instant.

mod packet_mode;

use kernel::{Rate, Time};
use parameters::{choices, parameters};

use super::{Fabric, Inputs, MatchedSlots};
use crate::metrics::{CrossingMeter, CrossingReading};
use crate::output::Taken;
use crate::switch::arrivals::NextCell;
use crate::switch::crossing::Crossing;
use crate::switch::input_buffer::InputSpec;
use crate::switch::limited_inputs::LimitedInputs;
use crate::switch::matching::{Crossbar, Matched, Matching, MatchingSpec};
use crate::switch::matching_steps::SlotSteps;
use crate::switch::slots::Slots;
use crate::switch::virtual_queues::VirtualQueues;
use packet_mode::PacketMode;

parameters! {
    /// Each input keeps a queue for every output, and a matching decides in each slot which cells
    /// cross.
    pub struct VirtualOutputQueues {
        /// Rule that matches inputs with outputs.
        #[alias("scheduler")]
        #[alias("arbiter")]
        pub matching: MatchingSpec = default,
        /// Matchings in a slot, each of which moves at most one cell from each input and to each
        /// output.
        #[range(1, 1024)]
        pub speedup: u32 = 1,
        /// Rate whose cell time is the slot; if not given, the rate of the fastest link.
        pub clock: Option<Rate>,
        /// Memory of the inputs; if not given, it has no limit.
        pub input: Option<InputSpec>,
        /// The queues that an input keeps.
        pub queues: InputQueues = "per_output",
        /// Unit that crosses, a cell or a packet, before a pair of an input and an output is matched anew.
        pub mode: CrossingMode = "cell",
    }
}

choices! {
    /// The queues that an input keeps.
    pub enum InputQueues {
        /// A queue for each output.
        per_output => PerOutput,
        /// A queue for each output and service class; of the cells for one output, the first of the
        /// highest class crosses.
        per_class => PerClass,
    }
}

choices! {
    /// Unit that crosses, a cell or a packet, before a pair of an input and an output is matched anew.
    pub enum CrossingMode {
        /// One cell.
        cell => Cell,
        /// All cells of a packet, which waits at its input until its last cell has come.
        packet => Packet,
    }
}

impl VirtualOutputQueues {
    /// The fabric of one switch.
    pub fn build(&self, inputs: &Inputs) -> Box<dyn Fabric> {
        let sending = Used::new(inputs.inputs, inputs.routed.iter().map(|(input, _)| *input));
        let receiving = inputs.routed.iter().map(|(_, output)| *output);
        let receiving = Used::new(inputs.outputs, receiving);
        let (lines, columns) = (sending.numbers.len(), receiving.numbers.len());
        let crossbar = Crossbar {
            inputs: lines,
            outputs: columns,
            random: inputs.random.clone(),
        };
        let slot = self
            .clock
            .map_or(inputs.cell_time, |clock| inputs.cells.time(clock));
        let packets =
            (self.mode == CrossingMode::Packet).then(|| Box::new(PacketMode::new(inputs, lines)));
        let limits = |input| {
            let mut limits = LimitedInputs::new(input, inputs, true);
            if packets.is_some() {
                limits.drop_whole_pdus();
            }
            Box::new(limits)
        };
        Box::new(State {
            slots: Slots::new(slot, inputs.inputs),
            limits: self.input.as_ref().map(limits),
            packets,
            speedup: self.speedup,
            matching: self.matching.build(&crossbar),
            steps: None,
            matched: Matched::new(lines, columns),
            queues: match self.queues {
                InputQueues::PerOutput => VirtualQueues::new(lines, columns, inputs.cells),
                InputQueues::PerClass => {
                    let outputs = receiving.numbers.iter();
                    let classes = outputs.map(|output| inputs.classes[*output].clone());
                    VirtualQueues::per_class(lines, classes.collect(), inputs.cells)
                }
            },
            meters: vec![CrossingMeter::of_matchings(); columns].into(),
            sending,
            receiving,
        })
    }
}

/// The inputs, or the outputs, that VCs use, and their indices: a matching knows no others.
struct Used {
    /// The number of each used port, in order.
    numbers: Box<[usize]>,
    /// The index of each port among the used ones; none of an unused one.
    indices: Box<[Option<usize>]>,
}

impl Used {
    fn new(ports: usize, used: impl Iterator<Item = usize>) -> Used {
        let mut numbers: Vec<usize> = used.collect();
        numbers.sort_unstable();
        numbers.dedup();
        let mut indices = vec![None; ports];
        for (index, number) in numbers.iter().enumerate() {
            indices[*number] = Some(index);
        }
        Used {
            numbers: numbers.into(),
            indices: indices.into(),
        }
    }

    fn index(&self, number: usize) -> usize {
        self.indices[number].expect("cells come and go on the ports that VCs use")
    }
}

/// An input and an output, by their indices among those that VCs use.
#[derive(Clone, Copy)]
struct Way {
    input: usize,
    output: usize,
}

struct State {
    slots: Slots,
    /// The limits of the inputs; none if the inputs have no limit.
    limits: Option<Box<LimitedInputs>>,
    /// The packets that are collected or crossing; none in cell mode.
    packets: Option<Box<PacketMode>>,
    speedup: u32,
    matching: Box<dyn Matching>,
    /// The steps of the last slot; none if they are not noted.
    steps: Option<Box<SlotSteps>>,
    /// The pairs of the present matching.
    matched: Matched,
    queues: VirtualQueues,
    /// Counts by used output.
    meters: Box<[CrossingMeter]>,
    sending: Used,
    receiving: Used,
}

impl Fabric for State {
    fn next_wake(&self) -> Time {
        self.slots.next_wake(self.queues.waiting() > 0)
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
            if self.slots.end(now) {
                self.admit(now, crossing);
            }
            for _ in 0..self.speedup {
                if self.queues.waiting() > 0 {
                    self.cross(now, crossing);
                }
            }
        }
    }

    fn cells(&self) -> u64 {
        let collected = self.packets.as_ref().map_or(0, |packets| packets.cells());
        self.queues.waiting() + collected
    }

    fn begin_counting(&mut self, now: Time) {
        self.meters.iter_mut().for_each(|meter| meter.begin(now));
    }

    fn read(&self, output: usize, now: Time) -> Option<CrossingReading> {
        let index = self.receiving.indices[output]?;
        Some(self.meters[index].read(now))
    }

    fn note_steps(&mut self, are_noted: bool) {
        self.steps = are_noted.then(|| self.steps.take().unwrap_or_default());
    }

    fn slots(&self) -> Option<MatchedSlots<'_>> {
        Some(MatchedSlots {
            slot: self.slots.length(),
            inputs: &self.sending.numbers,
            outputs: &self.receiving.numbers,
            queues: &self.queues,
            steps: self.steps.as_deref(),
        })
    }
}

impl State {
    /// Moves the cells that arrived before `now` into their queues, unless they are dropped.
    fn admit(&mut self, now: Time, crossing: &mut Crossing<'_, '_>) {
        for index in 0..self.sending.numbers.len() {
            let input = self.sending.numbers[index];
            while let Some((cell, next)) = self.slots.take(input, now, crossing) {
                let output = next.output as usize;
                let way = Way {
                    input: index,
                    output: self.receiving.index(output),
                };
                let joins = match &mut self.limits {
                    Some(limits) => limits.admit(now, input, output, &cell, crossing),
                    None => true,
                };
                if self.packets.is_some() {
                    self.collect(now, way, (cell, next.arrival), joins, crossing);
                } else if joins {
                    self.meters[way.output].join(now);
                    self.queues.push(way.input, way.output, &cell, next.arrival);
                }
            }
        }
        self.slots.find_next_arrival();
    }

    /// Moves the cells of one matching.
    fn cross(&mut self, now: Time, crossing: &mut Crossing<'_, '_>) {
        for (output, meter) in self.meters.iter_mut().enumerate() {
            meter.request(!self.queues.inputs_of(output).is_empty());
        }
        self.matched.clear();
        if let Some(packets) = &self.packets {
            packets.hold(&mut self.matched);
        }
        match &mut self.steps {
            None => self.matching.find(now, &self.queues, &mut self.matched),
            Some(steps) => steps.find(&mut *self.matching, now, &self.queues, &mut self.matched),
        }
        for index in 0..self.receiving.numbers.len() {
            let Some(input) = self.matched.input_of(index) else {
                continue;
            };
            let packets = self.packets.as_ref();
            let after = packets.and_then(|packets| packets.crossing(input));
            let Taken { unit, since, .. } = self.queues.pop(input, index, after);
            self.meters[index].cross(now, self.slots.waited(since, now));
            if let Some(packets) = &mut self.packets {
                packets.cross(input, index, &unit);
            }
            let output = self.receiving.numbers[index];
            if let Some(limits) = &mut self.limits {
                let input = self.sending.numbers[input];
                limits.leave(input, output, &unit, crossing);
            }
            crossing.offer(now, since, output, unit);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::FabricSpec;
    use super::super::script::{Sent, order, order_of};
    use super::super::slotted::{Order, Slotted};
    use super::*;
    use crate::switch::matching::wavefront::Wavefront;

    fn fabric(speedup: u32) -> FabricSpec {
        in_mode(CrossingMode::Cell, speedup)
    }

    fn in_mode(mode: CrossingMode, speedup: u32) -> FabricSpec {
        FabricSpec::VirtualOutputQueues(VirtualOutputQueues {
            matching: MatchingSpec::Wavefront(Wavefront {}),
            speedup,
            clock: None,
            input: None,
            queues: InputQueues::PerOutput,
            mode,
        })
    }

    /// The inputs of the cells that leave, in order.
    fn inputs(speedup: u32, trains: &[&[(u64, u32)]]) -> Vec<u32> {
        let left = order(&fabric(speedup), trains);
        left.into_iter().map(|(_, input)| input).collect()
    }

    #[test]
    fn cells_move_at_the_end_of_the_slot_in_which_they_came() {
        assert_eq!(order(&fabric(1), &[&[(13, 1)]]), [(20, 0)]);
        assert_eq!(order(&fabric(1), &[&[(20, 1)]]), [(30, 0)]);
        // The second cell arrives when the fabric has nothing to move for several slots.
        assert_eq!(
            order(&fabric(1), &[&[(13, 1), (58, 1)]]),
            [(20, 0), (60, 0)]
        );
    }

    #[test]
    fn an_input_alone_is_served_as_by_the_slotted_fabric() {
        let slotted = FabricSpec::Slotted(Slotted {
            speedup: Some(1),
            order: Order::Input,
            clock: None,
            input: None,
        });
        let announced = [
            (11, Sent::Cells(1)),
            (11, Sent::Behind(3)),
            (11, Sent::Behind(1)),
        ];
        let (after, spacing) = (2, 25);
        for then in [
            (20, Sent::Recall(4)),
            (29, Sent::Recall(3)),
            (30, Sent::Recall(3)),
            (29, Sent::Respace { after, spacing }),
        ] {
            let units = || vec![announced.into_iter().chain([then]).collect()];
            let expected = order_of(&slotted, units());
            assert_eq!(order_of(&fabric(1), units()), expected, "{then:?}");
        }
    }

    #[test]
    fn as_many_cells_as_the_speedup_enter_an_output_in_a_slot() {
        // The inputs have priority in turn, matching by matching. With a speedup of two, inputs 0 and
        // 1 have moved both of their cells before the cell of input 2 comes.
        let trains: &[&[(u64, u32)]] = &[&[(11, 2)], &[(11, 2)], &[(31, 1)]];
        assert_eq!(inputs(1, trains), [0, 1, 2, 0, 1]);
        assert_eq!(inputs(2, trains), [0, 1, 0, 1, 2]);
    }

    #[test]
    fn packets_cross_whole_once_their_last_cell_has_come() {
        let packets = in_mode(CrossingMode::Packet, 1);
        let units = vec![
            vec![(11, Sent::Packet(3)), (41, Sent::Packet(1))],
            vec![(11, Sent::Packet(2)), (31, Sent::Packet(2))],
        ];
        // The packet of input 1 is complete in the slot that ends at 30, the first of input 0 a slot
        // later.
        let left = order_of(&packets, units);
        let inputs: Vec<u32> = left.iter().map(|(_, input)| *input).collect();
        assert_eq!(inputs, [1, 1, 0, 0, 0, 1, 1, 0]);
        let times: Vec<u64> = left.iter().map(|(at, _)| *at).collect();
        assert_eq!(times, [30, 40, 50, 60, 70, 80, 90, 100]);
    }
}
