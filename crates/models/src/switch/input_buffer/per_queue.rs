//! A buffer for each queue of an input, so that cells for one output take no space from others.

use parameters::{BufferSize, parameters};

use super::InputBufferKind;

parameters! {
    /// Each queue of an input has a buffer of this size. An input of the fabric `slotted` has one
    /// queue.
    pub struct PerQueue(pub BufferSize);
}

impl InputBufferKind for PerQueue {
    fn size(&self) -> BufferSize {
        self.0
    }

    fn is_per_queue(&self) -> bool {
        true
    }
}
