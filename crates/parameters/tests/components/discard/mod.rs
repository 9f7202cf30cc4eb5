//! A family of two.

parameters::registry! {
    /// Discard policy of an output buffer.
    pub enum DiscardSpec builds Box<dyn Discard>, for BufferContext {
        tail_drop => TailDrop,
        early_packet => EarlyPacket,
    } default tail_drop
}

/// What members are built from.
pub struct BufferContext {
    /// Room in cells.
    pub capacity: u64,
}

/// What members are.
pub trait Discard {
    /// Queue length from which cells are refused.
    fn limit(&self) -> u64;
}
