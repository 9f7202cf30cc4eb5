//! The state of one VC in ERICA.

/// An ABR VC of the output.
///
/// Counts and feedback are kept with the number of their interval, so a silent VC costs nothing at
/// the end of an interval. Intervals are numbered from one.
#[derive(Clone, Copy, Debug, Default)]
pub struct Channel {
    /// Last interval in which the VC was active; zero before the first.
    pub seen: u64,
    /// Cells that arrived in that interval.
    pub cells: u32,
    /// Cells that arrived in the interval before it.
    before: u32,
    /// Current cell rate (CCR) of the source, from its RM cells, in cells per second.
    pub ccr: f64,
    /// Minimum cell rate (MCR), from its RM cells, in cells per second.
    pub mcr: f64,
    /// Interval of the last feedback; zero before the first.
    told_in: u64,
    /// Explicit rate of the last feedback, in cells per second.
    told: f64,
    /// Explicit rate of the last feedback before that interval; zero if there was none.
    told_before: f64,
}

impl Channel {
    /// Notes the first activity in `interval`; returns how many intervals ago the VC was active, if
    /// it ever was.
    pub fn see(&mut self, interval: u64) -> Option<u64> {
        let ago = (self.seen > 0).then(|| interval - self.seen);
        self.before = if ago == Some(1) { self.cells } else { 0 };
        self.cells = 0;
        self.seen = interval;
        ago
    }

    /// Cells that arrived in the interval before `interval`, which is the present one.
    pub fn cells_before(&self, interval: u64) -> u32 {
        match interval - self.seen {
            0 => self.before,
            1 => self.cells,
            _ => 0,
        }
    }

    /// Feedback given in `interval`, if any.
    pub fn told_in(&self, interval: u64) -> Option<f64> {
        (self.told_in == interval).then_some(self.told)
    }

    /// Last feedback before `interval`, which is the present one, if there was any.
    pub fn told_before(&self, interval: u64) -> Option<f64> {
        let is_present = self.told_in == interval;
        let told = if is_present {
            self.told_before
        } else {
            self.told
        };
        (told > 0.0).then_some(told)
    }

    /// Notes the feedback given in `interval`.
    pub fn tell(&mut self, interval: u64, rate: f64) {
        if self.told_in != interval {
            self.told_before = self.told;
        }
        self.told_in = interval;
        self.told = rate;
    }
}
