//! The gate of packets that wait although the link is free: for the end of a pause, or for credits.
//! Each priority waits by itself, at routers and hosts alike.

use kernel::Time;

use crate::credit::CbfcSender;
use crate::pause::PauseGate;
use crate::wire::priority::{Priority, PrioritySet};

/// The reason for which packets wait although the link is free.
// Not boxed: an output or an interface with a gate boxes it whole.
#[allow(clippy::large_enum_variant)]
pub enum PacketGate {
    /// Packets of paused priorities wait.
    Pause(PauseGate),
    /// Packets wait for credits.
    Credit(CbfcSender),
}

impl PacketGate {
    /// True if a packet with `octets` on the link, the first of its priority, may start.
    #[inline]
    pub fn is_open(&self, priority: Priority, octets: u32) -> bool {
        match self {
            PacketGate::Pause(gate) => gate.is_open(priority),
            PacketGate::Credit(sender) => sender.is_open(priority, octets),
        }
    }

    /// True if a packet with `octets` on the link, the first of its priority, waits for the far end, and
    /// no time that passes lets it start.
    pub fn stays_closed(&self, priority: Priority, octets: u32) -> bool {
        match self {
            PacketGate::Pause(gate) => gate.stays_closed(priority),
            PacketGate::Credit(sender) => !sender.is_open(priority, octets),
        }
    }

    /// A packet starts, for which [`PacketGate::is_open`] is true.
    pub fn start(&mut self, priority: Priority, octets: u32) {
        if let PacketGate::Credit(sender) = self {
            sender.consume(priority, octets);
        }
    }

    /// The pauses of the link, if it may be paused.
    pub fn pause(&self) -> Option<&PauseGate> {
        match self {
            PacketGate::Pause(gate) => Some(gate),
            PacketGate::Credit(_) => None,
        }
    }

    /// The pauses of the link, mutable, if it may be paused.
    pub fn pause_mut(&mut self) -> Option<&mut PauseGate> {
        match self {
            PacketGate::Pause(gate) => Some(gate),
            PacketGate::Credit(_) => None,
        }
    }

    /// The credits of the link, if packets need them.
    pub fn credit(&self) -> Option<&CbfcSender> {
        match self {
            PacketGate::Credit(sender) => Some(sender),
            PacketGate::Pause(_) => None,
        }
    }

    /// The credits of the link, mutable, if packets need them.
    pub fn credit_mut(&mut self) -> Option<&mut CbfcSender> {
        match self {
            PacketGate::Credit(sender) => Some(sender),
            PacketGate::Pause(_) => None,
        }
    }

    /// Time of the next change: see [`PacketGate::change`].
    #[inline]
    pub fn next_change(&self) -> Time {
        self.pause().map_or(Time::NEVER, PauseGate::next_change)
    }

    /// Begins and ends the pauses that are due at `now`; returns the priorities that were paused before
    /// and are not any more, or the reverse.
    pub fn change(&mut self, now: Time) -> PrioritySet {
        self.pause_mut()
            .map_or(PrioritySet::default(), |gate| gate.change(now))
    }

    /// Restarts the counts at `now`.
    pub fn begin_counting(&mut self, now: Time) {
        match self {
            PacketGate::Pause(gate) => gate.meter.begin(now),
            PacketGate::Credit(sender) => sender.begin_counting(),
        }
    }
}
