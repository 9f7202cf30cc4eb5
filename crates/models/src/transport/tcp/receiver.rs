//! The receiving end of TCP: reassembly, acknowledgments, SACK blocks and echoed time stamps.
//!
//! RFC 9293, section 3.10.7.4; RFC 5681, section 4.2; RFC 2018, sections 3 and 4; RFC 2883, section 4;
//! RFC 7323, section 4. The echo of marks: RFC 3168, section 6.1.3, and RFC 8257, section 3.2. Acknowledgments state
//! a window only if it changes: if the application does not read data at once, or the receiver tunes it.

use kernel::Time;

use super::Tcp;
use super::acknowledge::Acknowledge;
use super::ecn::Ecn;
use super::reader::{BufferReader, ReceiveBuffer};
use super::recovery::Reports;
use super::timestamps::Recent;
use crate::transport::ranges::{LatestArrivals, Ranges};
use crate::transport::{Receiver, Segment, Transmit};

/// The receiving end.
pub struct TcpReceiver {
    /// Octets of an acknowledgment on the wire, with its time stamp and without SACK blocks.
    acknowledgment: u32,
    policy: Box<dyn Acknowledge>,
    /// Next octet expected.
    next: u64,
    /// Data that has arrived beyond `next`.
    beyond: Ranges,
    report: Option<Box<Report>>,
    echo: Echo,
    /// The time stamp to echo, if segments carry time stamps.
    // Boxed: few flows have time stamps, and the receivers of the others stay small.
    recent: Option<Box<Recent>>,
    /// The receive buffer, if the window changes.
    buffer: Option<Box<ReceiveBuffer>>,
    /// Octets of the receive buffer, and of a full segment.
    sizes: (u32, u32),
}

/// SACK blocks to report: RFC 2018, section 4.
struct Report {
    how: Reports,
    latest: LatestArrivals,
    /// True if data that arrives again is reported (D-SACK): RFC 2883.
    tells_duplicates: bool,
    /// Octets `[start, end)` of the latest segment that had arrived before, to be reported once.
    duplicate: Option<(u64, u64)>,
}

/// Feedback of marks to the sender.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Echo {
    Never,
    /// Classic feedback: ECE is set from a packet with CE until a segment with CWR arrives (RFC
    /// 3168, section 6.1.3). True while ECE is set.
    UntilAnswered(bool),
    /// Exact feedback: RFC 8257, section 3.2. True if the last packet was marked.
    Exactly(bool),
}

impl TcpReceiver {
    /// A receiver before the first segment, with a buffer for `window` octets.
    pub fn new(spec: &Tcp, window: u64, policy: Box<dyn Acknowledge>) -> TcpReceiver {
        let mss = spec.mss();
        let reader = spec
            .read_rate
            .map_or(BufferReader::AtOnce, BufferReader::Rate);
        let tuning = spec.tuning();
        let is_fixed = tuning.is_none() && reader == BufferReader::AtOnce;
        let buffer = || {
            let buffer = ReceiveBuffer::new(window, mss, reader);
            Box::new(tuning.map_or(buffer, |tuning| buffer.tuned(spec.first_window(), tuning)))
        };
        TcpReceiver {
            buffer: (!is_fixed).then(buffer),
            sizes: (window as u32, mss as u32),
            acknowledgment: (spec.acknowledgment.0 + spec.timestamps.octets()) as u32,
            policy,
            next: 0,
            beyond: Ranges::default(),
            report: spec.reports().map(|how| {
                Box::new(Report {
                    how,
                    latest: LatestArrivals::default(),
                    tells_duplicates: spec.spurious.d_sack && how == Reports::Rfc2018,
                    duplicate: None,
                })
            }),
            echo: match spec.echo() {
                Ecn::Auto | Ecn::Off => Echo::Never,
                Ecn::Classic => Echo::UntilAnswered(false),
                Ecn::Exact => Echo::Exactly(false),
            },
            recent: spec.timestamps.is_on().then(Box::default),
        }
    }

