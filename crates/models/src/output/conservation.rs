//! Conservation at an output: each unit offered was dropped, was sent, or waits. Our own debug
//! check, which counts apart from the meter in order to verify it.

/// Units offered to an output, and units that started, since the start of the run. Only builds with
/// debug assertions keep these counts.
#[derive(Debug, Default)]
pub(super) struct UnitBalance {
    #[cfg(debug_assertions)]
    pub(super) offered: u64,
    #[cfg(debug_assertions)]
    pub(super) sent: u64,
}

#[cfg(debug_assertions)]
impl UnitBalance {
    /// `size` units are offered.
    pub(super) fn offer(&mut self, size: u64) {
        self.offered += size;
    }

    /// `size` units start, or are committed to the link with their later start.
    pub(super) fn send(&mut self, size: u64) {
        self.sent += size;
    }
}

#[cfg(not(debug_assertions))]
impl UnitBalance {
    #[inline]
    pub(super) fn offer(&mut self, _size: u64) {}

    #[inline]
    pub(super) fn send(&mut self, _size: u64) {}
}
