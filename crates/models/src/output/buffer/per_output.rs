//! A buffer of its own for each output.

use parameters::{BufferLimit, parameters};

use super::{BufferKind, BufferPer};
use crate::wire::class::Class;

parameters! {
    /// Each output has a buffer of this size. A router counts it in octets, and a cell as those of a
    /// cell of its memory, or else of the network. The waiting packets may be counted in its place,
    /// such as `"100 packets"`; levels in per cent are then those of as many of the longest packets that
    /// pass.
    pub struct PerOutput(pub BufferLimit);
}

impl BufferKind for PerOutput {
    fn buffer_per(&self) -> BufferPer {
        BufferPer::Output
    }

    fn limit(&self, _each: u64) -> BufferLimit {
        self.0
    }

    fn limit_for(&self, _class: Class) -> Option<BufferLimit> {
        Some(self.0)
    }
}
