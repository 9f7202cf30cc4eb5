//! The end of a flow that receives user data: a transport, whose application reads at once.

use kernel::{Duration, Time};

use super::ArrivalOrder;
use super::nics::{Nics, Via};
use crate::bearer::Wrapping;
use crate::metrics::{Histogram, MessageEnd, ReceiverMeter, ReorderingMeter, Series};
use crate::transport::{Receiver, Segment, Transmit};
use crate::wire::contents::Contents;
use crate::wire::unit::Outlet;

/// The receiving end of a flow.
pub struct ReceivingEnd {
    /// Index of the flow.
    pub flow: u32,
    /// Link of the host and virtual channel on it, both ways, or a group of next links.
    pub via: Via,
    wrapping: Wrapping,
    receiver: Box<dyn Receiver>,
    /// Counts of this end.
    pub meter: ReceiverMeter,
    /// Delays of packets with new data.
    pub delays: Histogram,
    /// Records of arrivals that few flows have.
    records: Option<Box<Records>>,
}

/// The data that has arrived since the start of the run.
#[derive(Clone, Copy, Default)]
struct Latest {
    /// User octets that have arrived.
    octets: u64,
    /// Time at which the latest of them arrived.
    at: Time,
}

impl Latest {
    /// Time at which all octets below `ack` had arrived, in an answer that is sent at `now`. The
    /// numbers of octets begin at zero, so more octets than have arrived are acknowledged only in
    /// answer to a packet that brings them.
    fn through(self, ack: u64, now: Time) -> Time {
        if ack > self.octets { now } else { self.at }
    }
}

/// Records of the arrivals of a flow.
#[derive(Default)]
struct Records {
    /// Delivered data over time, if recorded.
    delivered: Option<Delivered>,
    /// Order of arrival, if the flow has several paths.
    order: Option<ArrivalOrder>,
    /// The data that has arrived, if the flow is a connection with messages.
    latest: Option<Latest>,
}

impl Records {
    /// A packet with `new` user octets arrives.
    fn arrive(&mut self, now: Time, contents: &Contents, new: u64) {
        if let Some(delivered) = &mut self.delivered {
            delivered.catch_up(now);
            delivered.octets += new;
        }
        if let Some(order) = &mut self.order {
            order.arrive(contents);
        }
        if let Some(latest) = self.latest.as_mut().filter(|_| new > 0) {
            latest.octets += new;
            latest.at = now;
        }
    }
}

/// User octets that have arrived for the first time, over time.
pub struct Delivered {
    /// Octets since the start of the run.
    octets: u64,
    /// Octets over time.
    pub series: Series,
}

impl Delivered {
    /// Records the samples due up to `now`; the caller changes the receiver only after this call.
    pub fn catch_up(&mut self, now: Time) {
        self.series.hold(now, self.octets as f64);
    }
}

impl ReceivingEnd {
    /// An end that answers via `via`.
    pub fn new(
        flow: u32,
        via: Via,
        wrapping: Wrapping,
        receiver: Box<dyn Receiver>,
    ) -> ReceivingEnd {
        ReceivingEnd {
            flow,
            via,
            wrapping,
            receiver,
            meter: ReceiverMeter::default(),
            delays: Histogram::default(),
            records: None,
        }
    }

    /// Records the delivered octets every `every` from the start on.
    pub fn record(&mut self, every: Duration) {
        self.records.get_or_insert_default().delivered = Some(Delivered {
            octets: 0,
            series: Series::new(every),
        });
    }

    /// Takes the record of the delivered data.
    pub fn take_delivered(&mut self) -> Option<Delivered> {
        self.records.as_mut()?.delivered.take()
    }

    /// Follows the order of arrival from the start on.
    pub fn follow(&mut self, order: ArrivalOrder) {
        self.records.get_or_insert_default().order = Some(order);
    }

    /// Follows the data that arrives from the start on, by which messages are complete.
    pub fn follow_messages(&mut self) {
        self.records.get_or_insert_default().latest = Some(Latest::default());
    }

    #[inline]
    fn latest(&self) -> Option<Latest> {
        self.records.as_ref()?.latest
    }

