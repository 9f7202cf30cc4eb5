//! The packets that a sender has sent, from the first of which the receiver has not said that it arrived.
//!
//! NDP, SIGCOMM 2017, section 3.2: a packet that is sent again has the boundaries of the original.

use std::collections::VecDeque;

use kernel::{Duration, Time};

/// A packet that was sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SentPacket {
    /// Number of its first octet.
    pub seq: u64,
    /// User octets.
    pub len: u32,
    /// Time at which it was last sent.
    pub at: Time,
    /// True if it was sent more than once.
    pub again: bool,
    state: State,
}

/// State of a packet, as the sender knows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// In flight.
    UnderWay,
    /// Arrived, but a packet before it has not.
    Arrived,
    /// To be sent again.
    Lost,
}

/// The packets of one sender, in the order of their octets.
#[derive(Clone, Debug, Default)]
pub struct SentPackets {
    packets: VecDeque<SentPacket>,
    /// Number of lost packets; none of them is before `first_lost`.
    lost: usize,
    first_lost: usize,
    /// Number of packets in flight.
    under_way: usize,
}

impl SentPackets {
    /// The oldest packet that has not arrived.
    pub fn first(&self) -> Option<&SentPacket> {
        self.packets.front()
    }

    /// Number of packets in flight.
    pub fn under_way(&self) -> usize {
        self.under_way
    }

    /// True if a packet is to be sent again.
    pub fn has_lost(&self) -> bool {
        self.lost > 0
    }

    /// A packet is sent for the first time.
    pub fn push(&mut self, now: Time, seq: u64, len: u32) {
        self.under_way += 1;
        self.packets.push_back(SentPacket {
            seq,
            len,
            at: now,
            again: false,
            state: State::UnderWay,
        });
    }

    /// Takes the first lost packet, which is sent again at `now`.
    pub fn send_again(&mut self, now: Time) -> Option<SentPacket> {
        // Asked before each new packet, of which a window may send thousands at once.
        if self.lost == 0 {
            return None;
        }
        let mut places = self.first_lost..self.packets.len();
        let place = places.find(|place| self.packets[*place].state == State::Lost)?;
        let packet = &mut self.packets[place];
        *packet = SentPacket {
            at: now,
            again: true,
            state: State::UnderWay,
            ..*packet
        };
        self.lost -= 1;
        self.under_way += 1;
        self.first_lost = place + 1;
        Some(*packet)
    }

    /// The packet at `seq` has arrived, and so have all octets below `all`; returns the packet if that
    /// was not known.
    pub fn arrive(&mut self, seq: u64, all: u64) -> Option<SentPacket> {
        let place = self.place_of(seq);
        let found = place.map(|place| self.packets[place]);
        if let Some(place) = place {
            self.become_arrived(place);
        }
        // The answers for some of them may come late or never, while the others say everything.
        while let Some(packet) = self.packets.front()
            && (packet.state == State::Arrived || packet.seq + u64::from(packet.len) <= all)
        {
            self.become_arrived(0);
            self.packets.pop_front();
            self.first_lost = self.first_lost.saturating_sub(1);
        }
        found.filter(|packet| packet.state != State::Arrived)
    }

    fn become_arrived(&mut self, place: usize) {
        let packet = &mut self.packets[place];
        match packet.state {
            State::UnderWay => self.under_way -= 1,
            State::Lost => self.lost -= 1,
            State::Arrived => {}
        }
        packet.state = State::Arrived;
    }

    /// The packet at `seq` was trimmed; returns true if it was taken to be in flight.
    pub fn lose(&mut self, seq: u64) -> bool {
        let place = self.place_of(seq);
        let Some(place) = place.filter(|place| self.packets[*place].state == State::UnderWay)
        else {
            return false;
        };
        self.become_lost(place);
        true
    }

    fn become_lost(&mut self, place: usize) {
        self.packets[place].state = State::Lost;
        self.under_way -= 1;
        self.lost += 1;
        self.first_lost = self.first_lost.min(place);
    }

    /// Takes the packets for lost that were last sent `after` ago or earlier; returns their number.
    pub fn expire(&mut self, now: Time, after: Duration) -> usize {
        let before = self.lost;
        for place in 0..self.packets.len() {
            let SentPacket { at, state, .. } = self.packets[place];
            if state == State::UnderWay && at + after <= now {
                self.become_lost(place);
            }
        }
        self.lost - before
    }

    /// Time at which the packet in flight was sent that was sent first; none if none is in flight.
    pub fn earliest(&self) -> Option<Time> {
        let in_flight = self
            .packets
            .iter()
            .filter(|one| one.state == State::UnderWay);
        in_flight.map(|packet| packet.at).min()
    }

    fn place_of(&self, seq: u64) -> Option<usize> {
        let place = self.packets.partition_point(|packet| packet.seq < seq);
        let packet = self.packets.get(place)?;
        (packet.seq == seq).then_some(place)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const US: fn(u64) -> Time = |us| Time::from_ps(us * 1_000_000);

    fn three() -> SentPackets {
        let mut sent = SentPackets::default();
        for number in 0..3 {
            sent.push(US(number), number * 10, 10);
        }
        sent
    }

    #[test]
    fn what_was_trimmed_goes_again_in_the_order_of_its_octets() {
        let mut sent = three();
        assert!(sent.lose(20) && sent.lose(0) && !sent.lose(0) && !sent.lose(5));
        assert_eq!(sent.under_way(), 1);
        let again = [0, 1].map(|_| sent.send_again(US(9)).expect("a lost packet").seq);
        assert_eq!((again, sent.under_way()), ([0, 20], 3));
        assert_eq!(sent.send_again(US(9)), None);
    }

    #[test]
    fn a_packet_stays_until_all_before_it_have_arrived() {
        let mut sent = three();
        assert!(sent.arrive(10, 0).is_some_and(|packet| !packet.again));
        assert_eq!(sent.arrive(10, 0), None);
        assert_eq!(sent.first().map(|packet| packet.seq), Some(0));
        assert!(sent.arrive(0, 0).is_some());
        assert_eq!(sent.first().map(|packet| packet.seq), Some(20));
        assert_eq!((sent.under_way(), sent.earliest()), (1, Some(US(2))));
    }

    #[test]
    fn only_packets_in_flight_expire() {
        let mut sent = three();
        sent.arrive(10, 0);
        assert_eq!(sent.expire(US(7), Duration::from_us(6)), 1);
        assert!(sent.has_lost() && sent.earliest() == Some(US(2)));
        assert_eq!(sent.expire(US(8), Duration::from_us(6)), 1);
        assert_eq!(sent.earliest(), None);
    }
}
