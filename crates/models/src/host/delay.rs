//! Jitter delays packets between the queue of their flow and the link.
//!
//! Each packet leaves a random time after it was handed over, or after the packet before it has
//! left, whichever is later. So the time between packets on the link is random even if a host
//! always has more to send. If the time were added before the queue, a host with a backlog would
//! still send back to back, and its packets would keep the exact spacing of the link. Floyd and
//! Jacobson, "On Traffic Phase Effects in Packet-Switched Gateways", Internetworking: Research and
//! Experience 3(3), 1992, place their processing time there too.

use std::collections::VecDeque;

use kernel::Time;

use super::nics::{Nics, Via};
use crate::jitter::Jitter;
use crate::wire::contents::Contents;
use crate::wire::unit::Outlet;

/// The delayed packets of one flow, which leave in order.
pub struct Delay {
    jitter: Box<dyn Jitter>,
    /// Time at which the last released packet has left, or has joined a paced VC.
    left: Time,
    /// Delayed packets; `None` where the host has no other sender, because packets can then be
    /// committed ahead of time.
    delayed: Option<Box<DelayedPackets>>,
}

/// Packets that wait for their release.
struct DelayedPackets {
    packets: VecDeque<Contents>,
    /// Release time of the first packet; [`Time::NEVER`] if no packet waits.
    release: Time,
}

impl Delay {
    /// Delays packets by `jitter`.
    pub fn new(jitter: Box<dyn Jitter>) -> Delay {
        Delay {
            jitter,
            left: Time::ZERO,
            delayed: Some(Box::new(DelayedPackets {
                packets: VecDeque::new(),
                release: Time::NEVER,
            })),
        }
    }

    /// Declares that the host has no other sender, so that packets can be committed ahead of time.
    pub fn set_sole_sender(&mut self) {
        self.delayed = None;
    }

    /// Release time of the next waiting packet.
    pub fn next_release(&self) -> Time {
        self.delayed
            .as_ref()
            .map_or(Time::NEVER, |delayed| delayed.release)
    }

    /// Latest known time at which a packet waits for its release or is being sent.
    pub fn until(&self) -> Time {
        match self.next_release() {
            Time::NEVER => self.left,
            release => release,
        }
    }

    /// Takes a packet that the transport hands over at `now`.
    pub fn take(
        &mut self,
        now: Time,
        via: Via,
        contents: Contents,
        nics: &mut Nics,
        out: &mut Outlet<'_>,
    ) {
        let Some(delayed) = &mut self.delayed else {
            let release = self.left.max(now) + self.jitter.next();
            self.left = nics.send(release, via, contents, out);
            return;
        };
        delayed.packets.push_back(contents);
        if delayed.release == Time::NEVER {
            delayed.release = self.left.max(now) + self.jitter.next();
        }
    }

    /// Releases the packets due until `now`; returns true if a packet was released.
    pub fn release(&mut self, now: Time, via: Via, nics: &mut Nics, out: &mut Outlet<'_>) -> bool {
        let mut any = false;
        while let Some(delayed) = &mut self.delayed
            && delayed.release <= now
        {
            let contents = delayed.packets.pop_front().expect("a packet waits");
            let left = nics.send(now, via, contents, out);
            // The pacer decides when the cells of a paced VC leave.
            self.left = if nics.holds(via) { now } else { left };
            delayed.release = Time::NEVER;
            if !delayed.packets.is_empty() {
                // A packet lost before the queue takes no time on the link.
                delayed.release = self.left.max(now) + self.jitter.next();
            }
            any = true;
        }
        any
    }
}
