//! A buffer for each input, which the queues of the input share.

use parameters::{BufferSize, parameters};

use super::InputBufferKind;

parameters! {
    /// Each input has a buffer of this size, which its queues share.
    pub struct PerInput(pub BufferSize);
}

impl InputBufferKind for PerInput {
    fn size(&self) -> BufferSize {
        self.0
    }

    fn is_per_queue(&self) -> bool {
        false
    }
}
