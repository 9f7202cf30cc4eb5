//! The end of a flow that sends user data: a traffic source, a transport, and jitter.

use kernel::{Duration, Time};

use super::delay::Delay;
use super::exchange::Exchange;
use super::nics::{Nics, Via};
use crate::bearer::Wrapping;
use crate::jitter::Jitter;
use crate::metrics::{
    ConnectionMeter, FlowReading, Histogram, LimitMeter, ListedConnection, SenderMeter, Series,
};
use crate::traffic::{Source, Write};
use crate::transport::{Segment, Sender, SenderState, StateValue, Transmit};
use crate::wire::unit::Outlet;

/// The sending end of a flow.
pub struct SendingEnd {
    /// Index of the flow.
    pub flow: u32,
    /// Link of the host and virtual channel on it, both ways, or a group of next links.
    pub via: Via,
    wrapping: Wrapping,
    sender: Box<dyn Sender>,
    source: Box<dyn Source>,
    /// Time of the next write of the application; [`Time::NEVER`] if there is none.
    write: Write,
    /// The message under way, if messages wait for the acknowledgment of the message before.
    exchange: Option<Box<Exchange>>,
    delay: Option<Box<Delay>>,
    limited: LimitMeter,
    /// Recorded time series, if any.
    pub series: Option<Box<SenderSeries>>,
}

/// State of a sender over time.
#[derive(Clone, Debug)]
pub struct SenderSeries(pub Vec<NamedSeries>);

/// The recorded series of one quantity of a sender.
#[derive(Clone, Debug)]
pub struct NamedSeries {
    /// Name of the quantity.
    pub name: &'static str,
    /// SI unit.
    pub unit: &'static str,
    /// Values of the quantity.
    pub series: Series,
}

impl SendingEnd {
    /// An end that sends via `via`.
    pub fn new(
        flow: u32,
        via: Via,
        wrapping: Wrapping,
        sender: Box<dyn Sender>,
        mut source: Box<dyn Source>,
        jitter: Option<Box<dyn Jitter>>,
    ) -> SendingEnd {
        let write = source.next().unwrap_or(Write::NEVER);
        let delay = jitter.map(|jitter| Box::new(Delay::new(jitter)));
        SendingEnd {
            flow,
            via,
            wrapping,
            sender,
            write,
            exchange: exchange(&*source),
            source,
            delay,
            limited: LimitMeter::default(),
            series: None,
        }
    }

    /// Records the state of the sender every `every` from the start on, if the transport has a
    /// state to record.
    pub fn record(&mut self, every: Duration) {
        let Some(state) = self.sender.state(Time::ZERO) else {
            return;
        };
        let recording = |(name, quantity): (&'static str, StateValue)| NamedSeries {
            name,
            unit: quantity.unit(),
            series: Series::new(every),
        };
        let series = state.0.into_iter().map(recording).collect();
        self.series = Some(Box::new(SenderSeries(series)));
    }

    /// Declares that the host has no other sender.
    pub fn set_sole_sender(&mut self) {
        if let Some(delay) = &mut self.delay {
            delay.set_sole_sender();
        }
    }

    /// Time of the next event of this end.
    pub fn next_wake(&self) -> Time {
        let delay = self.delay.as_deref();
        let release = delay.map_or(Time::NEVER, Delay::next_release);
        self.write.at.min(release).min(self.sender.next_wake())
    }

    /// Releases delayed packets, handles expired timers, and lets the application write, in this
    /// order.
    pub fn wake(&mut self, now: Time, nics: &mut Nics, out: &mut Outlet<'_>) {
        self.catch_up(now);
        let left = self.limited.left;
        let before = self.counts();
        if let Some(delay) = &mut self.delay
            && delay.release(now, self.via, nics, out)
        {
            self.limited.left = delay.until();
        }
        let mut outgoing = Outgoing {
            via: self.via,
            wrapping: self.wrapping,
            delay: self.delay.as_deref_mut(),
            left: &mut self.limited.left,
            nics,
            out,
        };
        self.sender.wake(now, &mut outgoing);
        while self.write.at <= now {
            if let Some(exchange) = &mut self.exchange {
                exchange.begin(now, self.write.octets);
            }
            self.sender.write(now, self.write.octets, &mut outgoing);
            let next = self.source.next();
            // Data that came early has ended the step that begins here.
            if let Some(exchange) = &mut self.exchange
                && exchange.of_steps
                && next.is_some()
            {
                exchange.complete(now);
            }
            self.write = next.unwrap_or(Write::NEVER);
        }
        self.account_for_wake(now, left, before, nics);
    }

