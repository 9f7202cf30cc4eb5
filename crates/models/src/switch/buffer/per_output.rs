//! A buffer of its own for each output.

use parameters::{BufferSize, parameters};

use crate::cell::CELL_OCTETS;

parameters! {
    /// Each output has a buffer of this size to itself; a router counts it in octets, 53 to a cell.
    pub struct PerOutput(pub BufferSize);
}

impl PerOutput {
    /// The size in whole cells.
    pub fn cells(&self) -> u64 {
        match self.0 {
            BufferSize::Cells(cells) => cells,
            BufferSize::Bytes(octets) => octets / CELL_OCTETS,
        }
    }

    /// The size in octets.
    pub fn octets(&self) -> u64 {
        match self.0 {
            BufferSize::Cells(cells) => cells * CELL_OCTETS,
            BufferSize::Bytes(octets) => octets,
        }
    }
}
