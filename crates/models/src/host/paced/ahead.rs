//! What is committed behind a run: the next RM cell, and the data cells behind that.
//!
//! When an RM cell has come back, the next one mostly leaves before another comes. So it is put on the
//! link at once, with the instant at which it will start, and the host need not act then. If something
//! arrives before that instant that changes what is sent, it is taken back from the link, as nobody has
//! heard of it.

use kernel::Time;

/// An RM cell that has not started, and the data cells behind it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ahead {
    /// When the RM cell starts.
    pub at: Time,
    /// How many data cells follow it, one at least.
    pub data: u32,
    /// How many units they are on the link.
    pub units: u32,
    /// When the cell before them starts, or did.
    pub last: Time,
}
