//! AAL5: reassembly of PDUs from cells; other adaptations are reassembled alike.
//!
//! The trailer in the last cell holds length and CRC. Only the end of a PDU is marked, so a PDU
//! whose last cell is lost is joined to the next PDU, and the check then fails for both: ITU-T
//! Recommendation I.363.5.
//!
//! Our own rule: cells carry the number of their PDU in place of a CRC, because the number detects
//! every damaged PDU, as the CRC and the length detect nearly every one.

use kernel::Duration;

use super::cell::{Data, Train};
use super::vc::Vc;

/// The cells that have arrived on one VC since the last end of a PDU.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reassembly {
    cells: u32,
    pdu: u32,
    glued: bool,
    marked: bool,
    /// True if the last cell had EFCI set, and [`Reassembly::take_efci`] has not been called since.
    efci: bool,
}

/// The cells that have arrived on one VC between two ends of PDUs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gathered {
    /// Number of cells, the end included.
    pub cells: u32,
    /// True if all cells belong to one PDU.
    pub uniform: bool,
    /// True if any of the cells had EFCI set.
    pub marked: bool,
}

impl Gathered {
    /// The cells as one unit, whose last cell is `end`.
    #[inline]
    pub fn train(self, vc: Vc, end: &Data) -> Train {
        let data = Data {
            marked: self.marked,
            ..*end
        };
        Train {
            uniform: self.uniform,
            ..Train::data(vc, data, self.cells, Duration::ZERO)
        }
    }
}

impl Reassembly {
    /// Takes `cells` cells, at least one, that carry parts of a PDU; at the end of the PDU, returns
    /// all cells since the end of the PDU before.
    ///
    /// The length and the CRC of the trailer are correct if and only if every cell of exactly one
    /// PDU has arrived: the cells are `uniform`, and as many as the PDU was cut into.
    #[inline]
    pub fn take(&mut self, cells: u32, data: &Data) -> Option<Gathered> {
        if self.cells == 0 {
            self.pdu = data.pdu;
        }
        self.glued |= data.pdu != self.pdu;
        self.marked |= data.marked;
        self.efci = data.marked;
        self.cells += cells;
        if !data.eom {
            return None;
        }
        let gathered = Gathered {
            cells: self.cells,
            uniform: !self.glued,
            marked: self.marked,
        };
        self.discard();
        Some(gathered)
    }

    /// Forgets the cells that wait for the end of their PDU.
    #[inline]
    pub fn discard(&mut self) {
        *self = Reassembly {
            efci: self.efci,
            ..Reassembly::default()
        };
    }

    /// Returns the EFCI bit of the last cell received on this VC, and clears it.
    pub fn take_efci(&mut self) -> bool {
        std::mem::take(&mut self.efci)
    }

    /// Cells that wait for the end of their PDU.
    pub fn pending(&self) -> u32 {
        self.cells
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::contents::ContentsId;

    /// Sends PDUs of the given numbers of cells, without the cells listed as (pdu, cell), and
    /// returns the PDUs that arrive undamaged.
    fn arrive(sizes: &[u32], lost: &[(u32, u32)]) -> Vec<u32> {
        let mut reassembly = Reassembly::default();
        let mut intact = Vec::new();
        for (pdu, size) in (0u32..).zip(sizes) {
            for index in 0..*size {
                let eom = index + 1 == *size;
                if lost.contains(&(pdu, index)) {
                    continue;
                }
                let data = Data::new(pdu, ContentsId(pdu), eom);
                if let Some(gathered) = reassembly.take(1, &data)
                    && gathered.uniform
                    && gathered.cells == *size
                {
                    intact.push(pdu);
                }
            }
        }
        intact
    }

    #[test]
    fn the_loss_of_a_middle_cell_damages_one_pdu() {
        assert_eq!(arrive(&[3, 3, 3], &[(1, 1)]), [0, 2]);
    }

    #[test]
    fn a_lost_end_kills_two_pdus() {
        assert_eq!(arrive(&[3, 3, 3], &[(0, 2)]), [2]);
    }

    #[test]
    fn two_pdus_glued_to_the_right_length_are_still_damaged() {
        // The last cell of the first PDU and one cell of the second are lost. Three cells remain,
        // as many as the second PDU has, but the CRC covers the wrong ones.
        assert_eq!(arrive(&[2, 3, 3], &[(0, 1), (1, 0)]), [2]);
    }

    #[test]
    fn a_mark_on_any_cell_marks_the_pdu_and_no_other() {
        let mut reassembly = Reassembly::default();
        let cells = [(1, false, true), (1, true, false), (2, true, false)];
        let marked = cells.map(|(pdu, eom, marked)| {
            let data = Data::new(pdu, ContentsId(pdu), eom);
            let gathered = reassembly.take(1, &Data { marked, ..data });
            gathered.map(|gathered| gathered.marked)
        });
        assert_eq!(marked, [None, Some(true), Some(false)]);
    }

    #[test]
    fn the_last_cell_is_remembered_to_have_been_marked_until_that_is_asked() {
        let mut reassembly = Reassembly::default();
        let mut take = |eom, marked| {
            let data = Data::new(1, ContentsId(1), eom);
            reassembly.take(1, &Data { marked, ..data });
            [(); 2].map(|()| reassembly.take_efci())
        };
        assert_eq!(take(false, true), [true, false]);
        assert_eq!(take(true, true), [true, false]);
        assert_eq!(take(true, false), [false, false]);
    }

    #[test]
    fn a_pdu_without_any_arrival_damages_no_other() {
        assert_eq!(arrive(&[2, 2, 2], &[(1, 0), (1, 1)]), [0, 2]);
    }
}
