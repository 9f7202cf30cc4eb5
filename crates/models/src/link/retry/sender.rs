//! The sending end of a direction of a link with retry: the replay buffer and its timer. The states
//! are those of `sai_port_llr_tx_status_t`: see `llr.rs`.

use std::collections::VecDeque;

use kernel::Time;

use super::{FlushAction, FrameBody, NumberedFrame, RetryLimits};
use crate::wire::between::ordered_set::OrderedSet;

/// The sending end of a direction of a link.
#[derive(Clone, Debug)]
pub struct RetrySender {
    limits: RetryLimits,
    /// The replay buffer: frames that are sent and not acknowledged, in order.
    buffer: VecDeque<BufferedFrame>,
    /// Octets of the frames in the replay buffer.
    octets: u64,
    /// Number of the first frame in the replay buffer, or of the next new frame.
    first: u64,
    state: Transmission,
    /// Replays since the last acknowledgment of a frame.
    replays: u32,
    /// Time of the last acknowledgment of a frame.
    progress_at: Time,
}

#[derive(Clone, Copy, Debug)]
struct BufferedFrame {
    body: FrameBody,
    /// End of its last transmission.
    sent: Time,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Transmission {
    /// New frames are sent: `ADVANCE`.
    Advance,
    /// The frames of the replay buffer from this number on are sent again: `REPLAY`.
    Replay { next: u64 },
    /// The frames of the replay buffer are given up, and the next INIT is sent at this time: `FLUSH`
    /// and `INIT`.
    Flush { init_at: Time },
}

/// The fate of a frame that leaves the replay buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BufferedFrameFate {
    /// The frame has arrived.
    Arrived,
    /// The frame has not arrived, and is given up.
    GivenUp,
}

impl RetrySender {
    /// A sender before its first frame.
    pub fn new(limits: RetryLimits) -> RetrySender {
        RetrySender {
            limits,
            buffer: VecDeque::new(),
            octets: 0,
            first: 1,
            state: Transmission::Advance,
            replays: 0,
            progress_at: Time::ZERO,
        }
    }

    /// Number of the next new frame.
    fn next_number(&self) -> u64 {
        self.first + self.buffer.len() as u64
    }

    /// True if no new packet may be sent: the replay buffer may be too full for it, frames are being
    /// replayed, or packets wait for the end of a flush.
    pub fn is_blocked(&self) -> bool {
        match self.state {
            Transmission::Advance => {
                self.buffer.len() as u64 >= self.limits.frames
                    || self.octets + self.limits.largest > self.limits.octets
            }
            Transmission::Replay { .. } => true,
            Transmission::Flush { .. } => self.limits.flush_action == FlushAction::Block,
        }
    }

    /// True from a flush until the other end has answered the INIT.
    pub fn is_flushing(&self) -> bool {
        matches!(self.state, Transmission::Flush { .. })
    }

    /// Frames that are sent and not acknowledged.
    pub fn outstanding(&self) -> u64 {
        self.buffer.len() as u64
    }

    /// Takes a frame into the replay buffer, whose first transmission ends at `sent`.
    pub fn send(&mut self, body: FrameBody, sent: Time) -> NumberedFrame {
        debug_assert!(self.state == Transmission::Advance && !self.is_blocked());
        let number = self.next_number();
        self.octets += u64::from(body.octets());
        self.buffer.push_back(BufferedFrame { body, sent });
        NumberedFrame { body, number }
    }

    /// The frame that is to be replayed next.
    pub fn replay(&self) -> Option<NumberedFrame> {
        let Transmission::Replay { next: number } = self.state else {
            return None;
        };
        let BufferedFrame { body, .. } = self.buffer[(number - self.first) as usize];
        Some(NumberedFrame { body, number })
    }

    /// The frame of [`RetrySender::replay`] is sent; its transmission ends at `sent`.
    pub fn replayed(&mut self, sent: Time) {
        if let Transmission::Replay { next } = &mut self.state {
            self.buffer[(*next - self.first) as usize].sent = sent;
            *next += 1;
            self.end_replay();
        }
    }

    /// Ends the replay if it has reached the end of the replay buffer.
    fn end_replay(&mut self) {
        if let Transmission::Replay { next } = self.state
            && next == self.next_number()
        {
            self.state = Transmission::Advance;
        }
    }

