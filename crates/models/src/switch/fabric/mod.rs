//! Fabrics: how cells get from the inputs of a switch to its outputs, and who goes first.

#[cfg(test)]
pub(crate) mod script;

use kernel::{Duration, Stream, Time};

use crate::cell::Train;
use crate::switch::outputs::Outputs;
use crate::unit::Outlet;
use crate::vc::Route;

parameters::registry! {
    /// How cells cross a switch.
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
        now > self.out.through() || now >= self.outputs.next_service()
    }

    /// Offers the `index`-th cell of a train, which came at `arrival`, to its output.
    #[inline]
    pub fn pass(&mut self, now: Time, arrival: Time, train: &Train, index: u32, route: Route) {
        let cell = train.cell(index, route.vc);
        self.outputs
            .offer(now, arrival, route.output as usize, cell, self.out);
    }
}
