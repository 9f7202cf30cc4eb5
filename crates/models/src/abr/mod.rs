//! ABR: end systems that send at the rate that the network allows.
//!
//! ATM Forum, "Traffic Management Specification Version 4.0", af-tm-0056.000, 1996 (TM 4.0),
//! section 5.10.

mod rm_cell;

pub use rm_cell::RmCell;
