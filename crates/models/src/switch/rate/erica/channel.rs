//! What is known of one channel.

/// A channel of the output.
///
/// What depends on intervals is kept with the number of the interval that it is about, so that
/// nothing has to be done for channels that are silent. Intervals are numbered from one.
#[derive(Clone, Copy, Debug, Default)]
pub struct Channel {
    /// Interval in which it was last seen, zero before.
    pub seen: u64,
    /// Cells that came in that interval.
    pub cells: u32,
    /// Cells that came in the interval before that one.
    before: u32,
    /// Its current cell rate, as it says.
    pub ccr: f64,
    /// Its minimum cell rate, as it says.
    pub mcr: f64,
    /// Interval of the last feedback, zero before.
    told_in: u64,
    /// That feedback.
    told: f64,
    /// The last feedback before that interval, zero if there was none.
    told_before: f64,
}

impl Channel {
    /// Notes that it is seen in `interval` for the first time; how many intervals ago it was last.
    pub fn see(&mut self, interval: u64) -> Option<u64> {
        let ago = (self.seen > 0).then(|| interval - self.seen);
        self.before = if ago == Some(1) { self.cells } else { 0 };
        self.cells = 0;
        self.seen = interval;
        ago
    }

    /// Cells that came in the interval before `interval`, which is the present one.
    pub fn cells_before(&self, interval: u64) -> u32 {
        match interval - self.seen {
            0 => self.before,
            1 => self.cells,
            _ => 0,
        }
    }

    /// What it was told in `interval`, if anything.
    pub fn told_in(&self, interval: u64) -> Option<f64> {
        (self.told_in == interval).then_some(self.told)
    }

    /// What it was told last before `interval`, which is the present one, if that was more than zero.
    pub fn told_before(&self, interval: u64) -> Option<f64> {
        let is_present = self.told_in == interval;
        let told = if is_present {
            self.told_before
        } else {
            self.told
        };
        (told > 0.0).then_some(told)
    }

    /// Notes what it is told.
    pub fn tell(&mut self, interval: u64, rate: f64) {
        if self.told_in != interval {
            self.told_before = self.told;
        }
        self.told_in = interval;
        self.told = rate;
    }
}
