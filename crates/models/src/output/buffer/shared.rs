//! One memory for all outputs: any of them may take what the others leave.
//!
//! Kung and Morris measured such a switch, and stated the size of its memory in the payload that it
//! holds: "Detailed Behavior of TCP over ATM", 1995.

use parameters::{BufferSize, choices, parameters};

use crate::cell::{CELL_OCTETS, PAYLOAD_OCTETS};

parameters! {
    /// All outputs share one memory, and a discard policy sees how full that is.
    pub struct Shared {
        /// What fits into it.
        pub size: BufferSize,
        /// Octets that a cell counts for, where sizes are given in bytes.
        pub counted: Counted = "cells",
    }
}

choices! {
    /// What a cell counts for in a memory whose size is given in bytes.
    pub enum Counted {
        /// All of the cell: 53 octets.
        cells => Cells,
        /// Its payload: 48 octets.
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