    fn acknowledge(&mut self, now: Time, out: &mut dyn Transmit) {
        self.policy.on_sent();
        let mut segment = self.stamped(Segment::acknowledgment(self.next));
        segment.flags.ece = matches!(self.echo, Echo::UntilAnswered(true) | Echo::Exactly(true));
        let mut octets = u64::from(self.acknowledgment);
        if let Some(report) = &mut self.report {
            report.fill(&mut segment, &self.beyond);
            octets += report.how.octets(segment.block_count());
        }
        let segment = self.with_window(now, segment);
        out.transmit(now, segment, octets);
    }

    /// Adds the window to an acknowledgment, if it changes.
    fn with_window(&mut self, now: Time, segment: Segment) -> Segment {
        match &mut self.buffer {
            Some(buffer) => {
                let segment = segment.with_window(buffer.offer(now, self.next));
                if self.recent.is_some() {
                    segment.with_clock(now)
                } else {
                    segment
                }
            }
            None => segment,
        }
    }

    /// The part of a segment of data that the window offered: RFC 9293, section 3.10.7.4.
    fn within_window(&mut self, now: Time, segment: &Segment) -> Segment {
        let Some(buffer) = &mut self.buffer else {
            return *segment;
        };
        buffer.on_data(now, self.next);
        let left = buffer.edge().saturating_sub(segment.seq);
        let mut offered = *segment;
        offered.len = segment.len.min(u32::try_from(left).unwrap_or(u32::MAX));
        offered
    }

    /// Takes the data of a segment into the buffer, as [`Self::take`] does without one.
    #[cold]
    fn take_into_buffer(&mut self, now: Time, segment: &Segment) -> (u64, bool) {
        let offered = self.within_window(now, segment);
        let before = self.next;
        let taken = self.take(&offered);
        if let Some(buffer) = &mut self.buffer {
            buffer.on_segment(now, segment);
            let (is_in_order, has_sacks) = (self.next > before, self.report.is_some());
            let len = offered.len.into();
            if taken.0 > 0 && buffer.grows(now, len, self.next, is_in_order, has_sacks) {
                self.policy.on_growth();
            }
        }
        taken
    }

    /// Adds the time stamp to echo to an acknowledgment, if segments carry time stamps.
    fn stamped(&mut self, segment: Segment) -> Segment {
        match &mut self.recent {
            Some(recent) => recent.echo(segment),
            None => segment,
        }
    }

    /// Records the mark of a segment; returns true if the mark requires an acknowledgment at once.
    ///
    /// If exact feedback changes, RFC 8257, section 3.2, acknowledges at once, by one
    /// acknowledgment or by two. Two are sent here: first the delayed one with the old feedback,
    /// then that of the present segment.
    fn note(&mut self, now: Time, segment: &Segment, marked: bool, out: &mut dyn Transmit) -> bool {
        match &mut self.echo {
            Echo::Never => false,
            Echo::UntilAnswered(echo) => {
                *echo = marked || (*echo && !segment.cwr());
                false
            }
            Echo::Exactly(last) => {
                let changes = *last != marked;
                if changes && self.policy.deadline() < Time::NEVER {
                    self.acknowledge(now, out);
                }
                self.echo = Echo::Exactly(marked);
                changes
            }
        }
    }

    fn note_stamp(&mut self, segment: &Segment) {
        if let Some(recent) = &mut self.recent {
            recent.note(segment);
        }
    }

    /// Records the first octets of a segment that have arrived before, in a row: RFC 2883, section 4,
    /// rules 1 to 3.
    #[cold]
    fn note_duplicate(&mut self, segment: &Segment) {
        let Some(report) = &mut self.report else {
            return;
        };
        let from = segment.seq.max(self.next);
        let (start, known) = if segment.seq < self.next {
            (segment.seq, self.next)
        } else if let Some((_, end)) = self.beyond.containing(from) {
            (from, end)
        } else if let Some((_, start)) = self.beyond.gap(from) {
            let range = self.beyond.containing(start);
            (start, range.map_or(start, |(_, end)| end))
        } else {
            return;
        };
        let end = known.min(segment.end());
        if start < end {
            report.duplicate = Some((start, end));
        }
    }

