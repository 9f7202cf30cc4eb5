//! Sending: as much as the windows, pacing and the application allow, and the limit that ended it.
//!
//! RFC 9293, section 3.8.6, for the windows and the silly window syndrome. The recovery decides between
//! retransmissions and new data: RFC 6675, section 4.

use kernel::Time;

use super::TcpSender;
use super::reduction::Spacing;
use super::timed::Evidence;
use crate::metrics::Limit;
use crate::transport::tcp::recovery::NextData;
use crate::transport::{Segment, Transmit};

impl TcpSender {
    /// Sends as much as the windows and the application allow, and records which of them limits the
    /// sender.
    pub(super) fn send_available(&mut self, now: Time, out: &mut dyn Transmit) {
        if self.spacing == Spacing::Waits {
            self.limit = Limit::Timeout;
            // A segment that pacing held waits for this timer too.
            self.stop_pacing();
            // A fast retransmit has stopped the timer for a segment that waits too.
            if self.timer.deadline() == Time::NEVER {
                self.timer.restart(now);
            }
            return;
        }
        let until = self.stop_persisting();
        let is_paced = self.is_paced();
        let forward = self.take_forward();
        let mut left = forward.unwrap_or_else(|| self.recovery.burst());
        let (cwnd, before) = (self.window.octets(), self.data.nxt);
        let limit = loop {
            if left == 0 {
                break Limit::CongestionWindow;
            }
            left -= 1;
            if is_paced && forward.is_none() && !self.pace_allows(now) {
                break Limit::Pacing;
            }
            let next = match forward {
                None => self.recovery.allowance(&mut self.data, cwnd),
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
        // Also if not even one more segment fits, although no segment waits for it. A segment that waits
        // for pacing alone uses no window, as in Linux.
        let data = &self.data;
        let is_full = limit == Limit::CongestionWindow || data.flight() + data.mss > cwnd;
        self.window
            .note_usage(now, is_full, data.nxt > before, data, &self.timer);
        if is_paced && limit == Limit::Application {
            self.note_application_limit();
        }
        self.limit = match limit {
            Limit::CongestionWindow if self.window.is_in_slow_start(cwnd) => Limit::SlowStart,
            limit => limit,
        };
        if self.evidence == Evidence::Times {
            self.schedule_probe(now);
        }
        if self.controls_flow() {
            self.persist(now, until);
        }
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
            len = self.part_within(len).ok_or(if allowed < data.window {
                Limit::CongestionWindow
            } else {
                Limit::ReceiverWindow
            })?;
        }
        let data = &self.data;
        let end = data.nxt + len;
        let early = if is_new { self.early() } else { 0 };
        if end > data.una.saturating_add(allowed).saturating_add(early) {
            return Err(Limit::CongestionWindow);
        }
        if early > 0 && end > data.una + self.window.octets() {
            self.ahead += len as u32;
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
        self.nagle.waits(self.small_end, data.una, data.nxt) || self.is_held_back(len)
    }

    /// Sends octets `[seq, seq + len)`.
    pub(super) fn send(&mut self, now: Time, seq: u64, len: u64, out: &mut dyn Transmit) {
        let end = seq + len;
        self.timer.sent(now, seq, end, self.data.max);
        if self.records.is_some() {
            self.note_sent(now, seq, end);
        }
        let mut segment = Segment::data(seq, len as u32);
        let first_time = end > self.data.max;
        if first_time {
            self.data.max = end;
            if len < self.data.mss {
                self.small_end = end as u32;
            }
            if std::mem::take(&mut self.reduced) {
                segment = segment.with_cwr();
            }
        } else {
            segment = self.unmarkable(segment);
        }
        self.recovery.on_sent(now, seq, end);
        self.window.count_in_reduction(len);
        self.meter.sent(now, len, first_time);
        self.transmit(now, segment, out);
    }
}