    /// An ACK arrives: all frames up to `last` have arrived. Calls `leave` with what each frame carries
    /// that leaves the replay buffer.
    pub fn on_ack(&mut self, now: Time, last: u64, leave: impl FnMut(FrameBody)) {
        if !self.is_flushing() {
            self.acknowledge(now, last, leave);
        }
    }

    /// A NACK arrives: all frames up to `last` have arrived, and the next one has not. A replay begins;
    /// returns true if it is one too many, and a flush begins instead.
    pub fn on_nack(&mut self, now: Time, last: u64, leave: impl FnMut(FrameBody)) -> bool {
        if self.is_flushing() {
            return false;
        }
        self.acknowledge(now, last, leave);
        self.begin_replay(now)
    }

    fn acknowledge(&mut self, now: Time, last: u64, mut leave: impl FnMut(FrameBody)) {
        while self.first <= last
            && let Some(BufferedFrame { body, .. }) = self.buffer.pop_front()
        {
            self.octets -= u64::from(body.octets());
            self.first += 1;
            self.replays = 0;
            self.progress_at = now;
            leave(body);
        }
        if let Transmission::Replay { next } = &mut self.state {
            *next = self.first.max(*next);
            self.end_replay();
        }
    }

    /// Begins a replay of what the replay buffer holds, or a flush after too many replays; returns
    /// true if a flush begins.
    fn begin_replay(&mut self, now: Time) -> bool {
        if self.buffer.is_empty() {
            return false;
        }
        self.replays += 1;
        let flushes = self.replays > self.limits.replays;
        self.state = if flushes {
            Transmission::Flush { init_at: now }
        } else {
            Transmission::Replay { next: self.first }
        };
        flushes
    }

    /// Time at which the replay timer expires: it runs from the end of the last transmission of the
    /// first frame in the replay buffer, and from the last acknowledgment.
    pub fn deadline(&self) -> Time {
        let is_waiting = match self.state {
            Transmission::Advance => true,
            Transmission::Replay { next } => next > self.first,
            Transmission::Flush { .. } => false,
        };
        let first = self.buffer.front().filter(|_| is_waiting);
        first.map_or(Time::NEVER, |first| {
            first.sent.max(self.progress_at) + self.limits.timer
        })
    }

    /// The replay timer expires at `now`: a replay begins; returns true if it is one too many, and a
    /// flush begins instead.
    pub fn on_timeout(&mut self, now: Time) -> bool {
        self.begin_replay(now)
    }

    /// The INIT that is to be sent in a flush, and the earliest time of it.
    pub fn init(&self) -> Option<(Time, OrderedSet)> {
        let Transmission::Flush { init_at } = self.state else {
            return None;
        };
        let next = self.next_number();
        Some((init_at, OrderedSet::Init { next }))
    }

    /// The INIT is sent; its transmission ends at `sent`. It is repeated until the answer arrives.
    pub fn init_sent(&mut self, sent: Time) {
        if let Transmission::Flush { init_at } = &mut self.state {
            *init_at = sent + self.limits.timer;
        }
    }

    /// The echo of the INIT with the number `next` arrives: the frames up to `last` have arrived, and
    /// the others are given up. Calls `leave` with what each frame carries that leaves the replay
    /// buffer.
    pub fn on_echo(
        &mut self,
        now: Time,
        next: u64,
        last: u64,
        mut leave: impl FnMut(FrameBody, BufferedFrameFate),
    ) {
        if !self.is_flushing() || next != self.next_number() {
            return;
        }
        self.acknowledge(now, last, |body| {
            leave(body, BufferedFrameFate::Arrived);
        });
        for BufferedFrame { body, .. } in self.buffer.drain(..) {
            leave(body, BufferedFrameFate::GivenUp);
        }
        self.first = next;
        self.octets = 0;
        self.replays = 0;
        self.state = Transmission::Advance;
    }
}

#[cfg(test)]
mod tests {
    use crate::wire::ecn::CongestionField;
    use kernel::Duration;

    use super::BufferedFrameFate::{Arrived, GivenUp};
    use super::*;
    use crate::wire::contents::ContentsId;
    use crate::wire::unit::PacketUnit;
    use crate::wire::vc::Vc;

    const LIMITS: RetryLimits = RetryLimits {
        frames: 3,
        octets: 1000,
        largest: 300,
        timer: Duration::from_us(10),
        replays: 2,
        spacing: Duration::ZERO,
        flush_action: FlushAction::Block,
    };