    /// A segment arrives from the receiving end.
    // Inlined, as `Host::take` is.
    #[allow(clippy::inline_always)]
    #[inline(always)]
    pub fn receive(&mut self, now: Time, segment: &Segment, nics: &mut Nics, out: &mut Outlet<'_>) {
        self.catch_up(now);
        let left = self.limited.left;
        let mut outgoing = Outgoing {
            via: self.via,
            wrapping: self.wrapping,
            delay: self.delay.as_deref_mut(),
            left: &mut self.limited.left,
            nics,
            out,
        };
        self.sender.receive(now, segment, &mut outgoing);
        self.account(now, left, false, nics);
        if let Some(exchange) = &mut self.exchange
            && exchange.ends(now, self.sender.acknowledged())
        {
            self.write = self.source.on_acknowledged(now).unwrap_or(Write::NEVER);
        }
    }

    /// A packet of this end comes back, because an output had no room for it.
    #[cold]
    pub fn take_back(
        &mut self,
        now: Time,
        segment: &Segment,
        nics: &mut Nics,
        out: &mut Outlet<'_>,
    ) {
        self.catch_up(now);
        let left = self.limited.left;
        let mut outgoing = Outgoing {
            via: self.via,
            wrapping: self.wrapping,
            delay: self.delay.as_deref_mut(),
            left: &mut self.limited.left,
            nics,
            out,
        };
        self.sender.take_back(now, segment, &mut outgoing);
        self.account(now, left, false, nics);
    }

    /// A flow that the source awaits has delivered `octets` at `now`.
    pub fn on_delivered(&mut self, now: Time, awaited: usize, octets: u64) {
        let Some(write) = self.source.on_delivered(now, awaited, octets) else {
            return;
        };
        if let Some(exchange) = &mut self.exchange {
            exchange.complete(now);
        }
        self.write = write;
    }

    /// The traffic source.
    pub fn source_mut(&mut self) -> &mut dyn Source {
        &mut *self.source
    }

    /// The transport.
    pub fn sender_mut(&mut self) -> &mut dyn Sender {
        &mut *self.sender
    }

    /// Counts of this end.
    pub fn meter(&mut self) -> &mut SenderMeter {
        self.sender.meter()
    }

    /// Number of timeouts, and number of packets sent.
    fn counts(&mut self) -> (u32, u64) {
        let meter = self.sender.meter();
        (meter.timeouts, meter.packets)
    }

    /// Divides the time up to `now` among the limits if a timer expired, data was sent or the limit
    /// changed. A write of the application changes nothing while another limit applies.
    fn account_for_wake(&mut self, now: Time, left: Time, before: (u32, u64), nics: &mut Nics) {
        let counts = self.counts();
        let expired = counts.0 > before.0;
        let has_sent = counts.1 > before.1 || self.limited.left > left;
        let goes_on = self.limited.is(self.sender.limit());
        if expired || has_sent || !goes_on {
            self.account(now, left, expired, nics);
        }
    }

    /// Counts the time since the last event for the limits that were in force; the data sent before
    /// the event at `now` leaves the host by `left`.
    #[inline]
    fn account(&mut self, now: Time, left: Time, expired: bool, nics: &mut Nics) {
        let waited = self.waited(now, left, nics);
        self.limited.pass(now, waited, expired);
        self.limited.becomes(self.sender.limit());
    }

