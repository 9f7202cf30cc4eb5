//! The output buffer: data that was sent and may have to be sent again.
//!
//! The buffer holds a fixed number of packets, each until all data up to its end has arrived, and
//! thus acts as a window of fixed size: Ajmone Marsan, Bianco, Lo Cigno, Munafò and Baldi, "On the
//! Performance of Transport Protocols over ATM Networks", section 2.2. Retransmitted packets have
//! the boundaries of the original ones.

use std::collections::VecDeque;

use crate::wire::segment::Segment;

/// A packet in the buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct XtpPacket {
    /// Number of its first octet.
    pub seq: u64,
    /// User octets.
    pub len: u32,
    /// The first request made with or after the last transmission of the packet: an answer to that
    /// request, or to a later one, decides whether the packet was lost.
    request: u32,
    /// True if the packet was sent more than once.
    again: bool,
    state: State,
}

/// State of a packet, as the sender knows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// In flight.
    Sent,
    /// Arrived, but data before the packet is missing.
    Arrived,
    /// Lost, so that it must be sent again.
    Lost,
}

impl XtpPacket {
    fn end(&self) -> u64 {
        self.seq + u64::from(self.len)
    }

    /// True if the packet is presumed to be in flight.
    pub fn is_under_way(&self) -> bool {
        self.state == State::Sent
    }

    /// True if an answer to request `echo` decides whether the packet was lost.
    pub fn is_known_to(&self, echo: u32) -> bool {
        self.request <= echo
    }

    /// True if the packet was sent more than once.
    pub fn was_sent_again(&self) -> bool {
        self.again
    }
}

/// The output buffer of one sender.
#[derive(Clone, Debug)]
pub struct SendBuffer {
    packets: VecDeque<XtpPacket>,
    capacity: usize,
    /// User octets of a full packet.
    payload: u64,
    /// End of the written data.
    written: u64,
    /// The first octet that was never sent.
    next_new: u64,
    /// Number of lost packets; none of them is before `first_lost`.
    lost: usize,
    first_lost: usize,
    /// Number of packets in the buffer that were sent again.
    again: usize,
    /// End of the last packet that has arrived.
    arrived: u64,
}

/// The next packet to send.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// A packet: its first octet, its length, and whether it was sent before.
    Packet {
        /// Number of its first octet.
        seq: u64,
        /// User octets.
        len: u32,
        /// True if the packet was sent before.
        again: bool,
    },
    /// The buffer is full.
    Full,
    /// No more data was written.
    Nothing,
}

impl SendBuffer {
    /// An empty buffer for `capacity` packets of up to `payload` user octets.
    pub fn new(capacity: u32, payload: u64) -> SendBuffer {
        SendBuffer {
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

    /// The application writes `octets`.
    pub fn write(&mut self, octets: u64) {
        self.written = self.written.saturating_add(octets);
    }

    /// The octet below which all data has arrived, in whole packets.
    pub fn una(&self) -> u64 {
        self.packets
            .front()
            .map_or(self.next_new, |packet| packet.seq)
    }

    /// The first octet that was never sent.
    pub fn next_new(&self) -> u64 {
        self.next_new
    }

    /// Octets in the buffer.
    pub fn octets(&self) -> u64 {
        self.next_new - self.una()
    }

    /// The next packet to send: lost packets go before new ones.
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

    /// Index of the first packet to send again.
    fn lost_packet(&self) -> Option<usize> {
        if self.lost == 0 {
            return None;
        }
        let mut places = self.first_lost..self.packets.len();
        places.find(|place| self.packets[*place].state == State::Lost)
    }

    /// True if the next packet to send ends at the end of all written data.
    pub fn next_is_last(&self) -> bool {
        let new = self.written - self.next_new;
        match self.lost {
            0 => new <= self.payload,
            lost => lost == 1 && new == 0,
        }
    }

    /// The next packet is sent; `request` is the first request made with it or after it.
    pub fn sent(&mut self, request: u32) {
        if let Some(place) = self.lost_packet() {
            let packet = &mut self.packets[place];
            self.again += usize::from(!packet.again);
            *packet = XtpPacket {
                request,
                again: true,
                state: State::Sent,
                ..*packet
            };
            self.lost -= 1;
            self.first_lost = place + 1;
        } else if let Next::Packet { seq, len, .. } = self.next() {
            self.packets.push_back(XtpPacket {
                seq,
                len,
                request,
                again: false,
                state: State::Sent,
            });
            self.next_new += u64::from(len);
        }
    }

    /// Removes packets that have arrived with all data before them, and marks other packets that
    /// have arrived.
    pub fn on_report(&mut self, report: &Segment) {
        while let Some(packet) = self
            .packets
            .pop_front_if(|packet| packet.end() <= report.ack)
        {
            self.lost -= usize::from(packet.state == State::Lost);
            self.again -= usize::from(packet.again);
            self.first_lost = self.first_lost.saturating_sub(1);
        }
        // A span that begins at a missing octet is not valid, and is ignored.
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

    /// Marks packets as lost: those for which `is_lost` is true, among those that the answer to
    /// request `echo` can decide. `is_lost` gets a packet, and true if a packet behind it has
    /// arrived. Returns the number of packets marked.
    pub fn mark_lost(
        &mut self,
        echo: u32,
        mut is_lost: impl FnMut(&XtpPacket, bool) -> bool,
    ) -> usize {
        let before = self.lost;
        for (place, packet) in self.packets.iter_mut().enumerate() {
            let is_gap = packet.seq < self.arrived;
            // Packets that were sent once are in the order of their requests, so the answer decides
            // no packet behind this one either.
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

    /// Marks the packet that begins at `seq` as lost, if it is presumed to be in flight; returns true
    /// then.
    pub fn mark_one_lost(&mut self, seq: u64) -> bool {
        let place = self.packets.partition_point(|packet| packet.seq < seq);
        let packet = self.packets.get_mut(place);
        let Some(packet) = packet.filter(|one| one.seq == seq && one.is_under_way()) else {
            return false;
        };
        packet.state = State::Lost;
        self.lost += 1;
        self.first_lost = self.first_lost.min(place);
        true
    }

    /// Marks all packets as lost that begin at `seq` or beyond.
    pub fn mark_lost_from(&mut self, seq: u64) {
        let place = self.packets.partition_point(|packet| packet.seq < seq);
        for packet in self.packets.range_mut(place..) {
            self.lost += usize::from(packet.state != State::Lost);
            packet.state = State::Lost;
        }
        self.first_lost = self.first_lost.min(place);
    }

    /// Marks all packets as lost.
    pub fn mark_all_lost(&mut self) {
        for packet in &mut self.packets {
            packet.state = State::Lost;
        }
        self.lost = self.packets.len();
        self.first_lost = 0;
    }

    /// The oldest packet in the buffer.
    pub fn first(&self) -> Option<&XtpPacket> {
        self.packets.front()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_retransmission_counts_until_it_has_arrived() {
        let mut buffer = SendBuffer::new(4, 10);
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
    fn data_missing_before_a_span_may_be_lost_whatever_the_request() {
        let mut buffer = SendBuffer::new(4, 10);
        buffer.write(40);
        (0..4).for_each(|_| buffer.sent(5));
        let mut report = Segment::acknowledgment(0);
        report.push_sack(20, 30);
        buffer.on_report(&report);
        assert_eq!(buffer.mark_lost(4, |_, is_gap| is_gap), 2);
        // The packet behind the span is decided by the answer to its own request.
        assert_eq!(buffer.mark_lost(5, |_, _| true), 1);
    }
}
