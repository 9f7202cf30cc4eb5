//! Fabrics: how cells get from the inputs of a switch to its outputs, and who goes first.

#[cfg(test)]
pub(crate) mod script;

use kernel::{Duration, Stream, Time};

use crate::cell::Train;
use crate::loss::LossyEnd;
use crate::switch::port::OutputPort;
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

    /// Moves every cell that is due as far as the node may go.
    fn advance(&mut self, gate: &mut Gate<'_, '_>);

    /// Cells that have entered, or will as their train goes on, and have not reached an output.
    fn held(&self) -> u64;
}

/// The way from the fabric into the outputs.
pub struct Gate<'a, 'b> {
    /// Ports by output.
    pub ports: &'a mut [OutputPort],
    /// What the links beyond them lose, by output; shorter where nothing does.
    pub losses: &'a mut [Option<LossyEnd>],
    /// The ports share one memory.
    pub shared: bool,
    /// When a port next starts a cell by itself.
    pub service: Time,
    /// Links beyond them.
    pub out: &'a mut Outlet<'b>,
}

impl Gate<'_, '_> {
    /// The last instant at which the fabric may move cells: until a port acts, and what it sends may
    /// be answered.
    #[inline]
    pub fn through(&self) -> Time {
        self.out.through().min(self.service.just_before())
    }

    /// Offers the `index`-th cell of a train to its output.
    #[inline]
    pub fn pass(&mut self, now: Time, train: &Train, index: u32, route: Route) {
        let cell = train.cell(index, route.vc);
        let output = route.output as usize;
        if let Some(Some(end)) = self.losses.get_mut(output)
            && end.loses_cell(now, &cell)
        {
            if cell.eom {
                self.out.cargo.take(cell.frame);
            }
            return;
        }
        let elsewhere = if self.shared {
            self.elsewhere(now, output)
        } else {
            0
        };
        let port = &mut self.ports[output];
        port.offer(now, &cell, elsewhere, self.out);
        self.service = self.service.min(port.next_service());
    }

    /// Cells that wait at the other outputs.
    fn elsewhere(&mut self, now: Time, output: usize) -> u64 {
        let ports = self.ports.iter_mut().enumerate();
        let others = ports.filter(|(other, _)| *other != output);
        others.map(|(_, port)| port.waiting(now)).sum()
    }
}
