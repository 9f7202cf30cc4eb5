//! The crossing of a switch: through it a fabric moves cells from inputs to outputs.

use kernel::Time;

use super::arrivals::{ArrivingCells, NextCell};
use super::outputs::Outputs;
use crate::metrics::Cause;
use crate::wire::cell::Cell;
use crate::wire::unit::Outlet;

/// The inputs and outputs between which a fabric moves cells.
pub struct Crossing<'a, 'b> {
    /// Cells that have not reached an output.
    pub(crate) arrivals: &'a mut ArrivingCells,
    /// The outputs.
    pub(crate) outputs: &'a mut Outputs,
    /// Links beyond the outputs.
    pub(crate) out: &'a mut Outlet<'b>,
}

impl Crossing<'_, '_> {
    /// True if the fabric must not move a cell at `now` yet, because `now` is beyond the horizon or
    /// a port sends first.
    #[inline]
    pub fn is_closed(&self, now: Time) -> bool {
        now > self.out.horizon() || self.outputs.act_before(now)
    }

    /// Moves the next cell of the train with this train index to its output at `now`. Returns the
    /// cell behind it, if one is announced; the fabric expects that cell next.
    #[allow(clippy::inline_always)]
    #[inline(always)]
    pub fn pass(&mut self, now: Time, index: usize) -> Option<NextCell> {
        let (taken, cell, next) = self.arrivals.take(index);
        let NextCell {
            arrival, output, ..
        } = taken;
        self.outputs
            .offer(now, arrival, output as usize, cell, self.out);
        next
    }

    /// Takes the next cell of an input, which the fabric keeps until it calls [`Crossing::offer`].
    /// Returns the cell and the cell behind it, if one is announced.
    pub(crate) fn take(&mut self, input: usize) -> (Cell, Option<NextCell>) {
        let (_, cell, next) = self.arrivals.take(input);
        (cell, next)
    }

    /// Moves a cell that was taken, and came at `arrival`, to its output at `now`.
    pub(crate) fn offer(&mut self, now: Time, arrival: Time, output: usize, cell: Cell) {
        self.outputs.offer(now, arrival, output, cell, self.out);
    }

    /// Cells that wait at an output at `now`, for the fabric that moves cells to it then.
    pub(crate) fn waiting(&mut self, now: Time, output: usize) -> u64 {
        self.outputs.waiting(now, output)
    }

    /// Drops a cell that was taken, at `now` and before it reaches its output.
    pub(crate) fn refuse(&mut self, now: Time, output: usize, cell: &Cell, cause: Cause) {
        self.outputs.refuse(now, output, cell, cause, self.out);
    }

    /// Drops a cell that was taken, at `now` and in the place of its [`Crossing::offer`].
    pub(crate) fn drop_taken(&mut self, now: Time, output: usize, cell: &Cell, cause: Cause) {
        self.refuse(now, output, cell, cause);
        if let Some(data) = cell.part() {
            let meter = &mut self.outputs.ports[output].meter;
            meter.damage_in_place(cell.vc.index(), data.eom, cause);
        }
    }
}
