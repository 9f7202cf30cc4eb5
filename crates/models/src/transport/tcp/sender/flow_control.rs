//! Flow control of a sender whose receiver's window changes, and segments that wait for more data.
//!
//! Windows: RFC 9293, sections 3.8.6 and 3.10.7.4. Closed windows are probed as section 3.8.6.1
//! requires, at the times and by the segments of Linux: `tcp_probe_timer`, `tcp_send_probe0` and
//! `tcp_ack_probe`. Senders to receivers whose window never changes have none of this state. Data echoes
//! the time stamps of acknowledgments where the receiver tunes its window by them.

use kernel::{Duration, Time};

use super::TcpSender;
use super::opening::Opening;
use crate::metrics::Limit;
use crate::transport::tcp::Tcp;
use crate::transport::tcp::recovery::Outstanding;
use crate::transport::tcp::retransmission::Purpose;
use crate::transport::{Following, Segment, Transmit};

/// Least time before the first probe: `TCP_RTO_MIN` of Linux.
const LEAST: Duration = Duration::from_ms(200);

/// Largest time between two probes: `TCP_RTO_MAX` of Linux.
const MOST: Duration = Duration::from_ms(120_000);

/// State of flow control.
#[derive(Clone, Copy, Debug)]
pub(super) struct FlowControl {
    /// The largest window that the receiver has offered: Max(SND.WND).
    largest: u64,
    /// Time stamp of the latest acknowledgment that had one: `TS.Recent` of RFC 7323, section 4.3.
    recent: Option<Time>,
    /// True while a write is taken after which more data follows.
    holds_back: bool,
    /// Probes sent since the window closed, each of which doubles the time to the next.
    sent: u32,
    /// Probes sent since the last acknowledgment of any kind.
    unanswered: u32,
}

impl FlowControl {
    /// The state of a sender whose receiver offers `largest` octets at first.
    pub(super) fn new(largest: u64) -> FlowControl {
        FlowControl {
            largest,
            recent: None,
            holds_back: false,
            sent: 0,
            unanswered: 0,
        }
    }

    /// The state of a sender before its first segment, if the receiver tunes its window.
    pub(super) fn of(spec: &Tcp) -> Option<FlowControl> {
        spec.window.first()?;
        Some(FlowControl::new(spec.first_window()))
    }

    /// The time stamp to echo, if the receiver tunes its window by echoes.
    #[inline]
    pub(super) fn echo(&self) -> Option<Time> {
        self.recent
    }

    /// Takes an acknowledgment of any kind.
    fn heard(&mut self, segment: &Segment) {
        self.unanswered = 0;
        if let Some(clock) = segment.clock() {
            self.recent = Some(clock);
        }
    }

    /// True if all probes were answered: each acknowledgment shows that the receiver lives (RFC 9293,
    /// section 3.8.6.1).
    fn is_answered(&self) -> bool {
        self.unanswered == 0
    }

    /// True if the next new data, of `len` octets and less than a full segment, waits for more data:
    /// `MSG_MORE` (`tcp_nagle_check` of Linux). Only the last octets written may wait.
    #[inline]
    pub(super) fn holds_back(&self, data: &Outstanding, len: u64) -> bool {
        self.holds_back && data.nxt + len == data.written
    }

    /// Octets of the next segment of `len` octets, which the receiver's window does not hold, that may be
    /// sent all the same.
    ///
    /// The oldest octets are retransmitted even if the window shrank: RFC 9293, section 3.8.6. A part of
    /// new data leaves if it fills at least half of the largest window: section 3.8.6.2.1, case 3.
    #[cold]
    pub(super) fn part_within(&self, data: &Outstanding, len: u64) -> Option<u64> {
        if data.nxt == data.una && data.nxt < data.max {
            return Some(data.within_window(data.nxt, len));
        }
        let left = (data.una + data.window).saturating_sub(data.nxt);
        (left > 0 && 2 * left >= self.largest).then_some(left.min(len))
    }

    /// Time from a probe, or from its answer, to the next probe, while the timeout is `rto`.
    fn until_probe(&self, rto: Duration) -> Duration {
        let base = rto.max(LEAST);
        let doublings = self.sent.min(20);
        (base * (1 << doublings)).min(MOST)
    }
}

impl TcpSender {
    /// Takes the window of an acknowledgment, if windows change; returns true if this one does.
    #[inline]
    pub(super) fn hear_window(&mut self, now: Time, segment: &Segment) -> bool {
        let changes = segment.window().is_some() || self.rare.flow_control().is_some();
        changes && self.take_window(now, segment)
    }

