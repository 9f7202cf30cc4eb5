//! Fabrics: they move cells from the inputs of a switch to its outputs, and decide the order.
//! `docs/decisions/0010-ties-belong-to-the-fabric.md` states why the order belongs to the fabric.

#[cfg(test)]
pub(crate) mod script;

use kernel::{Duration, Rate, Stream, Time};

pub use super::arrivals::NextCell;
use super::crossing::Crossing;
use super::input_buffer::InputSpec;
use super::matching_steps::SlotSteps;
use super::stretch::StretchEnd;
use super::virtual_queues::VirtualQueues;
use crate::metrics::CrossingReading;
use crate::ties::Chance;
use crate::wire::class::Class;
use crate::wire::format::CellFormat;

parameters::registry! {
    /// Fabric that moves cells from the inputs of a switch to its outputs.
    pub enum FabricSpec builds Box<dyn Fabric>, for Inputs {
        immediate => Immediate,
        slotted => Slotted,
        knockout => Knockout,
        virtual_output_queues => VirtualOutputQueues,
        scheduled_cells => ScheduledCells,
    } default immediate open to Outside
}

impl FabricSpec {
    /// The limited memory of the inputs; none if the inputs have no limit.
    pub fn input(&self) -> Option<&InputSpec> {
        match self {
            FabricSpec::Slotted(slotted) => slotted.input.as_ref(),
            FabricSpec::VirtualOutputQueues(queues) => queues.input.as_ref(),
            FabricSpec::Immediate(_)
            | FabricSpec::Knockout(_)
            | FabricSpec::ScheduledCells(_)
            | FabricSpec::Outside(_) => None,
        }
    }
}

/// The inputs of a switch, as known before the run.
#[derive(Clone, Debug)]
pub struct Inputs {
    /// Number of inputs.
    pub inputs: usize,
    /// Number of outputs.
    pub outputs: usize,
    /// Service class of each VC of each output.
    pub classes: Box<[Box<[Class]>]>,
    /// The pairs of an input and an output between which VCs run.
    pub routed: Box<[(usize, usize)]>,
    /// Rate of the link of each output.
    pub rates: Box<[Rate]>,
    /// Cell time of the fastest link of the switch.
    pub cell_time: Duration,
    /// Format of the cells of the network.
    pub cells: CellFormat,
    /// Random stream of the fabric.
    pub random: Stream,
    /// Random draw for the order of inputs at one instant, where the fabric leaves this order open;
    /// none if ties are not random.
    pub chance: Option<Chance>,
}

impl Inputs {
    /// Number of VCs of each output.
    pub(crate) fn vcs(&self) -> impl Iterator<Item = usize> {
        self.classes.iter().map(|classes| classes.len())
    }
}

/// Decides when the cells that arrive at a switch move to their outputs, and in which order.
///
/// The switch tells a fabric the next cell of each input, and handles trains and amendments itself.
/// The immediate fabric is told of whole trains too, since it may move their cells in one step.
pub trait Fabric: Send {
    /// Time at which the fabric next moves a cell.
    fn next_wake(&self) -> Time;

    /// True if a cell that the fabric does not expect moves to its output as it arrives. The switch
    /// then never tells the fabric of the first cell of a train.
    fn moves_at_once(&self) -> bool {
        false
    }

    /// Expects the next cell of an input that has no expected cell.
    fn expect(&mut self, input: usize, next: NextCell);

    /// Expects the cells of a train, from the next cell of `input` on. The last cell arrives at
    /// `end`, and must move when it arrives. The fabric may defer the other cells until
    /// [`Fabric::settle`] is called for their output.
    fn expect_stretch(&mut self, input: usize, next: NextCell, _end: Time) {
        self.expect(input, next);
    }

    /// Expects the cells of an interleaved train of `input` with this train index; the next one
    /// arrives at `arrival`. If `end` is given, the last cell arrives at `end` and must move when
    /// it arrives; the fabric may defer the other cells until [`Fabric::settle`] is called for
    /// their output.
    fn expect_interleaved(
        &mut self,
        _train_index: usize,
        _input: usize,
        _arrival: Time,
        _end: Option<Time>,
    ) {
        unreachable!("interleaved trains go to switches whose fabric moves cells at once")
    }

    /// True if the fabric moves a cell that is due now before the switch takes a unit that arrives
    /// at `input` at the same instant: see [`Node::wakes_before`](kernel::Node::wakes_before).
    fn wakes_before(&self, _input: usize) -> bool {
        true
    }

    /// Cancels the expected cell of an input, which has been recalled or respaced.
    fn forget(&mut self, input: usize);

    /// Moves cells in order of time until [`Crossing::is_closed`].
    fn advance(&mut self, crossing: &mut Crossing<'_, '_>);

    /// Moves the deferred cells for `output` that arrive before `until`.
    fn settle(&mut self, _until: StretchEnd, _output: usize, _crossing: &mut Crossing<'_, '_>) {}

    /// Number of cells that the fabric has taken from the inputs and not moved to an output.
    fn cells(&self) -> u64 {
        0
    }

    /// Restarts the counts of the fabric.
    fn begin_counting(&mut self, _now: Time) {}

