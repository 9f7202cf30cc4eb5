//! Packets that wait at an output.

use std::collections::VecDeque;

use kernel::Time;

use crate::output::queue::Lists;
use crate::output::scheduler::Scheduler;
use crate::unit::Packet;
use crate::vc::Vc;

/// Packets that leave in the order in which they came: committed to the link when they are accepted.
#[derive(Default)]
pub struct InOrder {
    /// When each starts that has not started, and its octets.
    packets: VecDeque<(Time, u32)>,
    octets: u64,
}

impl InOrder {
    /// Takes in, at `now`, a packet that starts at `start`.
    #[inline]
    pub fn accept(&mut self, now: Time, start: Time, octets: u32) {
        if start > now {
            self.packets.push_back((start, octets));
            self.octets += u64::from(octets);
        }
    }

    /// Octets that wait at `now`: the packet that starts at `now` has left the buffer.
    #[inline]
    pub fn waiting(&mut self, now: Time) -> u64 {
        while let Some((start, octets)) = self.packets.front()
            && *start <= now
        {
            self.octets -= u64::from(*octets);
            self.packets.pop_front();
        }
        self.octets
    }

    /// Octets that waited when that was last asked, and what has joined since.
    pub fn octets(&self) -> u64 {
        self.octets
    }

    /// When the first of them starts, if any waits.
    pub fn next_start(&self) -> Option<Time> {
        self.packets.front().map(|(start, _)| *start)
    }

    /// How long all will go on waiting after `now`, octet by octet, in picoseconds.
    pub fn rest(&self, now: Time) -> u128 {
        let packets = self.packets.iter();
        packets
            .map(|(start, octets)| u128::from(start.since(now).ps()) * u128::from(*octets))
            .sum()
    }
}

/// Packets in a queue for each channel, of which a scheduler chooses the next.
pub struct Chosen {
    scheduler: Box<dyn Scheduler>,
    packets: Lists<Packet>,
    /// Octets that wait, by channel and together.
    by_vc: Box<[u64]>,
    octets: u64,
    /// Until when it has been told how long they waited.
    told: Time,
}

impl Chosen {
    /// Empty queues for so many channels.
    pub fn new(scheduler: Box<dyn Scheduler>, vcs: usize) -> Chosen {
        Chosen {
            scheduler,
            packets: Lists::new(vcs),
            by_vc: vec![0; vcs].into(),
            octets: 0,
            told: Time::ZERO,
        }
    }

    /// Takes in a packet; whether it goes at once, since the link is free and none waits.
    pub fn accept(&mut self, packet: &Packet, is_free: bool) -> bool {
        let queue = packet.vc.index();
        if is_free && self.octets == 0 {
            self.scheduler.pass(queue, packet.octets);
            return true;
        }
        // When each came does not matter: how long all waited is counted.
        if self.packets.push(queue, packet, Time::ZERO) {
            self.scheduler.begin(queue, packet.octets);
        }
        self.by_vc[queue] += u64::from(packet.octets);
        self.octets += u64::from(packet.octets);
        false
    }

    /// Takes out the packet that goes next.
    pub fn pop(&mut self) -> Packet {
        let queue = self.scheduler.next().expect("a packet waits");
        let taken = self.packets.pop(queue);
        let next = taken.more.then(|| self.packets.first(queue).octets);
        self.scheduler.served(queue, next);
        self.by_vc[queue] -= u64::from(taken.unit.octets);
        self.octets -= u64::from(taken.unit.octets);
        taken.unit
    }

    /// The packet that goes next, if any waits.
    pub fn first(&self) -> Option<&Packet> {
        let queue = self.scheduler.next()?;
        Some(self.packets.first(queue))
    }

    /// Octets that wait.
    pub fn octets(&self) -> u64 {
        self.octets
    }

    /// How many channels there are.
    pub fn channels(&self) -> usize {
        self.by_vc.len()
    }

    /// Octets that wait on one channel.
    pub fn octets_on(&self, vc: Vc) -> u64 {
        self.by_vc[vc.index()]
    }

    /// How long octets have waited since this was last asked, all together, in picoseconds; to be
    /// asked before what waits changes.
    pub fn waited(&mut self, now: Time) -> u128 {
        let told = std::mem::replace(&mut self.told, now);
        u128::from(now.since(told).ps()) * u128::from(self.octets)
    }
}
