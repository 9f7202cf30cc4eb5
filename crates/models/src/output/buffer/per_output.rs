//! A buffer of its own for each output.

use parameters::{BufferSize, parameters};

parameters! {
    /// Each output has a buffer of this size; a router counts it in octets, 53 for a cell.
    pub struct PerOutput(pub BufferSize);
}