    /// The counts until `now` of the cells for an output; none if the fabric counts no cells for it.
    fn read(&self, _output: usize, _now: Time) -> Option<CrossingReading> {
        None
    }

    /// Begins or ends to note the steps of its matchings, if the fabric has any.
    fn note_steps(&mut self, _are_noted: bool) {}

    /// The slots of a fabric that matches inputs with outputs; none for any other.
    fn slots(&self) -> Option<MatchedSlots<'_>> {
        None
    }
}

/// The slots of a fabric that matches inputs with outputs, as a watcher sees them.
pub struct MatchedSlots<'a> {
    /// Length of a slot.
    pub slot: Duration,
    /// The inputs that VCs use, by their numbers in the switch.
    pub inputs: &'a [usize],
    /// The outputs that VCs use, by their numbers in the switch.
    pub outputs: &'a [usize],
    /// The cells that wait, by their place among these inputs and outputs.
    pub queues: &'a VirtualQueues,
    /// The steps of the last slot; none if they are not noted.
    pub steps: Option<&'a SlotSteps>,
}

#[cfg(test)]
mod tests {
    use super::script::{Sent, order_of, order_with};
    use super::*;
    use slotted::{Order, Slotted};

    fn fabrics() -> [FabricSpec; 2] {
        let slotted = Slotted {
            speedup: None,
            order: Order::Input,
            clock: None,
            input: None,
        };
        let immediate = immediate::Immediate {};
        [
            FabricSpec::Immediate(immediate),
            FabricSpec::Slotted(slotted),
        ]
    }

    /// Two cells arrive at 20: one leaves at once, the other fills the buffer. A third arrives when
    /// the port is free again, and finds the buffer empty because ports choose first.
    #[test]
    fn a_port_chooses_its_next_cell_before_the_fabric_moves_cells_at_that_instant() {
        let started = |fabric: &FabricSpec, third| {
            let first = vec![(20, Sent::Cells(1)), (third, Sent::Cells(1))];
            order_with(1, fabric, vec![first, vec![(20, Sent::Cells(1))]]).len()
        };
        let [immediate, slotted] = fabrics();
        assert_eq!(
            [&immediate, &slotted].map(|fabric| started(fabric, 30)),
            [3, 3]
        );
        assert_eq!(started(&immediate, 29), 2, "the buffer is full until then");
    }

    /// Start times of cells before and after the unit `then`: the first cell arrives at 11, and
    /// four cells are announced behind it in trains of three and one.
    fn left(fabric: &FabricSpec, then: (u64, Sent)) -> Vec<u64> {
        let announced = [
            (11, Sent::Cells(1)),
            (11, Sent::Behind(3)),
            (11, Sent::Behind(1)),
        ];
        let units = announced.into_iter().chain([then]).collect();
        let left = order_of(fabric, vec![units]);
        left.into_iter().map(|(at, _)| at).collect()
    }

    #[test]
    fn what_is_recalled_does_not_come() {
        let [immediate, slotted] = fabrics();
        for (at, come) in [(20, 1), (30, 2), (40, 3), (50, 4)] {
            let then = (at, Sent::Recall(5 - come));
            let come = come as usize;
            assert_eq!(left(&immediate, then), [11, 21, 31, 41][..come]);
            assert_eq!(left(&slotted, then), [20, 30, 40, 50][..come]);
        }
    }

    #[test]
    fn respaced_cells_arrive_at_their_new_times() {
        let [immediate, slotted] = fabrics();
        let (after, spacing) = (2, 25);
        let then = (29, Sent::Respace { after, spacing });
        assert_eq!(left(&immediate, then), [11, 21, 31, 56, 81]);
        assert_eq!(left(&slotted, then), [20, 30, 40, 60, 90]);
    }

    #[test]
    fn recalled_cells_leave_space_for_other_cells() {
        for fabric in fabrics() {
            let then = [(25, Sent::Recall(3)), (27, Sent::Cells(2))];
            let announced = [(11, Sent::Cells(1)), (11, Sent::Behind(4))];
            let units = announced.into_iter().chain(then).collect();
            let others = vec![(32, Sent::Cells(1))];
            let left = order_of(&fabric, vec![units, others]);
            let inputs: Vec<u32> = left.iter().map(|(_, input)| *input).collect();
            assert_eq!(inputs, [0, 0, 0, 1, 0]);
        }
    }

    #[test]
    #[should_panic(expected = "no more and no less than has not come")]
    fn an_immediate_fabric_recalls_all_or_no_cells() {
        left(&fabrics()[0], (25, Sent::Recall(2)));
    }

    #[test]
    #[should_panic(expected = "no more and no less than has not come")]
    fn a_slotted_fabric_recalls_all_or_no_cells() {
        left(&fabrics()[1], (25, Sent::Recall(2)));
    }

    #[test]
    #[should_panic(expected = "a cell is announced")]
    fn no_cell_is_recalled_if_none_was_announced() {
        order_of(
            &fabrics()[0],
            vec![vec![(11, Sent::Cells(1)), (25, Sent::Recall(0))]],
        );
    }
}
