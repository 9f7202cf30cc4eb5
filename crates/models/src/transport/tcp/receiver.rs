//! The receiving end of TCP: keeps what comes out of order, acknowledges every segment at once.

use kernel::Time;

use crate::transport::ranges::Ranges;
use crate::transport::{Receiver, Segment, Transmit};

/// The receiving end.
#[derive(Clone, Debug)]
pub struct TcpReceiver {
    /// Octets of an acknowledgment on the wire.
    acknowledgment: u64,
    /// Next octet expected.
    next: u64,
    /// What has arrived beyond it.
    beyond: Ranges,
}

impl TcpReceiver {
    /// A receiver that has nothing yet.
    pub fn new(acknowledgment: u64) -> TcpReceiver {
        TcpReceiver {
            acknowledgment,
            next: 0,
            beyond: Ranges::default(),
        }
    }
}

impl Receiver for TcpReceiver {
    fn receive(
        &mut self,
        now: Time,
        segment: &Segment,
        _marked: bool,
        out: &mut dyn Transmit,
    ) -> u64 {
        let start = segment.seq.max(self.next);
        let end = segment.seq + u64::from(segment.len);
        let new = if start == self.next && self.beyond.is_empty() {
            self.next = self.next.max(end);
            end.saturating_sub(start)
        } else {
            let new = self.beyond.insert(start, end);
            self.next = self.beyond.take_through(self.next);
            new
        };
        out.transmit(now, Segment::acknowledgment(self.next), self.acknowledgment);
        new
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Acks(Vec<u64>);

    impl Transmit for Acks {
        fn transmit(&mut self, _now: Time, segment: Segment, octets: u64) {
            assert_eq!(octets, 40);
            self.0.push(segment.ack);
        }
    }

    /// Feeds segments of ten octets, by number, and returns the acknowledgments and what was new.
    fn check(arrivals: &[u64]) -> (Vec<u64>, Vec<u64>) {
        let mut receiver = TcpReceiver::new(40);
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
        let (acks, new) = check(&[0, 2, 3, 1, 1, 5, 4]);
        assert_eq!(acks, [10, 10, 10, 40, 40, 40, 60]);
        assert_eq!(new, [10, 10, 10, 10, 0, 10, 10]);
    }
}
