//! ABR: end systems that send at the rate that the network allows.
//!
//! The [`AbrSource`] of a connection sends RM cells among its data, the [`Destination`] at the
//! other end turns them around, and the source obeys the rates that switches have written into
//! them. A host requests the next cell and its time from them, and passes them the RM cells that
//! arrive.
//!
//! ATM Forum, "Traffic Management Specification Version 4.0", af-tm-0056.000, 1996 (TM 4.0),
//! section 5.10. The rules of sources and destinations are numbered as in its sections 5.10.4 and
//! 5.10.5.

mod destination;
mod rm_cell;
mod source;

use kernel::Duration;

pub use destination::Destination;
pub use rm_cell::RmCell;
pub use source::{AbrCell, AbrSource, RateCap};

/// Parameters of an ABR connection, negotiated at its set-up, by their names in TM 4.0, section
/// 5.10.2. Rates are in cells per second.
#[derive(Clone, Debug, PartialEq)]
pub struct Contract {
    /// Peak cell rate.
    pub pcr: f64,
    /// Minimum cell rate, at most the peak.
    pub mcr: f64,
    /// Initial cell rate, between the minimum and the peak.
    pub icr: f64,
    /// Tagged cell rate: largest rate of out-of-rate forward RM cells.
    pub tcr: f64,
    /// Number of cells from one forward RM cell to the next.
    pub nrm: u32,
    /// Smallest number of cells between forward RM cells, when `trm` has passed.
    pub mrm: u32,
    /// Time after which a slow source sends a forward RM cell.
    pub trm: Duration,
    /// Rate increase factor: largest increase per RM cell, as a share of the peak rate.
    pub rif: f64,
    /// Rate decrease factor: decrease per RM cell with CI, as a share of the allowed rate.
    pub rdf: f64,
    /// Number of unanswered forward RM cells from which the source lowers its rate.
    pub crm: u32,
    /// Cutoff decrease factor: decrease for missing answers, as a share of the allowed rate; zero
    /// for none.
    pub cdf: f64,
    /// ACR decrease time factor: silence after which the source starts again at the initial rate.
    pub adtf: Duration,
    /// True if rates in RM cells are rounded down to the 16-bit format.
    pub quantised: bool,
}
