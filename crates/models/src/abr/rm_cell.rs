//! Resource management (RM) cells: what sources, switches and destinations tell each other about
//! rates.
//!
//! TM 4.0, section 5.10.3.1. Fields that ABR gives no meaning (RA, QL, SN) are absent.

/// The contents of an RM cell. Rates are in cells per second.
// They are bits of the cell.
#[allow(clippy::struct_excessive_bools)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RmCell {
    /// Cell loss priority: it was sent out of rate, beyond what the source is allowed.
    pub clp: bool,
    /// Direction (DIR): it travels back, from the destination to the source.
    pub backward: bool,
    /// Backward notification (BN): it was not made by the source.
    pub bn: bool,
    /// Congestion indication: the source shall slow down.
    pub ci: bool,
    /// No increase: the source shall not speed up.
    pub ni: bool,
    /// Explicit rate: the most that the source may send at.
    pub er: f64,
    /// Current cell rate: what the source was allowed when it sent the cell.
    pub ccr: f64,
    /// Minimum cell rate: what the source is always allowed.
    pub mcr: f64,
}
