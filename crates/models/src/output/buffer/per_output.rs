//! A buffer of its own for each output.

use parameters::{BufferSize, parameters};

use super::{BufferKind, BufferPer};
use crate::wire::class::Class;

parameters! {
    /// Each output has a buffer of this size. A router counts it in octets, and a cell as those of a
    /// cell of its memory, or else of the network.
    pub struct PerOutput(pub BufferSize);
}

impl BufferKind for PerOutput {
    fn buffer_per(&self) -> BufferPer {
        BufferPer::Output
    }

    fn size(&self, _each: u64) -> BufferSize {
        self.0
    }

    fn size_for(&self, _class: Class) -> Option<BufferSize> {
        Some(self.0)
    }
}
