//! A naive switch, which keeps its waiting cells in a list and searches the list for a cell to push
//! out.

use std::collections::BTreeSet;

use super::network::{CELL, Case, Left};

/// The departures and the drops of a case.
#[derive(Debug, Default)]
pub struct Fates {
    pub left: Vec<Left>,
    /// Dropped cells of each VC.
    pub lost: Vec<u64>,
    /// PDUs whose last cell has arrived, by VC and number.
    pub ended: BTreeSet<(u32, u32)>,
    /// PDUs of which a cell was dropped, complete or not, by VC and number.
    pub harmed: BTreeSet<(u32, u32)>,
    free_at: u64,
    waiting: Vec<Left>,
}

/// Handles all arrivals in order, each after all earlier departures.
pub fn fates(case: &Case) -> Fates {
    let mut arrivals = Vec::new();
    for source in 0..case.sources.len() {
        for (first, pdu, part) in case.arrivals(source) {
            for cell in 0..part.cells {
                let at = first + u64::from(cell) * CELL;
                let ends = part.eom && cell + 1 == part.cells;
                // Of simultaneous cells, those that continue a train arrive first.
                arrivals.push((at, cell == 0, source as u32, pdu, part.clp, ends));
            }
        }
    }
    arrivals.sort_unstable();
    let mut fates = Fates {
        lost: vec![0; case.sources.len()],
        ..Fates::default()
    };
    for (at, _, vc, pdu, clp, ends) in arrivals {
        fates.serve(at, case.cell_time);
        if ends {
            fates.ended.insert((vc, pdu));
        }
        fates.offer(Left { at, vc, pdu, clp }, case);
    }
    fates.serve(u64::MAX, case.cell_time);
    fates
}

impl Fates {
    /// Sends the cells that start until `now`.
    fn serve(&mut self, now: u64, cell_time: u64) {
        while !self.waiting.is_empty() && self.free_at <= now {
            let cell = self.waiting.remove(0);
            self.start(self.free_at, cell, cell_time);
        }
    }

    fn start(&mut self, start: u64, cell: Left, cell_time: u64) {
        self.free_at = start + cell_time;
        let at = self.free_at;
        self.left.push(Left { at, ..cell });
    }

    fn offer(&mut self, cell: Left, case: &Case) {
        if self.free_at <= cell.at {
            return self.start(cell.at, cell, case.cell_time);
        }
        if (self.waiting.len() as u64) < case.capacity {
            return self.waiting.push(cell);
        }
        let last = self.waiting.iter().rposition(|other| other.clp);
        match last.filter(|_| !cell.clp) {
            Some(place) => {
                let victim = self.waiting.remove(place);
                self.lose(victim);
                self.waiting.push(cell);
            }
            None => self.lose(cell),
        }
    }

    fn lose(&mut self, cell: Left) {
        self.lost[cell.vc as usize] += 1;
        self.harmed.insert((cell.vc, cell.pdu));
    }
}
