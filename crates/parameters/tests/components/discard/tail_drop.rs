//! A member without parameters.

use super::{BufferContext, Discard};

parameters::parameters! {
    /// Refuses late.
    pub struct TailDrop {}
}

impl TailDrop {
    /// The policy for a buffer.
    #[allow(clippy::unused_self)] // Members are built alike, with parameters or without.
    pub fn build(&self, context: &BufferContext) -> Box<dyn Discard> {
        Box::new(Full(context.capacity))
    }
}

struct Full(u64);

impl Discard for Full {
    fn limit(&self) -> u64 {
        self.0
    }
}