    fn us(time: u64) -> Time {
        Time::ZERO + Duration::from_us(time)
    }

    fn packet(octets: u32) -> FrameBody {
        FrameBody::Packet(PacketUnit {
            vc: Vc(0),
            contents: ContentsId(0),
            octets,
            congestion: CongestionField::Clear,
            trimmed: false,
            input: 0,
        })
    }

    /// A sender that has sent as many frames, at 1, 2, ... microseconds.
    fn sender(frames: u64, limits: RetryLimits) -> RetrySender {
        let mut sender = RetrySender::new(limits);
        for frame in 1..=frames {
            assert_eq!(sender.send(packet(300), us(frame)).number, frame);
        }
        sender
    }

    /// Replays until the end, and returns the numbers.
    fn replayed(sender: &mut RetrySender) -> Vec<u64> {
        let mut numbers = Vec::new();
        while let Some(NumberedFrame { number, .. }) = sender.replay() {
            numbers.push(number);
            sender.replayed(us(20));
        }
        numbers
    }

    #[test]
    fn the_replay_buffer_is_bounded_by_frames_and_by_octets() {
        let of_octets = RetryLimits {
            octets: 899,
            ..LIMITS
        };
        assert!(!sender(2, LIMITS).is_blocked());
        assert!(sender(3, LIMITS).is_blocked());
        assert!(sender(2, of_octets).is_blocked());
        let mut sender = sender(3, LIMITS);
        sender.on_ack(us(5), 1, |_| {});
        assert!(!sender.is_blocked());
    }

    #[test]
    fn a_nack_acknowledges_and_replays_the_rest() {
        let mut sender = sender(3, LIMITS);
        let mut left = 0;
        assert!(!sender.on_nack(us(5), 1, |_| left += 1));
        assert_eq!(left, 1);
        assert!(sender.is_blocked());
        assert_eq!(replayed(&mut sender), [2, 3]);
        assert!(!sender.is_blocked());
        assert_eq!(sender.send(packet(300), us(21)).number, 4);
    }

    #[test]
    fn an_ack_in_a_replay_skips_what_has_arrived() {
        let mut sender = sender(3, LIMITS);
        sender.on_nack(us(5), 0, |_| {});
        sender.replayed(us(6));
        sender.on_ack(us(7), 2, |_| {});
        assert_eq!(replayed(&mut sender), [3]);
    }

    #[test]
    fn the_timer_runs_from_the_first_frame_and_from_progress() {
        let mut sender = sender(3, LIMITS);
        assert_eq!(sender.deadline(), us(11));
        sender.on_ack(us(5), 1, |_| {});
        assert_eq!(sender.deadline(), us(15));
        assert!(!sender.on_timeout(us(15)));
        // The first frame has not been sent again.
        assert_eq!(sender.deadline(), Time::NEVER);
        sender.replayed(us(17));
        assert_eq!(sender.deadline(), us(27));
        sender.on_ack(us(18), 3, |_| {});
        assert_eq!(sender.deadline(), Time::NEVER);
    }

    #[test]
    fn too_many_replays_flush_and_the_echo_tells_what_arrived() {
        let mut sender = sender(3, LIMITS);
        for _ in 0..2 {
            assert!(!sender.on_timeout(us(30)));
            replayed(&mut sender);
        }
        assert!(sender.on_timeout(us(40)));
        assert!(sender.is_flushing() && sender.is_blocked());
        assert_eq!(sender.init(), Some((us(40), OrderedSet::Init { next: 4 })));
        sender.init_sent(us(41));
        assert_eq!(sender.init(), Some((us(51), OrderedSet::Init { next: 4 })));
        let mut fates = Vec::new();
        sender.on_ack(us(45), 3, |_| panic!("an ACK does not end a flush"));
        sender.on_echo(us(46), 4, 1, |_, fate| fates.push(fate));
        assert_eq!(fates, [Arrived, GivenUp, GivenUp]);
        assert_eq!(sender.send(packet(300), us(47)).number, 4);
    }

    #[test]
    fn progress_allows_as_many_replays_again() {
        let mut sender = sender(3, LIMITS);
        for last in [0, 0, 1, 1, 2, 2] {
            assert!(!sender.on_nack(us(5), last, |_| {}), "{last}");
        }
        assert!(sender.on_nack(us(5), 2, |_| {}));
        assert!(sender.is_flushing());
    }
}
