//! ABR: end systems that send at the rate that the network allows.
//!
//! The [`AbrSource`] of a connection sends RM cells among its data, the [`Destination`] at the other
//! end turns them around, and the source obeys the rates that switches have written into them.
//! Neither knows a host: the host asks them which cell leaves next and when, and hands them the RM
//! cells that arrive.
//!
//! ATM Forum, "Traffic Management Specification Version 4.0", af-tm-0056.000, 1996 (TM 4.0),
//! section 5.10. The rules of sources and destinations are numbered as in its sections 5.10.4 and
//! 5.10.5.

mod contract;
mod destination;
mod rm_cell;
mod source;

pub use contract::Contract;
pub use destination::Destination;
pub use rm_cell::RmCell;
pub use source::{AbrCell, AbrSource};
