//! The gate of packets that wait although the link is free: for the end of a pause, or for credits.
//! Each priority waits by itself, at routers and hosts alike.

use kernel::Time;

use crate::link::credit::CbfcSender;
use crate::link::pause::PauseGate;
use crate::metrics::Stopwatch;
use crate::wire::priority::{ByPriority, Priority};

/// The gate at the sending end of a link.
pub struct PacketGate {
    /// Why packets wait.
    pub rule: PacketGateRule,
    /// Counts of this end.
    pub meter: PacketGateMeter,
}

/// Why packets wait although the link is free.
// Not boxed: an output or an interface with a gate boxes it whole.
#[allow(clippy::large_enum_variant)]
pub enum PacketGateRule {
    /// Packets of paused priorities wait.
    Pause(PauseGate),
    /// Packets wait for credits.
    Credit(CbfcSender),
}

/// Counts of the packets of each priority, since counting began.
#[derive(Clone, Copy, Debug, Default)]
pub struct PacketGateMeter {
    /// Packets that started.
    pub started: ByPriority<u64>,
    /// Time in which packets waited and the gate was closed for the first of them.
    pub held_back: ByPriority<Stopwatch>,
}

impl PacketGate {
    /// A gate before its first packet.
    pub fn new(rule: PacketGateRule) -> PacketGate {
        PacketGate {
            rule,
            meter: PacketGateMeter::default(),
        }
    }

    /// True if a packet with `octets` on the link, the first of its priority, may start.
    #[inline]
    pub fn is_open(&self, priority: Priority, octets: u32) -> bool {
        match &self.rule {
            PacketGateRule::Pause(gate) => gate.is_open(priority),
            PacketGateRule::Credit(sender) => sender.is_open(priority, octets),
        }
    }

    /// True if a packet with `octets` on the link, the first of its priority, waits for the far end, and
    /// no time that passes lets it start.
    pub fn stays_closed(&self, priority: Priority, octets: u32) -> bool {
        match &self.rule {
            PacketGateRule::Pause(gate) => gate.stays_closed(priority),
            PacketGateRule::Credit(sender) => !sender.is_open(priority, octets),
        }
    }

    /// A packet starts at `now`, for which [`PacketGate::is_open`] is true.
    pub fn start(&mut self, now: Time, priority: Priority, octets: u32) {
        self.meter.started[priority.index()] += 1;
        if let PacketGateRule::Credit(sender) = &mut self.rule {
            sender.consume(now, priority, octets);
        }
    }

    /// From `now` on the first packet of a priority waits at a closed gate, or does not.
    pub fn hold_back(&mut self, now: Time, priority: Priority, holds: bool) {
        let watch = &mut self.meter.held_back[priority.index()];
        if watch.runs() != holds {
            watch.turn(now, holds);
        }
    }

    /// The pauses of the link, if it may be paused.
    pub fn pause(&self) -> Option<&PauseGate> {
        match &self.rule {
            PacketGateRule::Pause(gate) => Some(gate),
            PacketGateRule::Credit(_) => None,
        }
    }

    /// The pauses of the link, mutable, if it may be paused.
    pub fn pause_mut(&mut self) -> Option<&mut PauseGate> {
        match &mut self.rule {
            PacketGateRule::Pause(gate) => Some(gate),
            PacketGateRule::Credit(_) => None,
        }
    }

    /// The credits of the link, if packets need them.
    pub fn credit(&self) -> Option<&CbfcSender> {
        match &self.rule {
            PacketGateRule::Credit(sender) => Some(sender),
            PacketGateRule::Pause(_) => None,
        }
    }

    /// The credits of the link, mutable, if packets need them.
    pub fn credit_mut(&mut self) -> Option<&mut CbfcSender> {
        match &mut self.rule {
            PacketGateRule::Credit(sender) => Some(sender),
            PacketGateRule::Pause(_) => None,
        }
    }

    /// Time of the next change: see [`PacketGate::change`].
    #[inline]
    pub fn next_change(&self) -> Time {
        self.pause().map_or(Time::NEVER, PauseGate::next_change)
    }

    /// Begins and ends the pauses that are due at `now`.
    pub fn change(&mut self, now: Time) {
        if let Some(gate) = self.pause_mut() {
            gate.change(now);
        }
    }

    /// Restarts the counts at `now`.
    pub fn begin_counting(&mut self, now: Time) {
        self.meter.started = ByPriority::default();
        for watch in &mut self.meter.held_back {
            watch.begin(now);
        }
        match &mut self.rule {
            PacketGateRule::Pause(gate) => gate.meter.begin(now),
            PacketGateRule::Credit(sender) => sender.begin_counting(now),
        }
    }
}
