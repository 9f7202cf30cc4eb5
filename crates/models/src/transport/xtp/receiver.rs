//! The receiving end of XTP: answers requests, and reports gaps.
//!
//! The receiver sends nothing on its own. It answers a packet with SREQ at once, by a control
//! packet (CNTL) or, if data is missing, by an error control packet (ECNTL). It answers a packet
//! with FASTNAK by an error control packet if that packet opens a gap. These are the ACK, the NAK
//! and the fast NAK of Ajmone Marsan, Bianco, Lo Cigno, Munafò and Baldi, "On the Performance of
//! Transport Protocols over ATM Networks", section 2.2.

use kernel::Time;

use super::format;
use crate::transport::ranges::{LatestArrivals, Ranges};
use crate::transport::{Receiver, Segment, Transmit};
use crate::wire::segment::{MOST_SPANS, Options};

/// The receiving end.
#[derive(Debug)]
pub struct XtpReceiver {
    /// Next octet expected: `rseq`.
    next: u64,
    /// Data beyond `next`.
    beyond: Beyond,
    /// The latest request that has arrived.
    request: u32,
}

/// Treatment of data that is out of order.
#[derive(Debug)]
enum Beyond {
    /// Out-of-order data is kept, and reported in spans.
    Kept {
        ranges: Ranges,
        latest: LatestArrivals,
    },
    /// Out-of-order data is dropped.
    Dropped {
        /// End of the last packet that arrived, dropped or not.
        last: u64,
        /// True if the last packet was dropped.
        missing: bool,
    },
}

impl XtpReceiver {
    /// A receiver before the first packet; `keeps` is true if it keeps out-of-order data.
    pub fn new(keeps: bool) -> XtpReceiver {
        let beyond = if keeps {
            Beyond::Kept {
                ranges: Ranges::default(),
                latest: LatestArrivals::default(),
            }
        } else {
            Beyond::Dropped {
                last: 0,
                missing: false,
            }
        };
        XtpReceiver {
            next: 0,
            beyond,
            request: 0,
        }
    }

    /// Takes the data of a packet. Returns the number of new octets, and true if the packet is the
    /// first behind a gap.
    fn take(&mut self, packet: &Segment) -> (u64, bool) {
        let (start, end) = (packet.seq.max(self.next), packet.end());
        match &mut self.beyond {
            Beyond::Dropped { last, missing } => {
                let opens = start > self.next && packet.seq != *last;
                *last = end;
                *missing = start > self.next;
                let new = if *missing {
                    0
                } else {
                    end.saturating_sub(start)
                };
                self.next += new;
                (new, opens)
            }
            Beyond::Kept { ranges, latest } => {
                let opens = start > ranges.end().unwrap_or(self.next);
                if start > self.next {
                    latest.note(start);
                }
                let new = ranges.insert(start, end);
                self.next = ranges.take_through(self.next);
                (new, opens)
            }
        }
    }

    /// True if data is missing before data that has arrived.
    fn is_missing(&self) -> bool {
        match &self.beyond {
            Beyond::Kept { ranges, .. } => !ranges.is_empty(),
            Beyond::Dropped { missing, .. } => *missing,
        }
    }

    /// Answers a packet.
    ///
    /// The `seq` of a packet with a request gives the end of the data sent, so a control packet
    /// reveals that data is missing at the end. With any gap the answer is an error control packet.
    fn answer(&mut self, now: Time, packet: &Segment, out: &mut dyn Transmit) {
        let missing = self.is_missing() || packet.seq > self.next;
        let answer = Segment::acknowledgment(self.next).with_options(Options {
            request: self.request,
            missing,
            ..Options::default()
        });
        self.report(now, answer, out);
    }

    /// Sends an answer with the latest spans.
    fn report(&mut self, now: Time, mut answer: Segment, out: &mut dyn Transmit) {
        if let Beyond::Kept { ranges, latest } = &mut self.beyond {
            // Departs from XTP 4.0, whose format has a count of spans: at most the three latest
            // spans are reported here, because a segment has space for three.
            for (start, end) in latest.ranges(ranges, MOST_SPANS) {
                answer.push_sack(start, end);
            }
        }
        out.transmit(now, answer, format::octets(&answer));
    }
}

impl Receiver for XtpReceiver {
    /// Marks are ignored: XTP has no use for them.
    fn receive(
        &mut self,
        now: Time,
        packet: &Segment,
        _marked: bool,
        out: &mut dyn Transmit,
    ) -> u64 {
        let (new, opens) = if packet.len > 0 {
            self.take(packet)
        } else {
            (0, false)
        };
        let asked = packet.options().unwrap_or_default();
        if asked.sreq {
            self.request = self.request.max(asked.request);
        }
        if asked.sreq || (asked.fast_nak && opens) {
            self.answer(now, packet, out);
        }
        new
    }

    /// A negative acknowledgment names the packet at once. A request in the packet is not answered,
    /// because data that was sent before it may still be on its way.
    fn receive_trimmed(&mut self, now: Time, packet: &Segment, out: &mut dyn Transmit) {
        if packet.len == 0 || packet.end() <= self.next {
            return;
        }
        let mut answer = Segment::acknowledgment(self.next);
        answer.seq = packet.seq;
        let answer = answer.with_options(Options {
            request: self.request,
            missing: true,
            trimmed: true,
            ..Options::default()
        });
        self.report(now, answer, out);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Default)]
    struct Answers(Vec<Segment>);

    impl Transmit for Answers {
        fn transmit(&mut self, _now: Time, segment: Segment, _octets: u64) {
            self.0.push(segment);
        }
    }

    /// A control packet gives the end of the data sent, but carries no data: the next data packet
    /// is still the first behind the gap.
    #[test]
    fn a_request_opens_no_gap() {
        for keeps in [false, true] {
            let mut receiver = XtpReceiver::new(keeps);
            let mut out = Answers::default();
            let fast = Options {
                fast_nak: true,
                ..Options::default()
            };
            let asks = Options {
                sreq: true,
                request: 1,
                ..Options::default()
            };
            for (seq, len, options) in [(0, 100, fast), (200, 0, asks), (200, 100, fast)] {
                let packet = Segment::data(seq, len).with_options(options);
                receiver.receive(Time::ZERO, &packet, false, &mut out);
            }
            let missing = out
                .0
                .iter()
                .map(|answer| answer.options().expect("XTP").missing);
            assert_eq!(missing.collect::<Vec<_>>(), [true, true], "keeps: {keeps}");
        }
    }
}
