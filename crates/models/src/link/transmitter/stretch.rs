//! The cells of a stretch at the transmitter: many cells of one PDU in one step. Our own technique:
//! `docs/decisions/0016-stretches.md`.
//!
//! This file may be written for speed.

use kernel::{Duration, Time};

use super::Transmitter;
use crate::wire::aal5::Reassembly;
use crate::wire::cell::{Cell, Payload, Train, TrainOrder};
use crate::wire::contents::Cargo;
use crate::wire::unit::{Outlet, Unit};

/// Number of trains in a row that joined no other, after which the next trains, up to the 256th,
/// are sent without an attempt: where the cells of many VCs take turns, no train joins another.
const MOST_MISSES: u8 = 16;

impl Transmitter {
    /// Commits a train whose first cell has been sent at `end`. The train joins a train of the same
    /// PDU that is still on the link; if there is none, it is a unit of its own.
    #[inline]
    pub(super) fn send_or_join(&mut self, end: Time, train: Train, out: &mut Outlet<'_>) {
        self.misses = self.misses.wrapping_add(1);
        if self.misses > MOST_MISSES {
            return out.send(self.output as usize, end, Unit::Cells(train));
        }
        self.try_to_join(end, train, out);
    }

    #[inline(never)]
    fn try_to_join(&mut self, end: Time, train: Train, out: &mut Outlet<'_>) {
        let output = self.output as usize;
        let joined =
            out.send_or_join(
                output,
                end,
                Unit::Cells(train),
                |before, at, arrival| match before {
                    Unit::Cells(before) => before.join(at, &train, arrival),
                    _ => false,
                },
            );
        if joined {
            self.misses = 0;
        }
    }

    /// Sends `cells` copies of `cell`, which neither begin nor end a PDU: the first has been sent
    /// at `end`, and each other a `spacing` after the one before.
    pub fn send_cells(
        &mut self,
        cell: &Cell,
        cells: u32,
        end: Time,
        spacing: Duration,
        out: &mut Outlet<'_>,
    ) {
        let train = Train {
            cells,
            spacing,
            order: if cells > 1 {
                TrainOrder::Interleaved
            } else {
                TrainOrder::Contiguous
            },
            ..Train::from(*cell)
        };
        self.send_or_join(end, train, out);
    }

    /// Sends `cells` copies of `cell`, which do not end a PDU, on a link that gathers cells.
    ///
    /// # Panics
    /// If the link does not gather cells.
    #[inline]
    pub fn gather_cells(&mut self, cell: &Cell, cells: u32) {
        let vcs = self.gathered.as_mut().expect("the link gathers cells");
        if let Payload::Data(data) = &cell.payload {
            let whole = vcs[cell.vc.index()].take(cells, data);
            debug_assert!(whole.is_none(), "the cells do not end a PDU");
        }
    }
}

/// Adds a cell to the gathered cells of its VC; returns all of them if the cell ends the PDU. RM
/// cells, credits and check cells are returned at once, since they are not part of a PDU.
#[inline]
pub(super) fn gather(gathered: &mut Reassembly, cell: &Cell, cargo: &Cargo) -> Option<Train> {
    if let Payload::Data(data) = &cell.payload {
        let whole = gathered.take(1, data);
        return whole.map(|whole| whole.train(cell.vc, data));
    }
    let mut train = Train::from(*cell);
    if let Payload::Rm { id, .. } = cell.payload {
        train.efci = !cargo.rm(id).backward && gathered.take_efci();
    }
    Some(train)
}
