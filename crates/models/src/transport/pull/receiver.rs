//! The receiving end: it answers each packet at once, and counts the pulls that it owes the sender.
//!
//! NDP, SIGCOMM 2017, section 3.2: an acknowledgment for a packet, a negative acknowledgment for a
//! trimmed one, and a pull for either. The last packet of a transfer says so, and once everything has
//! arrived the pulls that wait are removed.

use kernel::Time;

use crate::transport::ranges::Ranges;
use crate::transport::{Receiver, Segment, Transmit};
use crate::wire::segment::Options;

/// The receiving end.
#[derive(Debug)]
pub struct PullReceiver {
    /// Octets of an answer.
    header: u64,
    /// Next octet expected.
    next: u64,
    /// Data beyond `next`.
    beyond: Ranges,
    /// End of the data, if a packet has told it.
    end: Option<u64>,
    /// Pulls that wait.
    waiting: u64,
    /// Number of the last pull.
    pulled: u32,
}

/// The news that a packet brings to the receiver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum News {
    /// Data that had not arrived.
    Data,
    /// Data that was trimmed off and had not arrived.
    Missing,
    /// Nothing: its data had arrived.
    Nothing,
}

impl PullReceiver {
    /// A receiver before the first packet, whose answers have `header` octets.
    pub fn new(header: u64) -> PullReceiver {
        PullReceiver {
            header,
            next: 0,
            beyond: Ranges::default(),
            end: None,
            waiting: 0,
            pulled: 0,
        }
    }

    /// Answers a packet with `news`, and adds a pull for them unless everything has arrived.
    fn answer(&mut self, now: Time, packet: &Segment, news: News, out: &mut dyn Transmit) {
        if packet.fin() {
            self.end = Some(packet.end());
        } else if self.end.is_some_and(|end| packet.end() > end) {
            self.end = None;
        }
        self.waiting += u64::from(news != News::Nothing);
        if self.end == Some(self.next) {
            self.waiting = 0;
        }
        let mut answer = Segment::acknowledgment(self.next);
        answer.seq = packet.seq;
        let is_missing = news == News::Missing;
        let options = Options {
            missing: is_missing,
            trimmed: is_missing,
            ..Options::default()
        };
        self.send(now, answer, options, out);
    }

    /// Sends an answer with these options and the number of the last pull.
    fn send(&self, now: Time, answer: Segment, options: Options, out: &mut dyn Transmit) {
        let answer = answer.with_options(Options {
            request: self.pulled,
            ..options
        });
        out.transmit(now, answer, self.header);
    }
}

impl Receiver for PullReceiver {
    /// Marks are ignored: the pulls control the rate.
    fn receive(
        &mut self,
        now: Time,
        packet: &Segment,
        _marked: bool,
        out: &mut dyn Transmit,
    ) -> u64 {
        if packet.len == 0 {
            return 0;
        }
        let new = self.beyond.insert(packet.seq.max(self.next), packet.end());
        self.next = self.beyond.take_through(self.next);
        let news = if new > 0 { News::Data } else { News::Nothing };
        self.answer(now, packet, news, out);
        new
    }

    fn receive_trimmed(&mut self, now: Time, packet: &Segment, out: &mut dyn Transmit) {
        let start = packet.seq.max(self.next);
        let known = self.beyond.octets(start, packet.end().max(start));
        let news = if start + known < packet.end() {
            News::Missing
        } else {
            News::Nothing
        };
        self.answer(now, packet, news, out);
    }

    fn pulls(&self) -> u64 {
        self.waiting
    }

    fn pull(&mut self, now: Time, out: &mut dyn Transmit) {
        if self.waiting == 0 {
            return;
        }
        self.waiting -= 1;
        self.pulled += 1;
        let pull = Segment::acknowledgment(self.next);
        let options = Options {
            sreq: true,
            ..Options::default()
        };
        self.send(now, pull, options, out);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Default)]
    struct Answers(Vec<Segment>);

    impl Transmit for Answers {
        fn transmit(&mut self, _now: Time, segment: Segment, octets: u64) {
            assert_eq!(octets, 64);
            self.0.push(segment);
        }
    }

    /// The last answer: its packet, the next octet expected, and the options.
    fn last(answers: &Answers) -> (u64, u64, Options) {
        let answer = answers.0.last().expect("an answer");
        (answer.seq, answer.ack, answer.options().expect("options"))
    }

    #[test]
    fn each_packet_whole_or_trimmed_is_answered_and_earns_a_pull() {
        let (mut receiver, mut out) = (PullReceiver::new(64), Answers::default());
        let now = Time::ZERO;
        assert_eq!(
            receiver.receive(now, &Segment::data(10, 10), false, &mut out),
            10
        );
        assert_eq!(last(&out), (10, 0, Options::default()));
        receiver.receive_trimmed(now, &Segment::data(0, 10), &mut out);
        let nack = Options {
            missing: true,
            trimmed: true,
            ..Options::default()
        };
        assert_eq!(last(&out), (0, 0, nack));
        assert_eq!(receiver.pulls(), 2);
        receiver.pull(now, &mut out);
        let pull = Options {
            request: 1,
            sreq: true,
            ..Options::default()
        };
        assert_eq!((last(&out).2, receiver.pulls()), (pull, 1));
        // Data that has arrived is not missing, even if another copy of it was trimmed.
        receiver.receive_trimmed(now, &Segment::data(10, 10), &mut out);
        assert!(!last(&out).2.missing);
    }

    #[test]
    fn no_pull_is_left_once_everything_has_arrived() {
        let (mut receiver, mut out) = (PullReceiver::new(64), Answers::default());
        let now = Time::ZERO;
        receiver.receive(now, &Segment::data(10, 10).with_fin(), false, &mut out);
        assert_eq!(receiver.pulls(), 1);
        receiver.receive(now, &Segment::data(0, 10), false, &mut out);
        assert_eq!(receiver.pulls(), 0);
        receiver.receive(now, &Segment::data(20, 10), false, &mut out);
        assert_eq!(receiver.pulls(), 1);
    }
}
