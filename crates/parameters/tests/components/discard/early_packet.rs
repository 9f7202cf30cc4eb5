//! A member with parameters.

use parameters::Amount;

use super::{BufferContext, Discard};

parameters::parameters! {
    /// Refuses early.
    pub struct EarlyPacket {
        /// Queue length from which cells are dropped.
        pub threshold: Amount = "50 %",
        /// True if a full buffer drops every cell.
        pub hard: bool = true,
    }
}

impl EarlyPacket {
    /// The policy for a buffer.
    pub fn build(&self, context: &BufferContext) -> Box<dyn Discard> {
        Box::new(Early(match self.threshold {
            Amount::Share(share) => (share * context.capacity as f64) as u64,
            Amount::Cells(cells) => cells,
            Amount::Bytes(bytes) => bytes / 53,
        }))
    }
}

struct Early(u64);

impl Discard for Early {
    fn limit(&self) -> u64 {
        self.0
    }
}
