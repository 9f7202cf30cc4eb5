//! A buffer of its own for each virtual channel of each output, so that a channel which overflows
//! harms no other.

use parameters::{BufferSize, parameters};

parameters! {
    /// Each virtual channel of each output has a buffer of this size; a router counts it in octets,
    /// 53 for a cell.
    pub struct PerVc(pub BufferSize);
}
