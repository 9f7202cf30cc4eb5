//! The transmitter of a link with control frames, which may lose them, and of one with credits for
//! packets, whose packets are counted where they arrive. Our own rule: a link decides about the
//! loss of a message as about that of a packet, or of an ordered set.

use kernel::Time;

use super::Transmitter;
use crate::link::control::ControlMessage;
use crate::link::retry::FrameBody;
use crate::wire::between::ControlFrame;
use crate::wire::unit::{Outlet, PacketUnit, Unit};

impl Transmitter {
    /// Sends a message to the far end of the link from `start` to `end`, unless the link loses it.
    /// Taps do not record it.
    pub fn control(
        &mut self,
        start: Time,
        end: Time,
        ControlMessage { frame, octets }: ControlMessage,
        out: &mut Outlet<'_>,
    ) {
        let octets = u64::from(octets);
        let is_numbered = self.retry_mut().is_some_and(|retry| retry.takes(end));
        if let (ControlFrame::CcUpdate(consumed), true) = (frame, is_numbered) {
            return self.send_numbered(start, end, FrameBody::CcUpdate(consumed), out);
        }
        let is_lost = self.loss_mut().is_some_and(|loss| {
            let is_lost = match frame {
                ControlFrame::CfUpdate(_) => loss.loses_ordered_set(start, octets),
                ControlFrame::CcUpdate(_) | ControlFrame::Pause(_) => {
                    loss.loses_message(start, octets)
                }
            };
            loss.meter.control_lost_ever += u64::from(is_lost);
            is_lost
        });
        if !is_lost {
            out.send(self.output as usize, end, Unit::Control(frame));
        }
    }

    /// From now on the packets are those of a link with credits for packets.
    pub fn send_credited(&mut self) {
        self.watch.get_or_insert_default().is_credited = true;
        self.is_watched = true;
    }
    /// The unit that a packet is on the link.
    pub(super) fn unit_of(&self, packet: &PacketUnit) -> Unit {
        if self.watch.as_ref().is_some_and(|watch| watch.is_credited) {
            Unit::Credited(*packet)
        } else {
            Unit::Packet(*packet)
        }
    }
}
