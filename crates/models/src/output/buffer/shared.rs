//! One memory for all outputs: any of them may take what the others leave.
//!
//! Kung and Morris measured such a switch, and stated the size of its memory in the payload that it
//! holds: "Detailed Behavior of TCP over ATM", 1995.

use parameters::{BufferSize, choices, parameters};

use crate::cell::{CELL_OCTETS, PAYLOAD_OCTETS};

parameters! {
    /// All outputs share one memory, and the discard policy sees the occupancy of the whole memory.
    pub struct Shared {
        /// Capacity of the shared memory.
        pub size: BufferSize,
        /// Octets that a cell takes where sizes are given in bytes.
        pub counted: Counted = "cells",
    }
}

choices! {
    /// Octets that a cell takes in a memory whose size is given in bytes.
    pub enum Counted {
        /// The whole cell: 53 octets.
        cells => Cells,
        /// The payload of the cell: 48 octets.
        payload => Payload,
    }
}

impl Counted {
    /// Octets that a cell counts for.
    pub fn octets(self) -> u64 {
        match self {
            Counted::Cells => CELL_OCTETS,
            Counted::Payload => PAYLOAD_OCTETS,
        }
    }
}
