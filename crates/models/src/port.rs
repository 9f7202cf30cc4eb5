//! What an output port can be asked, whatever it forwards.

use kernel::{Duration, Time};

use crate::metrics::{AllocationMeter, Backlog, Capacity, PortMeter, PortReading, QueueSeries};
use crate::tap::Tap;

/// An output of a switch or router.
pub trait Port {
    /// What is counted here.
    fn meter(&self) -> &PortMeter;

    /// What is counted here, to be changed.
    fn meter_mut(&mut self) -> &mut PortMeter;

    /// What it counts in, and how fast it can send that.
    fn capacity(&self) -> Capacity;

    /// What is there at `now`.
    fn backlog(&mut self, now: Time) -> Backlog;

    /// Has packets that leave noted from now on.
    fn install(&mut self, tap: Tap);

    /// Where they are noted, if they are.
    fn tap(&mut self) -> Option<&mut Tap>;

    /// Records the queue every `every` from the start on, and each refusal.
    fn record(&mut self, every: Duration);

    /// Hands over the recorded queue, in units, up to and including `now`.
    fn take_queue(&mut self, now: Time) -> Option<Box<QueueSeries>>;

    /// Metrics until `now` of each service class that has come by, by its number; nothing where classes
    /// are not told apart.
    fn classes(&mut self, now: Time) -> Vec<(usize, Vec<(&'static str, f64)>)> {
        let _ = now;
        Vec::new()
    }

    /// What an allocator of rates came to here, if there is one that measures.
    fn allocation(&self) -> Option<&AllocationMeter> {
        None
    }

    /// The same, to be changed.
    fn allocation_mut(&mut self) -> Option<&mut AllocationMeter> {
        None
    }

    /// Starts to count again at `now`.
    fn begin_counting(&mut self, now: Time) {
        let before = self.backlog(now);
        self.meter_mut().begin(now, before);
        if let Some(meter) = self.allocation_mut() {
            meter.begin();
        }
    }

    /// What was counted until `now`.
    fn read(&mut self, now: Time) -> PortReading {
        let after = self.backlog(now);
        PortReading {
            allocation: self.allocation().and_then(AllocationMeter::read),
            ..self.meter().read(now, after)
        }
    }
}
