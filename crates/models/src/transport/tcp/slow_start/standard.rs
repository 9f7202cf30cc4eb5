//! Slow start that only ssthresh or a loss ends: RFC 5681, section 3.1.

use parameters::parameters;

use super::{GrowthStep, SlowStart};
use crate::transport::tcp::congestion::{Ack, Limits};

parameters! {
    /// One segment of growth for each segment delivered, or for each acknowledgment, until a loss.
    pub struct Standard {}
}

impl Standard {
    /// The slow start of one sender.
    pub fn build(&self, limits: &Limits) -> Box<dyn SlowStart> {
        Box::new(State { mss: limits.mss })
    }
}

struct State {
    mss: u64,
}

impl SlowStart for State {
    fn on_ack(&mut self, ack: &Ack, _cwnd: u64) -> GrowthStep {
        GrowthStep::grows(ack.opens(self.mss))
    }

    fn wants_samples(&self) -> bool {
        false
    }
}
