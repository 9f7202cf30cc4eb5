//! The state of a priority of a link that may be paused, for those who watch.

/// The memory that a priority of an input takes at an instant, with the levels of that instant, in
/// octets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PauseReading {
    /// Octets that it holds, headroom included.
    pub held: u64,
    /// The far end of the link is paused above this.
    pub xoff: u64,
    /// The far end is resumed at or below this.
    pub xon: u64,
    /// Octets of headroom that it takes.
    pub beyond: u64,
    /// Most octets of headroom that it may take.
    pub headroom: u64,
    /// True if it holds so much that the far end is to be paused.
    pub is_paused: bool,
}
