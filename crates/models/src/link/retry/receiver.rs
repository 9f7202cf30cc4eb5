//! The receiving end of a direction of a link with retry: which frames it accepts, and which ordered
//! sets it owes. The states are those of `sai_port_llr_rx_status_t`: see `llr.rs`.

use crate::wire::between::ordered_set::OrderedSet;

/// The receiving end of a direction of a link.
#[derive(Clone, Copy, Debug, Default)]
pub struct RetryReceiver {
    /// Number of the last frame that arrived in order.
    last: u64,
    state: Reception,
    /// True if a frame has arrived since the last acknowledgment was sent.
    owes_ack: bool,
    /// The echo that is to be sent.
    echo: Option<OrderedSet>,
    /// The numbers of the last INIT and of its echo.
    init: Option<(u64, u64)>,
}

/// The state of the receiver, by the frames that have arrived.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Reception {
    /// It acknowledges them: `SEND_ACKS`.
    #[default]
    SendAcks,
    /// It has found a gap, and is about to send a NACK: `SEND_NACK`.
    SendNack,
    /// It has sent a NACK, and waits in silence for the expected frame: `NACK_SENT`.
    NackSent,
}

impl RetryReceiver {
    /// A frame arrives; returns true if it is the expected one, and false if it is to be discarded.
    pub fn on_frame(&mut self, number: u64) -> bool {
        let is_expected = number == self.last + 1;
        if is_expected {
            self.last = number;
            self.state = Reception::SendAcks;
        } else if number > self.last {
            self.find_gap();
            return false;
        }
        // A duplicate shows that the acknowledgment of the frame was lost.
        self.owes_ack = true;
        is_expected
    }

    /// A frame arrives with a wrong check sequence.
    pub fn on_damaged(&mut self) {
        self.find_gap();
    }

    fn find_gap(&mut self) {
        if self.state == Reception::SendAcks {
            self.state = Reception::SendNack;
        }
    }

    /// An INIT arrives: the next frame has the number `next`, and those before it that have not
    /// arrived are given up.
    pub fn on_init(&mut self, next: u64) {
        let arrived = match self.init {
            Some((before, arrived)) if before == next => arrived,
            _ => {
                let arrived = self.last;
                *self = RetryReceiver {
                    last: next - 1,
                    init: Some((next, arrived)),
                    ..RetryReceiver::default()
                };
                arrived
            }
        };
        self.echo = Some(OrderedSet::InitEcho {
            next,
            last: arrived,
        });
    }

    /// The ordered set that is to be sent as soon as possible.
    pub fn urgent(&self) -> Option<OrderedSet> {
        let nack = || OrderedSet::Nack { last: self.last };
        let has_gap = self.state == Reception::SendNack;
        self.echo.or_else(|| has_gap.then(nack))
    }

    /// The acknowledgment that is owed; none in the silence after a NACK.
    pub fn ack(&self) -> Option<OrderedSet> {
        let acknowledges = self.owes_ack && self.state == Reception::SendAcks;
        acknowledges.then_some(OrderedSet::Ack { last: self.last })
    }

    /// An ordered set that this end owes is sent.
    pub fn sent(&mut self, set: OrderedSet) {
        match set {
            OrderedSet::InitEcho { .. } => self.echo = None,
            OrderedSet::Nack { .. } => {
                self.state = Reception::NackSent;
                self.owes_ack = false;
            }
            OrderedSet::Ack { .. } => self.owes_ack = false,
            OrderedSet::Init { .. } => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lets the frames with these numbers arrive, 0 for a damaged one, and sends what is owed at once;
    /// returns the accepted numbers and the sets.
    fn answers(receiver: &mut RetryReceiver, numbers: &[u64]) -> (Vec<u64>, Vec<OrderedSet>) {
        let (mut accepted, mut sets) = (Vec::new(), Vec::new());
        for number in numbers {
            if *number == 0 {
                receiver.on_damaged();
            } else if receiver.on_frame(*number) {
                accepted.push(*number);
            }
            if let Some(set) = receiver.urgent().or_else(|| receiver.ack()) {
                receiver.sent(set);
                sets.push(set);
            }
        }
        (accepted, sets)
    }

    fn ack(last: u64) -> OrderedSet {
        OrderedSet::Ack { last }
    }

    fn nack(last: u64) -> OrderedSet {
        OrderedSet::Nack { last }
    }

    #[test]
    fn one_nack_answers_a_gap_and_silence_lasts_until_the_expected_frame() {
        let mut receiver = RetryReceiver::default();
        let (accepted, sets) = answers(&mut receiver, &[1, 3, 4, 5, 2, 3]);
        assert_eq!(accepted, [1, 2, 3]);
        assert_eq!(sets, [ack(1), nack(1), ack(2), ack(3)]);
    }

    #[test]
    fn a_damaged_frame_is_answered_at_once() {
        let mut receiver = RetryReceiver::default();
        let (accepted, sets) = answers(&mut receiver, &[1, 0, 0, 3, 2]);
        assert_eq!(
            (accepted, sets),
            (vec![1, 2], vec![ack(1), nack(1), ack(2)])
        );
    }

    #[test]
    fn a_duplicate_is_discarded_and_acknowledged_again() {
        let mut receiver = RetryReceiver::default();
        let (accepted, sets) = answers(&mut receiver, &[1, 2, 1, 2]);
        assert_eq!(accepted, [1, 2]);
        assert_eq!(sets, [ack(1), ack(2), ack(2), ack(2)]);
    }

    #[test]
    fn an_echo_tells_what_arrived_before_the_init_however_often_the_init_comes() {
        let mut receiver = RetryReceiver::default();
        answers(&mut receiver, &[1, 2, 4]);
        for _ in 0..2 {
            receiver.on_init(7);
            let echo = OrderedSet::InitEcho { next: 7, last: 2 };
            assert_eq!(receiver.urgent(), Some(echo));
            receiver.sent(echo);
        }
        assert_eq!(answers(&mut receiver, &[7, 8]).0, [7, 8]);
    }
}