    /// Time since the last event in which data waited at the host or was being sent.
    #[inline]
    fn waited(&self, now: Time, left: Time, nics: &mut Nics) -> Duration {
        match nics.waited(now, self.via) {
            None => self.limited.leaving(now, left),
            Some(waited) => self.limited.more(waited),
        }
    }

    /// Restarts the counts at `now`.
    pub fn begin_counting(&mut self, now: Time) {
        self.sender.begin_counting(now);
        self.limited.begin(now);
        if let Some(exchange) = &mut self.exchange {
            exchange.times = Histogram::default();
        }
    }

    /// Adds the counts until `now` to a reading.
    pub fn read(&mut self, now: Time, nics: &mut Nics, reading: &mut FlowReading) {
        let waited = self.waited(now, self.limited.left, nics);
        if self.sender.awaits_timer() {
            reading.silence = self.limited.silence(now) - waited;
        }
        reading.limited = self.limited;
        reading.limited.pass(now, waited, false);
        reading.sender = *self.sender.meter();
        reading.limits = self.sender.limits();
        let paced = nics.paced_mut(self.via);
        let below = paced.and_then(|(paced, vc)| paced.below(now, vc));
        reading.below = below.unwrap_or_default();
    }

    /// Completion times of messages; none unless messages wait for the acknowledgment of the
    /// message before, or each have a connection.
    pub fn completions(&self) -> Option<&Histogram> {
        let of_connections = self.connections().map(ConnectionMeter::times);
        let exchange = self.exchange.as_ref();
        exchange.map_or(of_connections, |exchange| Some(&exchange.times))
    }

    /// Counts of connections, if they come and go.
    pub fn connections(&self) -> Option<&ConnectionMeter> {
        self.sender.connections()
    }

    /// The connections so far, in the order of their arrivals, if they are listed.
    pub fn listed_connections(&self) -> &[ListedConnection] {
        self.sender.listed_connections()
    }

    /// State of the sender for observers; none if the transport keeps none.
    pub fn state(&self, now: Time) -> Option<SenderState> {
        self.sender.state(now)
    }

    /// User octets that the receiver has acknowledged.
    pub fn acknowledged(&self) -> u64 {
        self.sender.acknowledged()
    }

    /// Records the samples due up to `now`; the caller changes the sender only after this call.
    #[inline]
    pub fn catch_up(&mut self, now: Time) {
        if self.series.is_some() {
            self.sample(now);
        }
    }

    #[inline(never)]
    fn sample(&mut self, now: Time) {
        let Some(SenderSeries(series)) = self.series.as_deref_mut() else {
            return;
        };
        // All series have the same sample times, so one reading of the state serves all of them.
        if series.iter().any(|recording| recording.series.due() <= now) {
            let state = self.sender.state(now);
            let state = state.expect("only a sender with a state is recorded");
            for (recording, (_, quantity)) in series.iter_mut().zip(state.0) {
                recording.series.hold(now, quantity.value());
            }
        }
    }
}

/// The account of messages that wait, if the source has any.
fn exchange(source: &dyn Source) -> Option<Box<Exchange>> {
    let of_steps = source.times_steps();
    (of_steps || source.takes_turns()).then(|| Box::new(Exchange::new(of_steps)))
}

/// Sends the segments of the transport after the jitter.
struct Outgoing<'a, 'b> {
    via: Via,
    wrapping: Wrapping,
    delay: Option<&'a mut Delay>,
    /// Time by which the sent data will have left the host.
    left: &'a mut Time,
    nics: &'a mut Nics,
    out: &'a mut Outlet<'b>,
}

impl Transmit for Outgoing<'_, '_> {
    fn transmit(&mut self, now: Time, segment: Segment, octets: u64) {
        let contents = self.wrapping.contents(now, segment, octets);
        let Some(delay) = &mut self.delay else {
            *self.left = self.nics.send(now, self.via, contents, self.out);
            return;
        };
        delay.take(now, self.via, contents, self.nics, self.out);
        *self.left = delay.until();
    }
}
