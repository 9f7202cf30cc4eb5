//! The output buffer: what was sent and may have to be sent again.
//!
//! It holds a fixed number of packets, each until everything up to its end has arrived, and so acts as
//! a window. A packet that is sent again is the same packet as before.

use std::collections::VecDeque;

use crate::segment::Segment;

/// A packet in the buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Packet {
    /// Number of its first octet.
    pub seq: u64,
    /// User octets.
    pub len: u32,
    /// The first request that was made with it, or after it was last sent: whoever answers that, or a
    /// later one, knows what has become of it.
    request: u32,
    /// It was sent more than once.
    again: bool,
    state: State,
}

/// What the sender thinks of a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// On its way.
    Sent,
    /// Arrived, but something before it has not.
    Arrived,
    /// Lost, and to be sent again.
    Lost,
}

impl Packet {
    fn end(&self) -> u64 {
        self.seq + u64::from(self.len)
    }

    /// It is taken to be on its way.
    pub fn is_under_way(&self) -> bool {
        self.state == State::Sent
    }

    /// Whoever answered request `echo` knew what had become of it.
    pub fn is_known_to(&self, echo: u32) -> bool {
        self.request <= echo
    }

    /// It was sent more than once.
    pub fn was_sent_again(&self) -> bool {
        self.again
    }
}

/// The output buffer of one sender.
#[derive(Clone, Debug)]
pub struct Buffer {
    packets: VecDeque<Packet>,
    capacity: usize,
    /// User octets of a full packet.
    payload: u64,
    /// All that is written has numbers below this.
    written: u64,
    /// The first octet that was never sent.
    next_new: u64,
    /// Packets that are to be sent again, none of which stands before `first_lost`.
    lost: usize,
    first_lost: usize,
    /// Packets that were sent again and have not been taken out.
    again: usize,
    /// End of the last packet that has arrived.
    arrived: u64,
}

/// What can be sent next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// A packet: its first octet and its length; whether it is sent again.
    Packet {
        /// Number of its first octet.
        seq: u64,
        /// User octets.
        len: u32,
        /// It was sent before.
        again: bool,
    },
    /// The buffer is full.
    Full,
    /// Nothing more was written.
    Nothing,
}

impl Buffer {
    /// An empty buffer for so many packets of up to `payload` user octets.
    pub fn new(capacity: u32, payload: u64) -> Buffer {
        Buffer {
            packets: VecDeque::new(),
            capacity: capacity as usize,
            payload,
            written: 0,
            next_new: 0,
            lost: 0,
            first_lost: 0,
            again: 0,
            arrived: 0,
        }
    }

    /// The application writes so many octets.
    pub fn write(&mut self, octets: u64) {
        self.written = self.written.saturating_add(octets);
    }

    /// All below this has arrived, in whole packets.
    pub fn una(&self) -> u64 {
        self.packets
            .front()
            .map_or(self.next_new, |packet| packet.seq)
    }

    /// The first octet that was never sent.
    pub fn next_new(&self) -> u64 {
        self.next_new
    }

    /// Octets that it holds.
    pub fn octets(&self) -> u64 {
        self.next_new - self.una()
    }

    /// What comes next: what is lost, before what is new.
    pub fn next(&self) -> Next {
        if let Some(packet) = self.lost_packet().map(|index| self.packets[index]) {
            return Next::Packet {
                seq: packet.seq,
                len: packet.len,
                again: true,
            };
        }
        let len = (self.written - self.next_new).min(self.payload);
        if len == 0 {
            return Next::Nothing;
        }
        if self.packets.len() >= self.capacity {
            return Next::Full;
        }
        Next::Packet {
            seq: self.next_new,
            len: len as u32,
            again: false,
        }
    }

    /// Place of the first packet that is to be sent again.
    fn lost_packet(&self) -> Option<usize> {
        if self.lost == 0 {
            return None;
        }
        let mut places = self.first_lost..self.packets.len();
        places.find(|place| self.packets[*place].state == State::Lost)
    }

    /// Nothing follows what comes next, of all that was written.
    pub fn next_is_last(&self) -> bool {
        let new = self.written - self.next_new;
        match self.lost {
            0 => new <= self.payload,
            lost => lost == 1 && new == 0,
        }
    }

