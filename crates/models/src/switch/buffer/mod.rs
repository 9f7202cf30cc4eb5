//! How the memory of a switch is shared among its outputs.

parameters::registry! {
    /// How buffer memory is shared among the outputs.
    pub enum BufferSpec {
        per_output => PerOutput,
    }
}

impl BufferSpec {
    /// Cells that one output may hold.
    pub fn cells(&self) -> u64 {
        match self {
            BufferSpec::PerOutput(size) => size.cells(),
        }
    }

    /// Octets that one output may hold.
    pub fn octets(&self) -> u64 {
        match self {
            BufferSpec::PerOutput(size) => size.octets(),
        }
    }
}
