//! Sending: as much as the windows, pacing and the application allow, and the limit that ended it.
//!
//! RFC 9293, section 3.8.6, for the windows and the silly window syndrome. The recovery decides between
//! retransmissions and new data: RFC 6675, section 4.

use kernel::Time;

use super::TcpSender;
use super::flow_control::FlowControl;
use crate::metrics::Limit;
use crate::transport::tcp::recovery::NextData;
use crate::transport::{Segment, Transmit};

impl TcpSender {
    /// Sends as much as the windows and the application allow, and records which of them limits the
    /// sender.
    pub(super) fn send_available(&mut self, now: Time, out: &mut dyn Transmit) {
        if self.is_spacing() {
            self.limit = Limit::Timeout;
            // A segment that pacing held waits for this timer too.
            self.stop_pacing();
            // A fast retransmit has stopped the timer for a segment that waits too.
            if self.timer.deadline() == Time::NEVER {
                self.timer.restart(now);
            }
            return;
        }
        let until = match self.rare.flow_control() {
            None => None,
            // Whatever is sent next starts the timer for a timeout.
            Some(_) => self.timer.stop_persisting(),
        };
        let forward = self.begin_forward();
        let mut left = forward.unwrap_or_else(|| self.losses.recovery.burst());
        let (cwnd, before) = (self.window.octets(), self.data.nxt);
        let limit = loop {
            if left == 0 {
                break Limit::CongestionWindow;
            }
            left -= 1;
            if forward.is_none()
                && let Some(paced) = self.records.paced()
                && !paced.allows(now)
            {
                break Limit::Pacing;
            }
            let next = match forward {
                None => self.losses.recovery.allowance(&mut self.data, cwnd),
                Some(_) => NextData::New,
            };
            let octets = match next {
                NextData::Window(octets) => octets,
                NextData::New => u64::MAX,
                NextData::Hole(start, end) => {
                    self.send(now, start, end - start, out);
                    continue;
                }
                NextData::Nothing => break Limit::CongestionWindow,
            };
            if let Err(limit) = self.send_within(now, octets, out) {
                break limit;
            }
        };
        if let Some(most) = forward {
            return self.end_forward(now, most, out);
        }
        self.note_limit(now, limit, cwnd, self.data.nxt > before);
        if self.losses.is_timed() {
            self.losses.schedule_probe(now, &self.data, &mut self.timer);
        }
        if self.rare.flow_control().is_some() {
            self.persist(now, until);
        }
    }

    /// Records that sending has stopped at `limit`, with a window of `cwnd` octets; `sent` is true if data
    /// left.
    #[inline]
    fn note_limit(&mut self, now: Time, limit: Limit, cwnd: u64, sent: bool) {
        // Also if not even one more segment fits, although no segment waits for it. A segment that waits
        // for pacing alone uses no window, as in Linux.
        let data = &self.data;
        let is_full = limit == Limit::CongestionWindow || data.flight() + data.mss > cwnd;
        self.window
            .note_usage(now, is_full, sent, data, &self.timer);
        if limit == Limit::Application
            && let Some(paced) = self.records.paced()
        {
            paced.note_application_limit(self.losses.recovery.in_flight(&self.data));
        }
        self.limit = match limit {
            Limit::CongestionWindow if self.window.is_in_slow_start(cwnd) => Limit::SlowStart,
            limit => limit,
        };
    }

    /// Sends the next segment if at most `allowed` octets, and at most the receiver's window, are
    /// outstanding afterwards; otherwise returns the limit that forbids the segment.
    fn send_within(
        &mut self,
        now: Time,
        allowed: u64,
        out: &mut dyn Transmit,
    ) -> Result<(), Limit> {
        let data = &self.data;
        let mut len = data.segment(data.nxt);
        // Nagle's algorithm: RFC 896; RFC 9293, section 3.7.4. A retransmission does not wait, as
        // in BSD.
        let is_new = data.nxt == data.max;
        if len < data.mss && (len == 0 || (is_new && self.holds_back_small(len))) {
            return Err(Limit::Application);
        }
        if data.nxt + len > data.una + data.window {
            let flow = self.rare.flow_control();
            let part = flow.and_then(|flow| flow.part_within(data, len));
            len = part.ok_or(if allowed < data.window {
                Limit::CongestionWindow
            } else {
                Limit::ReceiverWindow
            })?;
        }
        let data = &self.data;
        let end = data.nxt + len;
        let early = if is_new { self.losses.early(data) } else { 0 };
        if end > data.una.saturating_add(allowed).saturating_add(early) {
            return Err(Limit::CongestionWindow);
        }
        if early > 0 && end > data.una + self.window.octets() {
            self.losses.sent_early(len);
        }
        let seq = data.nxt;
        // A segment is never cut to fit the rest of a window: RFC 9293, section 3.8.6.2.1, avoids
        // the silly window syndrome in the same way.
        self.data.nxt = end;
        self.send(now, seq, len, out);
        Ok(())
    }

