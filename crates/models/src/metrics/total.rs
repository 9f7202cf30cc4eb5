//! Counts for the conservation laws. Our own check, which finds at the end of each run a unit that
//! was counted twice or not at all.

/// A count since the start of a run, warm-up included, for the conservation laws.
#[derive(Clone, Copy, Debug, Default)]
pub struct Total {
    /// Cells, or octets.
    pub units: u64,
    /// Packets; a packet counts with its last cell.
    pub packets: u64,
}
