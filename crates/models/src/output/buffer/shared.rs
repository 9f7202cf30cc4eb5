//! One memory for all outputs: an output may use all space that the others leave.
//!
//! Kung and Morris measured such a switch, and stated the size of its memory as the payload that
//! the memory holds: "Detailed Behavior of TCP over ATM", 1995, sections "Experimental Setup" and
//! "One TCP With a Bottleneck".

use parameters::{BufferLimit, BufferSize, choices, parameters};

use super::{BufferKind, BufferPer};
use crate::wire::class::Class;
use crate::wire::format::CellFormat;

parameters! {
    /// All outputs share one memory, and the discard policy sees the occupancy of the whole memory.
    pub struct Shared {
        /// Capacity of the shared memory.
        pub size: BufferSize,
        /// Octets that a cell takes if the capacity is given in bytes.
        pub counted: Counted = "cells",
    }
}

choices! {
    /// Octets that a cell of the network takes in a memory whose size is given in bytes.
    pub enum Counted {
        /// The whole cell: 53 octets in ATM.
        cells => Cells,
        /// The payload of the cell: 48 octets in ATM.
        payload => Payload,
    }
}

impl Counted {
    /// Octets that a cell of this format takes.
    pub fn octets(self, cells: CellFormat) -> u64 {
        match self {
            Counted::Cells => cells.octets(),
            Counted::Payload => cells.payload(),
        }
    }
}

impl BufferKind for Shared {
    fn buffer_per(&self) -> BufferPer {
        BufferPer::Node
    }

    fn limit(&self, _each: u64) -> BufferLimit {
        BufferLimit::Size(self.size)
    }

    fn limit_for(&self, _class: Class) -> Option<BufferLimit> {
        Some(BufferLimit::Size(self.size))
    }

    fn size_parameter(&self) -> Option<&'static str> {
        Some("size")
    }

    fn counting(&self) -> Option<&'static str> {
        (self.counted != Counted::Cells).then_some("counted")
    }

    fn octets_per_cell(&self, cells: CellFormat) -> u64 {
        self.counted.octets(cells)
    }
}