    /// Takes the data of a segment. Returns the number of new octets, and true if the data arrived
    /// in order and no data before it is missing.
    #[inline]
    fn take(&mut self, segment: &Segment) -> (u64, bool) {
        let start = segment.seq.max(self.next);
        let end = segment.end();
        if start == self.next && self.beyond.is_empty() {
            let new = end.saturating_sub(start);
            self.next += new;
            return (new, new > 0);
        }
        if let Some(report) = &mut self.report {
            report.latest.note(start);
        }
        let new = self.beyond.insert(start, end);
        self.next = self.beyond.take_through(self.next);
        (new, false)
    }
}

impl Report {
    fn fill(&mut self, segment: &mut Segment, beyond: &Ranges) {
        if let Some((start, end)) = self.duplicate.take() {
            *segment = segment.with_duplicate(start, end);
        }
        for (start, end) in self.latest.ranges(beyond, self.how.most()) {
            segment.push_sack(start, end);
        }
    }
}

impl Receiver for TcpReceiver {
    fn receive(
        &mut self,
        now: Time,
        segment: &Segment,
        marked: bool,
        out: &mut dyn Transmit,
    ) -> u64 {
        if segment.flags.syn {
            self.note_stamp(segment);
            let mut answer = self.stamped(Segment::acknowledgment(0));
            answer.flags.syn = true;
            self.policy.on_opening(now);
            let answer = self.with_window(now, answer);
            out.transmit(now, answer, u64::from(self.acknowledgment));
            return 0;
        }
        let changes = self.note(now, segment, marked, out);
        self.note_stamp(segment);
        if let Some(report) = &self.report
            && report.tells_duplicates
        {
            self.note_duplicate(segment);
        }
        // RFC 2883, section 4: a duplicate is reported by the next acknowledgment, which goes at once
        // where a part of the segment is new too, as those of Linux and FreeBSD do.
        let repeats = self
            .report
            .as_ref()
            .is_some_and(|it| it.duplicate.is_some());
        let (new, in_order) = if self.buffer.is_none() {
            self.take(segment)
        } else {
            self.take_into_buffer(now, segment)
        };
        let at_once = if in_order {
            self.policy.on_data(now, new)
        } else {
            let is_beyond = new > 0 && !self.beyond.is_empty();
            !is_beyond || self.policy.on_hole(now, self.next)
        };
        if changes || repeats || at_once {
            self.acknowledge(now, out);
        }
        if let Some(buffer) = &mut self.buffer {
            buffer.note_read(now, self.next);
            // A buffer that has just grown may hold more than the window at once
            // (`tcp_cleanup_rbuf` of Linux).
            if buffer.opens(self.next) <= now {
                self.acknowledge(now, out);
            }
        }
        new
    }

    fn acknowledge_now(&mut self, now: Time, out: &mut dyn Transmit) {
        self.acknowledge(now, out);
    }

    fn read(&mut self, now: Time, octets: u64, out: &mut dyn Transmit) {
        let (capacity, mss) = self.sizes;
        let next = self.next;
        let new =
            || ReceiveBuffer::new(capacity.into(), mss.into(), BufferReader::ByHand).begun_at(next);
        let new = || Box::new(new());
        let buffer = self.buffer.get_or_insert_with(new);
        buffer.read(now, self.next, octets);
        if buffer.has_opened(now, self.next) {
            self.acknowledge(now, out);
        }
    }

    fn next_wake(&self) -> Time {
        let deadline = self.policy.deadline();
        match &self.buffer {
            None => deadline,
            Some(buffer) => deadline.min(buffer.opens(self.next)),
        }
    }

