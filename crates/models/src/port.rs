//! What an output port can be asked, whatever it forwards.

use kernel::{Duration, Time};

use crate::metrics::{Capacity, PortMeter, PortReading, Series};

/// An output of a switch or router.
pub trait Port {
    /// What is counted here.
    fn meter(&self) -> &PortMeter;

    /// What is counted here, to be changed.
    fn meter_mut(&mut self) -> &mut PortMeter;

    /// What it counts in, and how fast it can send that.
    fn capacity(&self) -> Capacity;

    /// Units that wait at `now`, and how long all of them will go on waiting, unit by unit.
    fn backlog(&mut self, now: Time) -> (u64, Duration);

    /// Records the queue every `every` from the start on, and each refusal.
    fn record(&mut self, every: Duration);

    /// The recorded queue, in units, up to and including `now`.
    fn recorded_queue(&mut self, now: Time) -> Option<&Series>;

    /// Starts to count again at `now`.
    fn begin_counting(&mut self, now: Time) {
        let (waiting, rest) = self.backlog(now);
        self.meter_mut().begin(now, waiting, rest);
    }

    /// What was counted until `now`.
    fn read(&mut self, now: Time) -> PortReading {
        let (waiting, rest) = self.backlog(now);
        self.meter().read(now, waiting, rest)
    }
}