    /// What comes next is sent, and `request` is the first that is made with it or after it.
    pub fn sent(&mut self, request: u32) {
        if let Some(place) = self.lost_packet() {
            let packet = &mut self.packets[place];
            self.again += usize::from(!packet.again);
            *packet = Packet {
                request,
                again: true,
                state: State::Sent,
                ..*packet
            };
            self.lost -= 1;
            self.first_lost = place + 1;
        } else if let Next::Packet { seq, len, .. } = self.next() {
            self.packets.push_back(Packet {
                seq,
                len,
                request,
                again: false,
                state: State::Sent,
            });
            self.next_new += u64::from(len);
        }
    }

    /// Takes out what has arrived with all before it, and notes what else has.
    pub fn on_report(&mut self, report: &Segment) {
        while let Some(packet) = self
            .packets
            .pop_front_if(|packet| packet.end() <= report.ack)
        {
            self.lost -= usize::from(packet.state == State::Lost);
            self.again -= usize::from(packet.again);
            self.first_lost = self.first_lost.saturating_sub(1);
        }
        // A span that begins where something is missing tells nothing.
        let una = self.una();
        for (start, end) in report.sacks().filter(|(start, _)| *start > una) {
            let first = self.packets.partition_point(|packet| packet.seq < start);
            for packet in self.packets.range_mut(first..) {
                if packet.end() > end {
                    break;
                }
                self.lost -= usize::from(packet.state == State::Lost);
                packet.state = State::Arrived;
                self.arrived = self.arrived.max(packet.end());
            }
        }
    }

    /// Takes those packets for lost of which `is_lost` says so, if anything may be known of them from
    /// the answer to request `echo`; it is told of a packet whether one behind it has arrived. Returns
    /// how many there are.
    pub fn mark_lost(
        &mut self,
        echo: u32,
        mut is_lost: impl FnMut(&Packet, bool) -> bool,
    ) -> usize {
        let before = self.lost;
        for (place, packet) in self.packets.iter_mut().enumerate() {
            let is_gap = packet.seq < self.arrived;
            // What is sent once is sent in order, so that nothing is known of what follows.
            if !is_gap && self.again == 0 && !packet.is_known_to(echo) {
                break;
            }
            if packet.is_under_way() && is_lost(packet, is_gap) {
                packet.state = State::Lost;
                self.lost += 1;
                self.first_lost = self.first_lost.min(place);
            }
        }
        self.lost - before
    }

    /// Takes everything for lost.
    pub fn mark_all_lost(&mut self) {
        for packet in &mut self.packets {
            packet.state = State::Lost;
        }
        self.lost = self.packets.len();
        self.first_lost = 0;
    }

    /// The packet that has been there for longest.
    pub fn first(&self) -> Option<&Packet> {
        self.packets.front()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_sent_again_counts_until_it_has_arrived() {
        let mut buffer = Buffer::new(4, 10);
        buffer.write(20);
        buffer.sent(1);
        buffer.sent(1);
        buffer.mark_all_lost();
        assert_eq!(buffer.lost, 2);
        buffer.sent(2);
        assert_eq!((buffer.again, buffer.lost), (1, 1));
        assert!(buffer.next_is_last());
        // A packet that is sent a third time is still one packet.
        buffer.mark_all_lost();
        buffer.sent(3);
        assert_eq!(buffer.again, 1);
        buffer.on_report(&Segment::acknowledgment(10));
        assert_eq!((buffer.again, buffer.una()), (0, 10));
    }

    #[test]
    fn what_is_missing_before_a_span_may_be_lost_whatever_was_asked() {
        let mut buffer = Buffer::new(4, 10);
        buffer.write(40);
        (0..4).for_each(|_| buffer.sent(5));
        let mut report = Segment::acknowledgment(0);
        report.push_sack(20, 30);
        buffer.on_report(&report);
        assert_eq!(buffer.mark_lost(4, |_, is_gap| is_gap), 2);
        // What follows the span, an answer to its own request tells of.
        assert_eq!(buffer.mark_lost(5, |_, _| true), 1);
    }
}
