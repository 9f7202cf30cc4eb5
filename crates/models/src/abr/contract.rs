//! Parameters of an ABR connection, as negotiated at its set-up.

use kernel::Duration;

/// Parameters of a source, by their names in TM 4.0 (section 5.10.2). Rates are in cells per second.
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
