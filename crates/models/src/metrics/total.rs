//! Counts for the conservation laws.

/// A count since the start of a run, warm-up included, for the conservation laws.
#[derive(Clone, Copy, Debug, Default)]
pub struct Total {
    /// Cells, or octets.
    pub units: u64,
    /// Packets, each with its last cell.
    pub packets: u64,
}
