//! A buffer of its own for each output.

use parameters::{BufferLimit, BufferSize, parameters};

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

    fn size(&self, _each: u64) -> BufferSize {
        match self.0 {
            BufferLimit::Size(size) => size,
            BufferLimit::Packets(packets) => BufferSize::Bytes(packets * u64::from(u16::MAX)),
        }
    }

    fn size_for(&self, _class: Class) -> Option<BufferSize> {
        Some(self.size(1))
    }

    fn most_packets(&self) -> Option<u64> {
        match self.0 {
            BufferLimit::Size(_) => None,
            BufferLimit::Packets(packets) => Some(packets),
        }
    }
}
