//! Packets that jitter holds back, between the queue of their flow and the link.
//!
//! Each packet leaves a random time after it could: after it was handed over, or after the one before
//! it has left. So the time between packets on the link is random even where a host always has more
//! to send. Were it added before the queue, a host that is behind would still send back to back, and
//! its packets would keep the exact spacing of the link.

use std::collections::VecDeque;

use kernel::Time;

use super::nic::Nic;
use crate::frame::Frame;
use crate::jitter::Jitter;
use crate::unit::Outlet;
use crate::vc::Vc;

/// The packets of one flow, which leave in order.
pub struct Delay {
    jitter: Box<dyn Jitter>,
    /// When the last packet that was let go has left, or has joined a channel that is paced.
    left: Time,
    /// Packets held back; `None` where the host sends nothing else, since packets can then be committed
    /// ahead of time.
    held: Option<Box<Held>>,
}

/// Packets that wait.
struct Held {
    packets: VecDeque<Frame>,
    /// When the first of them leaves, [`Time::NEVER`] if there is none.
    release: Time,
}

impl Delay {
    /// Holds packets back as `jitter` tells.
    pub fn new(jitter: Box<dyn Jitter>) -> Delay {
        Delay {
            jitter,
            left: Time::ZERO,
            held: Some(Box::new(Held {
                packets: VecDeque::new(),
                release: Time::NEVER,
            })),
        }
    }

    /// Its host sends nothing else.
    pub fn is_alone(&mut self) {
        self.held = None;
    }

    /// When the next packet leaves that waits.
    pub fn next_release(&self) -> Time {
        self.held.as_ref().map_or(Time::NEVER, |held| held.release)
    }

    /// Until when, as far as is known, packets are here or on their way onto the link.
    pub fn until(&self) -> Time {
        match self.next_release() {
            Time::NEVER => self.left,
            release => release,
        }
    }

    /// Takes a packet that is handed over at `now`.
    pub fn take(&mut self, now: Time, vc: Vc, frame: Frame, nic: &mut Nic, out: &mut Outlet<'_>) {
        let Some(held) = &mut self.held else {
            let release = self.left.max(now) + self.jitter.next();
            nic.send(release, vc, frame, out);
            self.left = nic.free_at();
            return;
        };
        held.packets.push_back(frame);
        if held.release == Time::NEVER {
            held.release = self.left.max(now) + self.jitter.next();
        }
    }

    /// Lets the packets leave that wait no longer than until `now`; whether there were any.
    pub fn release(&mut self, now: Time, vc: Vc, nic: &mut Nic, out: &mut Outlet<'_>) -> bool {
        let mut any = false;
        while let Some(held) = &mut self.held
            && held.release <= now
        {
            let frame = held.packets.pop_front().expect("a packet waits");
            nic.send(now, vc, frame, out);
            // The cells of a paced channel leave when its pacer says so.
            self.left = if nic.is_paced(vc) { now } else { nic.free_at() };
            held.release = Time::NEVER;
            if !held.packets.is_empty() {
                // A packet that is lost before the queue takes no time on the link.
                held.release = self.left.max(now) + self.jitter.next();
            }
            any = true;
        }
        any
    }
}
