//! An interface to a link with retry. A packet is not committed when it is handed over, since a
//! replay may delay it, so it waits until its transmission starts: at the gate of the link if it may
//! be paused or has credits for packets.

use kernel::Time;

use super::nic::Nic;
use crate::retry::{FrameBody, RetryEnd};
use crate::wire::unit::{ControlFrame, Outlet, PacketUnit, Unit};

impl Nic {
    /// Takes a frame or an ordered set from a link with retry; returns the packet that it delivers,
    /// if there is one.
    #[cold]
    #[inline(never)]
    pub fn take_from_retry(
        &mut self,
        now: Time,
        unit: Unit,
        out: &mut Outlet<'_>,
    ) -> Option<PacketUnit> {
        let body = self.transmitter.take(now, unit, out);
        let packet = match body {
            Some(FrameBody::Packet(packet)) => Some(packet),
            Some(FrameBody::CcUpdate(consumed)) => {
                self.on_control(now, ControlFrame::CcUpdate(consumed));
                None
            }
            None => None,
        };
        if let Some(packet) = &packet {
            self.take_credited(now, packet);
        }
        if self.gated.is_some() {
            self.serve_gated(now, out);
        } else {
            self.serve_retry(now, out);
        }
        packet
    }

    /// Packets that were handed over and wait, on a link with a gate or retry.
    pub fn waiting(&self) -> u64 {
        let gated = self.gated.as_ref();
        let retry = self.transmitter.retry();
        gated.map_or(0, |packets| packets.unstarted())
            + retry.map_or(0, |retry| retry.waiting.len() as u64)
    }

    /// True if the interface acts by itself: it has paced VCs, or a link with a gate or
    /// retry.
    pub(super) fn acts(&self) -> bool {
        self.paced.is_some() || self.gated.is_some() || self.transmitter.retry().is_some()
    }

    /// Time of the next event of a link with retry, after all that was due has been done;
    /// [`Time::NEVER`] without retry.
    #[cold]
    #[inline(never)]
    pub(super) fn next_retry(&self) -> Time {
        let retry = self.transmitter.retry();
        retry.map_or(Time::NEVER, |retry| {
            let starts = !retry.waiting.is_empty() && !retry.sender.is_blocked();
            let next = if starts { retry.free_at() } else { Time::NEVER };
            retry.next_turn().min(next)
        })
    }

    /// Does what is due on a link with retry.
    #[cold]
    #[inline(never)]
    pub(super) fn wake_retry(&mut self, out: &mut Outlet<'_>) {
        self.serve_retry(self.next_retry(), out);
    }

    /// Takes a packet for a link with retry, and starts it if it may start.
    pub(super) fn push_retried(&mut self, now: Time, packet: PacketUnit, out: &mut Outlet<'_>) {
        let retry = self.transmitter.retry_mut();
        let retry = retry.expect("the link has retry");
        retry.waiting.push_back(packet);
        // As far as is known now: a replay may delay the packet further.
        let time = self.rate.transmission(u64::from(packet.octets) * 8);
        self.free_at = self.free_at.max(now).max(retry.free_at()) + time;
        self.serve_retry(now, out);
    }

    /// Does all that is due at `now` on a link with retry, and starts a waiting packet if it may start.
    fn serve_retry(&mut self, now: Time, out: &mut Outlet<'_>) {
        loop {
            if self.transmitter.act(now, false, out) {
                continue;
            }
            let next = self.transmitter.retry_mut();
            let Some(packet) = next.and_then(|retry| next_to_start(retry, now)) else {
                return;
            };
            let end = now + self.rate.transmission(u64::from(packet.octets) * 8);
            self.start_packet(now, end, &packet, out);
        }
    }
}

/// Takes the packet that starts at `now`, if one may start.
fn next_to_start(retry: &mut RetryEnd, now: Time) -> Option<PacketUnit> {
    let may_start = retry.free_at() <= now && !retry.sender.is_blocked();
    retry.waiting.pop_front_if(|_| may_start)
}
