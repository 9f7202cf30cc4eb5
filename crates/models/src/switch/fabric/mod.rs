//! Fabrics: how cells get from the inputs of a switch to its outputs, and who goes first.

#[cfg(test)]
pub(crate) mod script;

use kernel::{Duration, Stream, Time};

use crate::cell::Train;
use crate::switch::outputs::Outputs;
use crate::switch::ties::Chance;
use crate::unit::Outlet;
use crate::vc::Route;

parameters::registry! {
    /// Fabric that moves cells from the inputs of a switch to its outputs.
    pub enum FabricSpec builds Box<dyn Fabric>, for Inputs {
        immediate => Immediate,
        slotted => Slotted,
    } default immediate
}

/// The inputs of a switch, as known before the run.
#[derive(Clone, Debug)]
pub struct Inputs {
    /// Number of inputs.
    pub inputs: usize,
    /// Number of outputs.
    pub outputs: usize,
    /// Cell time of the fastest link of the switch.
    pub cell_time: Duration,
    /// Stream for choices left to chance.
    pub random: Stream,
    /// What decides in what order inputs are served at one instant, if chance does and the fabric leaves
    /// it open.
    pub chance: Option<Chance>,
}

/// The trains that have entered a switch and the cells of them that have not yet reached an output.
pub trait Fabric {
    /// When it next moves a cell by itself.
    fn next_wake(&self) -> Time;

    /// Takes a train whose first cell arrives at `now`.
    fn enter(
        &mut self,
        now: Time,
        input: usize,
        train: Train,
        route: Route,
        gate: &mut Gate<'_, '_>,
    );

    /// Forgets what was to come at `input` after `now`, which is so many cells.
    fn recall(&mut self, now: Time, input: usize, cells: u32);

    /// What was to come at `input` after `now` comes from `first` on, which is no sooner, `spacing`
    /// apart.
    fn respace(&mut self, now: Time, input: usize, first: Time, spacing: Duration);

    /// Moves every cell that is due, until the gate is closed.
    fn advance(&mut self, gate: &mut Gate<'_, '_>);

    /// Cells that have entered, or will as their train goes on, and have not reached an output.
    fn held(&self) -> u64;
}

/// The way from the fabric into the outputs.
pub struct Gate<'a, 'b> {
    /// The outputs.
    pub outputs: &'a mut Outputs,
    /// Links beyond them.
    pub out: &'a mut Outlet<'b>,
}

impl Gate<'_, '_> {
    /// Whether the fabric must not act at `now` yet: a port acts before, or what was sent may be
    /// answered before.
    #[inline]
    pub fn is_closed(&self, now: Time) -> bool {
        now > self.out.through() || self.outputs.act_before(now)
    }

    /// Offers the `index`-th cell of a train, which came at `arrival`, to its output.
    #[inline]
    pub fn pass(&mut self, now: Time, arrival: Time, train: &Train, index: u32, route: Route) {
        let cell = train.cell(index, route.vc);
        self.outputs
            .offer(now, arrival, route.output as usize, cell, self.out);
    }
}

#[cfg(test)]
mod tests {
    use super::script::{Sent, order_of};
    use super::*;
    use slotted::{Order, Slotted};

    fn fabrics() -> [FabricSpec; 2] {
        let slotted = Slotted {
            speedup: None,
            order: Order::Input,
            clock: None,
        };
        let immediate = immediate::Immediate {};
        [
            FabricSpec::Immediate(immediate),
            FabricSpec::Slotted(slotted),
        ]
    }

    /// When cells begin to leave of which the first arrives at 11, four are announced behind it in
    /// trains of three and one, and then something else arrives.
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
    fn what_is_spaced_anew_comes_when_it_is_said_to() {
        let [immediate, slotted] = fabrics();
        let (after, spacing) = (2, 25);
        let then = (29, Sent::Respace { after, spacing });
        assert_eq!(left(&immediate, then), [11, 21, 31, 56, 81]);
        assert_eq!(left(&slotted, then), [20, 30, 40, 60, 90]);
    }

    #[test]
    fn what_is_recalled_makes_room_for_others() {
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
    fn an_immediate_fabric_takes_back_all_or_nothing() {
        left(&fabrics()[0], (25, Sent::Recall(2)));
    }

    #[test]
    #[should_panic(expected = "no more and no less than has not come")]
    fn a_slotted_fabric_takes_back_all_or_nothing() {
        left(&fabrics()[1], (25, Sent::Recall(2)));
    }

    #[test]
    #[should_panic(expected = "a cell is to come")]
    fn nothing_is_recalled_where_nothing_was_announced() {
        order_of(
            &fabrics()[0],
            vec![vec![(11, Sent::Cells(1)), (25, Sent::Recall(0))]],
        );
    }
}
