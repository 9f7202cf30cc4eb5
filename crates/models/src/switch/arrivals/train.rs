//! The rest of a train at the input of a switch. Jain and Routhier, "Packet Trains: Measurements and
//! a New Model for Computer Network Traffic", IEEE JSAC 4(6), 1986, give the name.

use kernel::{Duration, Time};

use super::NextCell;
use crate::wire::cell::{Cell, Train};
use crate::wire::vc::Route;

/// The rest of a train: at least one cell.
#[derive(Clone, Copy)]
pub struct ArrivingTrain {
    /// Arrival of the next cell.
    pub arrival: Time,
    /// Time from the arrival of one cell to that of the next.
    pub spacing: Duration,
    /// The cells before the last, which are all equal, with the VC that they have on the output.
    /// Made once for a train and copied for each cell, since making a cell takes longer than
    /// copying it.
    pub cell: Cell,
    /// The last cell.
    pub(super) last: Cell,
    /// Number of cells.
    pub(super) cells: u32,
    /// Output of the cells.
    pub output: u32,
}

impl ArrivingTrain {
    #[inline]
    pub(super) fn new(arrival: Time, train: &Train, route: Route) -> ArrivingTrain {
        ArrivingTrain {
            arrival,
            spacing: train.spacing,
            cell: train.cell(0, route.vc),
            last: train.cell(train.cells - 1, route.vc),
            cells: train.cells,
            output: route.output,
        }
    }

    #[inline]
    pub(super) fn next(&self) -> NextCell {
        NextCell {
            arrival: self.arrival,
            output: self.output,
        }
    }

    /// Arrival of the last cell.
    #[inline]
    pub fn last_arrival(&self) -> Time {
        self.arrival + self.spacing * u64::from(self.cells - 1)
    }

    /// Number of cells that have arrived by `now`.
    pub(super) fn arrived(&self, now: Time) -> u32 {
        if self.arrival > now {
            return 0;
        }
        let later = now.since(self.arrival).ps() / self.spacing.ps().max(1);
        u32::try_from(later + 1).map_or(self.cells, |cells| cells.min(self.cells))
    }
}
