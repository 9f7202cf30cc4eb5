//! The end of a flow that takes user data.

use kernel::{Duration, Time};

use super::nic::Nic;
use crate::carriage::Wrapping;
use crate::frame::Frame;
use crate::metrics::{Histogram, ReceiverMeter, Series};
use crate::transport::{Receiver, Segment, Transmit};
use crate::unit::Outlet;
use crate::vc::Vc;

/// The receiving end of a flow.
pub struct ReceivingEnd {
    /// Which flow.
    pub flow: u32,
    /// Virtual channel, both ways, on the link of the host.
    pub vc: Vc,
    wrapping: Wrapping,
    receiver: Box<dyn Receiver>,
    /// What is counted here.
    pub meter: ReceiverMeter,
    /// How long packets took that brought new data.
    pub delays: Histogram,
    /// What has arrived, over time, if that is recorded.
    pub delivered: Option<Box<Delivered>>,
}

/// User octets that have arrived for the first time, over time.
pub struct Delivered {
    /// How many so far; nothing is left out, whenever counting began.
    octets: u64,
    /// How many there were.
    pub series: Series,
}

impl Delivered {
    /// Records the samples due up to `now`, before anything changes.
    pub fn catch_up(&mut self, now: Time) {
        self.series.hold(now, self.octets as f64);
    }
}

impl ReceivingEnd {
    /// An end that answers on `vc`.
    pub fn new(flow: u32, vc: Vc, wrapping: Wrapping, receiver: Box<dyn Receiver>) -> ReceivingEnd {
        ReceivingEnd {
            flow,
            vc,
            wrapping,
            receiver,
            meter: ReceiverMeter::default(),
            delays: Histogram::default(),
            delivered: None,
        }
    }

    /// Records what has arrived every `every` from the start on.
    pub fn record(&mut self, every: Duration) {
        self.delivered = Some(Box::new(Delivered {
            octets: 0,
            series: Series::new(every),
        }));
    }

    /// Starts to count again.
    pub fn begin_counting(&mut self) {
        self.meter = ReceiverMeter::default();
        self.delays = Histogram::default();
    }

    /// A whole packet arrives, which took `wire` octets and may have been `marked` on the way.
    pub fn receive(
        &mut self,
        now: Time,
        frame: &Frame,
        wire: u64,
        marked: bool,
        nic: &mut Nic,
        out: &mut Outlet<'_>,
    ) {
        let mut answers = Answers {
            vc: self.vc,
            wrapping: self.wrapping,
            nic,
            out,
        };
        let new = self
            .receiver
            .receive(now, &frame.segment, marked, &mut answers);
        self.meter.arrived(wire, frame.cells, new);
        if new > 0 {
            self.delays.record(now.since(frame.sent));
        }
        if let Some(delivered) = &mut self.delivered {
            delivered.catch_up(now);
            delivered.octets += new;
        }
    }

    /// When it next acts by itself.
    pub fn next_wake(&self) -> Time {
        self.receiver.next_wake()
    }

    /// Lets timers expire.
    pub fn wake(&mut self, now: Time, nic: &mut Nic, out: &mut Outlet<'_>) {
        let mut answers = Answers {
            vc: self.vc,
            wrapping: self.wrapping,
            nic,
            out,
        };
        self.receiver.wake(now, &mut answers);
    }
}

/// Sends what the transport transmits, at once.
struct Answers<'a, 'b> {
    vc: Vc,
    wrapping: Wrapping,
    nic: &'a mut Nic,
    out: &'a mut Outlet<'b>,
}

impl Transmit for Answers<'_, '_> {
    fn transmit(&mut self, now: Time, segment: Segment, octets: u64) {
        let frame = self.wrapping.frame(now, segment, octets);
        self.nic.send(now, self.vc, frame, self.out);
    }
}