    /// True if new data of less than a full segment waits for more data.
    fn holds_back_small(&self, len: u64) -> bool {
        let data = &self.data;
        let flow = self.rare.flow_control();
        data.nagle.waits(self.small_end, data.una, data.nxt)
            || flow.is_some_and(|flow| flow.holds_back(data, len))
    }

    /// Sends octets `[seq, seq + len)`.
    pub(super) fn send(&mut self, now: Time, seq: u64, len: u64, out: &mut dyn Transmit) {
        let end = seq + len;
        self.timer.sent(now, seq, end, self.data.max);
        if self.records.are_kept() {
            self.note_sent(now, seq, end);
        }
        let mut segment = Segment::data(seq, len as u32);
        let first_time = end > self.data.max;
        if first_time {
            self.data.max = end;
            if len < self.data.mss {
                self.small_end = end as u32;
            }
            if let Some(marks) = self.rare.marks_mut() {
                segment = marks.report(segment);
            }
        } else {
            segment = self.unmarkable(segment);
        }
        self.losses.recovery.on_sent(now, seq, end);
        self.window.count_in_reduction(len);
        self.meter.sent(now, len, first_time);
        self.transmit(now, segment, out);
    }

    /// Records that `[start, end)` is sent, before it counts as sent.
    #[cold]
    fn note_sent(&mut self, now: Time, start: u64, end: u64) {
        if let Some(paced) = self.records.paced() {
            let srtt = self.timer.srtt();
            let window = &self.window;
            paced.sent(now, (start, end), self.overhead, &self.data, window, srtt);
        }
        if end > self.data.max {
            if let Some(samples) = self.records.samples() {
                samples.sent(now, end);
            }
        } else if let Some(undo) = self.records.undo() {
            undo.note_resent(now, start, end);
        }
    }

    /// No segment waits for pacing any more, since the sender waits for something else.
    pub(super) fn stop_pacing(&mut self) {
        if let Some(paced) = self.records.paced() {
            paced.stop();
        }
    }

    /// The new segments that may be sent now, while F-RTO waits for their acknowledgment; none if it does
    /// not.
    #[inline]
    fn begin_forward(&mut self) -> Option<u32> {
        let most = self.records.undo()?.take_forward()?;
        self.data.nxt = self.data.max;
        self.stop_pacing();
        Some(most)
    }

    /// Sending has stopped after at most `most` new segments for F-RTO. If there was nothing new to send,
    /// recovery is conventional.
    #[cold]
    fn end_forward(&mut self, now: Time, most: u32, out: &mut dyn Transmit) {
        self.limit = Limit::CongestionWindow;
        let undo = self.records.undo();
        if undo.is_some_and(|undo| undo.ends_forward(most, &self.data)) {
            self.data.nxt = self.data.una;
            self.send_available(now, out);
        }
    }

    /// Transmits a segment, with a time stamp if segments carry them: RFC 7323, section 3.2.
    pub(super) fn transmit(&self, now: Time, mut segment: Segment, out: &mut dyn Transmit) {
        if self.timer.timestamps().is_on() {
            segment = segment.with_stamp(now);
            if let Some(echo) = self.rare.flow_control().and_then(FlowControl::echo) {
                segment = segment.with_clock(echo);
            }
        }
        let octets = u64::from(segment.len) + u64::from(self.overhead);
        out.transmit(now, segment, octets);
    }
}
