//! ABR: end systems that send at the rate that the network allows.
//!
//! The [`Source`] of a connection sends RM cells among its data, the [`Destination`] at the other end
//! turns them around, and what the switches have written into them is what the source obeys. Neither
//! knows a host: they are asked what leaves next and when, and told what comes back.
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
pub use source::{Departure, Source};