    /// Counts of reordering, if the order is followed.
    pub fn reordering(&self) -> Option<ReorderingMeter> {
        let order = self.records.as_ref()?.order.as_ref()?;
        Some(order.meter)
    }

    /// Restarts the counts.
    pub fn begin_counting(&mut self) {
        self.meter = ReceiverMeter::default();
        self.delays = Histogram::default();
        let order = self
            .records
            .as_mut()
            .and_then(|records| records.order.as_mut());
        if let Some(order) = order {
            order.meter = ReorderingMeter::default();
        }
    }

    /// A whole packet arrives that took `wire` octets on the link; `marked` is true if the network
    /// marked the packet. Returns the number of user octets that had not arrived before.
    // Inlined, as `Host::take` is.
    #[allow(clippy::inline_always)]
    #[inline(always)]
    pub fn receive(
        &mut self,
        now: Time,
        contents: &Contents,
        wire: u64,
        marked: bool,
        nics: &mut Nics,
        out: &mut Outlet<'_>,
    ) -> u64 {
        let mut answers = Answers {
            latest: self.latest(),
            via: self.via,
            wrapping: self.wrapping,
            nics,
            out,
        };
        let new = self
            .receiver
            .receive(now, &contents.segment, marked, &mut answers);
        self.meter.arrived(wire, contents.cells, new);
        if new > 0 {
            self.delays.record(now.since(contents.sent));
        }
        if let Some(records) = &mut self.records {
            records.arrive(now, contents, new);
        }
        new
    }

    /// A trimmed packet arrives, with `wire` octets.
    #[cold]
    pub fn receive_trimmed(
        &mut self,
        now: Time,
        contents: &Contents,
        wire: u64,
        nics: &mut Nics,
        out: &mut Outlet<'_>,
    ) {
        let mut answers = Answers {
            latest: self.latest(),
            via: self.via,
            wrapping: self.wrapping,
            nics,
            out,
        };
        let segment = &contents.segment;
        self.receiver.receive_trimmed(now, segment, &mut answers);
        self.meter.trimmed(wire);
    }

    /// Time at which the last octet of a message arrived; none if it has not, or if the message is a
    /// step.
    pub fn completed(&self, end: MessageEnd) -> Option<Time> {
        match end {
            MessageEnd::Octet(number) => {
                let latest = self.latest().filter(|latest| latest.octets >= number);
                latest.map(|latest| latest.at)
            }
            MessageEnd::Connection(first) => self.receiver.completed(first),
            MessageEnd::Step => None,
        }
    }

    /// Number of packets that the end wants to pull.
    pub fn pulls(&self) -> u64 {
        self.receiver.pulls()
    }

    /// Pulls a packet.
    pub fn pull(&mut self, now: Time, nics: &mut Nics, out: &mut Outlet<'_>) {
        let mut answers = Answers {
            latest: self.latest(),
            via: self.via,
            wrapping: self.wrapping,
            nics,
            out,
        };
        self.receiver.pull(now, &mut answers);
    }

    /// Time of the next event of this end.
    pub fn next_wake(&self) -> Time {
        self.receiver.next_wake()
    }

    /// Handles expired timers.
    pub fn wake(&mut self, now: Time, nics: &mut Nics, out: &mut Outlet<'_>) {
        let mut answers = Answers {
            latest: self.latest(),
            via: self.via,
            wrapping: self.wrapping,
            nics,
            out,
        };
        self.receiver.wake(now, &mut answers);
    }
}

/// Sends the segments of the transport at once.
struct Answers<'a, 'b> {
    /// The data that had arrived before the packet that is answered, if that is followed.
    latest: Option<Latest>,
    via: Via,
    wrapping: Wrapping,
    nics: &'a mut Nics,
    out: &'a mut Outlet<'b>,
}

impl Transmit for Answers<'_, '_> {
    fn transmit(&mut self, now: Time, segment: Segment, octets: u64) {
        let segment = match self.latest {
            Some(latest) => segment.with_arrival(latest.through(segment.ack, now)),
            None => segment,
        };
        let contents = self.wrapping.contents(now, segment, octets);
        self.nics.send(now, self.via, contents, self.out);
    }
}
