//! The state of one VC in ERICA: Kalyanaraman, dissertation, Ohio State University, 1997, chapter 6.

/// An ABR VC of the output.
///
/// Counts and feedback are kept with the number of their interval, so a VC without cells costs
/// nothing at the end of an interval. Intervals are numbered from one.
#[derive(Clone, Copy, Debug, Default)]
pub struct VcState {
    /// Last interval in which the VC was active; zero before the first.
    pub active_in: u64,
    /// Cells that arrived in the interval `active_in`.
    pub cells: u32,
    /// Cells that arrived in the interval before `active_in`.
    before: u32,
    /// Current cell rate (CCR) of the source, from its RM cells, in cells per second.
    pub ccr: f64,
    /// Minimum cell rate (MCR), from its RM cells, in cells per second.
    pub mcr: f64,
    /// Interval of the last feedback; zero before the first.
    feedback_interval: u64,
    /// Explicit rate of the last feedback, in cells per second.
    feedback: f64,
    /// Explicit rate of the last feedback before `feedback_interval`; zero if there was none.
    feedback_before: f64,
}

impl VcState {
    /// Records the first activity in `interval`; returns how many intervals ago the VC was active,
    /// if it ever was.
    pub fn activate(&mut self, interval: u64) -> Option<u64> {
        let ago = (self.active_in > 0).then(|| interval - self.active_in);
        self.before = if ago == Some(1) { self.cells } else { 0 };
        self.cells = 0;
        self.active_in = interval;
        ago
    }

    /// Cells that arrived in the interval before the present one, `interval`.
    pub fn cells_before(&self, interval: u64) -> u32 {
        match interval - self.active_in {
            0 => self.before,
            1 => self.cells,
            _ => 0,
        }
    }

    /// Feedback given in `interval`, if any.
    pub fn feedback_in(&self, interval: u64) -> Option<f64> {
        (self.feedback_interval == interval).then_some(self.feedback)
    }

    /// Last feedback before the present interval, `interval`, if there was any.
    pub fn feedback_before(&self, interval: u64) -> Option<f64> {
        let is_present = self.feedback_interval == interval;
        let feedback = if is_present {
            self.feedback_before
        } else {
            self.feedback
        };
        (feedback > 0.0).then_some(feedback)
    }

    /// Records the feedback given in `interval`.
    pub fn set_feedback(&mut self, interval: u64, rate: f64) {
        if self.feedback_interval != interval {
            self.feedback_before = self.feedback;
        }
        self.feedback_interval = interval;
        self.feedback = rate;
    }
}
