//! The end of a flow to which packets on a virtual channel go.

/// The end of a flow to which a virtual channel leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The sending end with this index.
    Sender(u32),
    /// The receiving end with this index.
    Receiver(u32),
}

/// An [`End`] in half the space, since a host has one for each virtual channel: the index, and the
/// highest bit for a receiving end.
#[derive(Clone, Copy, Debug)]
pub struct PackedEnd(u32);

const RECEIVES: u32 = 1 << 31;

impl From<End> for PackedEnd {
    fn from(end: End) -> PackedEnd {
        match end {
            End::Sender(index) => PackedEnd(index),
            End::Receiver(index) => PackedEnd(index | RECEIVES),
        }
    }
}

impl PackedEnd {
    /// The end, unpacked.
    #[inline]
    pub fn end(self) -> End {
        if self.0 & RECEIVES == 0 {
            End::Sender(self.0)
        } else {
            End::Receiver(self.0 & !RECEIVES)
        }
    }
}
