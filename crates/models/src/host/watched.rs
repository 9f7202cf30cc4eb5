//! Packets of an interface that is watched: its link loses, is captured, has retry or credits, may be
//! paused, or has a clock, since its rate changes or a shaper is in front of it. Our own division.

use kernel::Time;

use super::nic::Nic;
use crate::rates::LinkClock;
use crate::wire::contents::Contents;
use crate::wire::unit::{Outlet, PacketUnit};

impl Nic {
    /// Sends a packet on a link with a loss, a capture, retry or credits, that may be paused, or whose
    /// rate changes.
    #[cold]
    #[inline(never)]
    pub(super) fn send_watched(
        &mut self,
        now: Time,
        start: Time,
        packet: PacketUnit,
        contents: Contents,
        out: &mut Outlet<'_>,
    ) {
        if self.waiting.is_some() {
            return self.push_waiting(now, &packet, out);
        }
        let transmitter = &mut self.transmitter;
        if transmitter.loses_offered_packet(now, &packet, out) {
            return transmitter.note(start, packet.vc, contents, Some(0));
        }
        let bits = u64::from(contents.octets) * 8;
        let [start, end] = match &mut self.clock {
            Some(clock) => clock.send(start, bits),
            None => [start, start + self.rate.transmission(bits)],
        };
        self.line.end_at(end);
        self.start_packet(start, end, &packet, out);
    }

    /// Declares that the rate of the link changes: a packet has the rate at its start, which is known
    /// when it is handed over. A change by a program that steers the run is not known then, and holds
    /// for packets that are handed over later.
    pub fn follow_rate(&mut self, clock: LinkClock) {
        self.transmitter.watch();
        self.clock = Some(Box::new(clock));
    }

    /// Puts a packet onto the link from `start` to `end`. The capture of a host shows a packet even if
    /// the link loses it.
    pub(super) fn start_packet(
        &mut self,
        start: Time,
        end: Time,
        packet: &PacketUnit,
        out: &mut Outlet<'_>,
    ) {
        let contents = *out.cargo.get(packet.contents);
        if self.transmitter.packet(start, end, packet, out) {
            self.transmitter.note(start, packet.vc, contents, Some(0));
        }
    }
}
