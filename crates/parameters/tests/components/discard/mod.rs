//! A family of two members.

parameters::registry! {
    /// Discard policy of an output buffer.
    pub enum DiscardSpec builds Box<dyn Discard>, for BufferContext {
        tail_drop => TailDrop,
        early_packet => EarlyPacket,
    } default tail_drop
}

/// Context from which members are built.
pub struct BufferContext {
    /// Capacity in cells.
    pub capacity: u64,
}

/// Behaviour of the members.
pub trait Discard {
    /// Queue length from which cells are dropped.
    fn limit(&self) -> u64;
}