    /// Takes the window of an acknowledgment, before its data; returns true if the window changes.
    ///
    /// RFC 9293, section 3.10.7.4, compares the numbers of the latest segment that stated a window. The
    /// receiver sends no data here, so an acknowledgment of nothing new is newer if its window is larger:
    /// the right edge never moves back (`tcp_may_update_window` of Linux).
    #[cold]
    pub(super) fn take_window(&mut self, now: Time, segment: &Segment) -> bool {
        let flow = self.rare.control_flow(self.data.window);
        flow.heard(segment);
        if self.timer.purpose() == Purpose::Persist {
            // An acknowledgment starts the wait for the next probe anew: `tcp_ack_probe` of Linux.
            self.timer.stop();
        }
        let (una, before) = (self.data.una, self.data.window);
        let Some(window) = segment.window() else {
            return false;
        };
        let is_newer = segment.ack > una || (segment.ack == una && window > before);
        if segment.ack > self.data.max || !(is_newer || segment.flags.syn) {
            return false;
        }
        self.data.window = window;
        let flow = self.rare.control_flow(before);
        flow.largest = flow.largest.max(window);
        self.window.is_offered(window);
        if window != before && self.data.max < self.data.written {
            // `tcp_ack_update_window` of Linux: the wait for the window was an idle time too.
            self.window
                .restart_if_idle(now, self.meter.last_sent(), &self.data, &self.timer);
        }
        window != before
    }

    /// The application writes `octets`, and says what follows them.
    pub(super) fn take_write(
        &mut self,
        now: Time,
        octets: u64,
        what: Following,
        out: &mut dyn Transmit,
    ) {
        self.rare.control_flow(self.data.window).holds_back = what == Following::More;
        self.take_octets(now, octets);
        if what == Following::Message {
            self.data.end_message();
        }
        self.go_on(now, out);
        self.rare.control_flow(self.data.window).holds_back = false;
    }

    /// The application writes `octets`.
    pub(super) fn take_octets(&mut self, now: Time, octets: u64) {
        self.window
            .restart_if_idle(now, self.meter.last_sent(), &self.data, &self.timer);
        self.data.written = self.data.written.saturating_add(octets);
    }

    /// Starts the timer of probes if nothing is outstanding although data waits; `until` is the time at
    /// which it would have expired.
    #[cold]
    pub(super) fn persist(&mut self, now: Time, until: Option<Time>) {
        let is_stalled = self.data.flight() == 0 && self.data.max < self.data.written;
        if !is_stalled || self.timer.deadline() < Time::NEVER {
            self.rare.control_flow(self.data.window).sent = 0;
            return;
        }
        let flow = self.rare.control_flow(self.data.window);
        let at = until.unwrap_or_else(|| now + flow.until_probe(self.timer.rto()));
        self.timer.persist_until(at);
    }

    /// The timer expires while nothing is outstanding.
    #[cold]
    pub(super) fn on_persist(&mut self, now: Time, out: &mut dyn Transmit) {
        self.timer.stop();
        let start = self.data.max;
        let left = (self.data.una + self.data.window).saturating_sub(start);
        let len = self.data.segment(start).min(left);
        if len > 0 {
            // RFC 9293, section 3.8.6.2.1, case 4.
            self.rare.control_flow(self.data.window).sent = 0;
            self.data.nxt = start + len;
            self.send(now, start, len, out);
            return self.send_available(now, out);
        }
        let flow = self.rare.flow_control();
        let is_answered = flow.is_some_and(FlowControl::is_answered);
        let una = self.data.una;
        let patience = self.rare.patience();
        if patience.is_some_and(|patience| patience.ends_with_probe(now, una, is_answered)) {
            return self.give_up();
        }
        let probe = Segment::probe(start);
        self.meter.probed();
        self.transmit(now, self.unmarkable(probe), out);
        let flow = self.rare.control_flow(self.data.window);
        (flow.sent, flow.unanswered) = (flow.sent + 1, flow.unanswered + 1);
        self.limit = Limit::ReceiverWindow;
        let at = now + flow.until_probe(self.timer.rto());
        self.timer.persist_until(at);
    }

    /// Sends what may be sent, if the connection is open, and opens it otherwise.
    pub(super) fn go_on(&mut self, now: Time, out: &mut dyn Transmit) {
        match self.opening {
            Opening::Done => self.send_available(now, out),
            Opening::Closed => self.open(now, out),
            Opening::Asked | Opening::AskedAgain | Opening::GivenUp => {}
        }
    }
}
