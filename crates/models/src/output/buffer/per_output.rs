//! A buffer of its own for each output.

use parameters::{BufferSize, parameters};

parameters! {
    /// Each output has a buffer of this size to itself; a router counts it in octets, 53 to a cell.
    pub struct PerOutput(pub BufferSize);
}
