//! A buffer of its own for each virtual channel of each output, so that a VC whose buffer
//! overflows takes no space from others.

use parameters::{BufferLimit, BufferSize, parameters};

use super::{BufferKind, BufferPer};
use crate::wire::class::Class;

parameters! {
    /// Each virtual channel of each output has a buffer of this size. A router counts it in octets,
    /// and a cell as those of a cell of its memory, or else of the network.
    pub struct PerVc(pub BufferSize);
}

impl BufferKind for PerVc {
    fn buffer_per(&self) -> BufferPer {
        BufferPer::Vc
    }

    fn limit(&self, _each: u64) -> BufferLimit {
        BufferLimit::Size(self.0)
    }

    fn limit_for(&self, _class: Class) -> Option<BufferLimit> {
        Some(BufferLimit::Size(self.0))
    }
}