    fn wake(&mut self, now: Time, out: &mut dyn Transmit) {
        let opens = |buffer: &ReceiveBuffer| buffer.has_opened(now, self.next);
        if self.policy.deadline() <= now || self.buffer.as_deref().is_some_and(opens) {
            self.acknowledge(now, out);
        }
    }
}

#[cfg(test)]
mod tests {
    use parameters::{ParameterTable, understand, value};

    use super::*;
    use crate::transport::tcp::acknowledge::{AcknowledgeSpec, Reception};

    struct Acks(Vec<Segment>);

    impl Transmit for Acks {
        fn transmit(&mut self, _now: Time, segment: Segment, octets: u64) {
            let blocks = segment.sacks().len() as u64;
            assert_eq!(octets, 40 + if blocks > 0 { 4 + 8 * blocks } else { 0 });
            self.0.push(segment);
        }
    }

    fn receiver(spec: &Tcp) -> TcpReceiver {
        let seed = kernel::Seed {
            seed: 1,
            replication: 0,
        };
        let reception = Reception {
            mss: 10,
            window: 100,
            random: seed.stream("f", "clock"),
        };
        TcpReceiver::new(spec, 100, AcknowledgeSpec::default().build(&reception))
    }

    /// Passes segments of ten octets, given by number, to a receiver; returns the acknowledgments
    /// and the numbers of new octets.
    fn check(arrivals: &[u64], spec: &Tcp) -> (Vec<Segment>, Vec<u64>) {
        let mut receiver = receiver(spec);
        let mut acks = Acks(Vec::new());
        let new = arrivals
            .iter()
            .map(|number| {
                let segment = Segment::data(number * 10, 10);
                receiver.receive(Time::ZERO, &segment, false, &mut acks)
            })
            .collect();
        (acks.0, new)
    }

    #[test]
    fn acknowledges_the_next_octet_it_lacks() {
        let (acks, new) = check(&[0, 2, 3, 1, 1, 5, 4], &Tcp::defaults());
        let acks: Vec<u64> = acks.iter().map(|segment| segment.ack).collect();
        assert_eq!(acks, [10, 10, 10, 40, 40, 40, 60]);
        assert_eq!(new, [10, 10, 10, 10, 0, 10, 10]);
    }

    #[test]
    fn reports_the_latest_arrival_first() {
        let sack = Tcp {
            congestion: understand(&value!({ sack = {} })).expect("SACK"),
            ..Tcp::defaults()
        };
        let (acks, _) = check(&[1, 3, 5, 7, 9, 3, 2], &sack);
        let blocks = |number: usize| acks[number].sacks().collect::<Vec<_>>();
        assert_eq!(blocks(0), [(10, 20)]);
        assert_eq!(blocks(4), [(90, 100), (70, 80), (50, 60), (30, 40)]);
        assert_eq!(blocks(5), [(30, 40), (90, 100), (70, 80), (50, 60)]);
        assert_eq!(blocks(6), [(10, 40), (90, 100), (70, 80), (50, 60)]);
    }

    #[test]
    fn echoes_until_answered_or_exactly() {
        for (ecn, expected) in [
            (Ecn::Off, [false; 5]),
            (Ecn::Classic, [false, true, true, false, false]),
            (Ecn::Exact, [false, true, false, false, false]),
        ] {
            let mut receiver = receiver(&Tcp {
                ecn,
                ..Tcp::defaults()
            });
            let mut acks = Acks(Vec::new());
            for number in 0..5 {
                let mut segment = Segment::data(number * 10, 10);
                if number == 3 {
                    segment = segment.with_cwr();
                }
                receiver.receive(Time::ZERO, &segment, number == 1, &mut acks);
            }
            let echoes: Vec<bool> = acks.0.iter().map(|segment| segment.flags.ece).collect();
            assert_eq!(echoes, expected);
        }
    }
}
