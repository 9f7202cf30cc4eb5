//! What was agreed when a connection was set up.

use kernel::Duration;

/// Parameters of a source, by their names in TM 4.0 (section 5.10.2). Rates are in cells per second.
#[derive(Clone, Debug, PartialEq)]
pub struct Contract {
    /// Peak cell rate.
    pub pcr: f64,
    /// Minimum cell rate, at most the peak.
    pub mcr: f64,
    /// Initial cell rate, between the two.
    pub icr: f64,
    /// The most out-of-rate forward RM cells that are sent.
    pub tcr: f64,
    /// One in so many cells is a forward RM cell.
    pub nrm: u32,
    /// So many cells make a forward RM cell due when `trm` has passed.
    pub mrm: u32,
    /// Time after which a source that sends little sends a forward RM cell.
    pub trm: Duration,
    /// Rate increase factor: of the peak rate.
    pub rif: f64,
    /// Rate decrease factor: of the allowed rate.
    pub rdf: f64,
    /// Forward RM cells without an answer from which on the source slows down.
    pub crm: u32,
    /// Cutoff decrease factor: by how much; zero if it does not.
    pub cdf: f64,
    /// ACR decrease time factor: silence after which the source begins again at the initial rate.
    pub adtf: Duration,
    /// Rates in RM cells are rounded down to those that its 16 bits can tell.
    pub quantised: bool,
}
