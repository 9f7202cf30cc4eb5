//! What an end of a link tells the far end, and in which order: its pauses (IEEE 802.1Qbb) go first,
//! then the credits that it has freed (`CF_Update`), then those that it has used (`CC_Update`), and
//! only then packets. The order is our own; routers and hosts have it from here.

use kernel::Time;

use crate::link::credit::{CbfcReceiver, CbfcSender};
use crate::link::gate::PacketGate;
use crate::link::pause::PauseReceiver;
use crate::wire::between::ControlFrame;
use crate::wire::between::ordered_set::OrderedSet;

/// Octets of an ordered set of retry, or of a `CF_Update`.
pub const ORDERED_SET: u64 = OrderedSet::OCTETS;

/// Most octets of ordered sets of retry that may go before a control frame.
pub const SETS_BEFORE_CONTROL: u64 = OrderedSet::BEFORE_CONTROL;

/// Octets of a `CC_Update`.
pub const USED_UPDATE: u64 = ControlFrame::CC_UPDATE as u64;

/// A message to the far end, and its octets on the link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ControlMessage {
    pub(super) frame: ControlFrame,
    /// Octets on the link.
    pub octets: u32,
}

/// A queue of packets that leave through a gate.
pub trait Gated {
    /// Lets the gate change at `now`; the queue learns which packets it lets pass from then on.
    ///
    /// # Panics
    /// If the link has no gate.
    fn change_gate(&mut self, now: Time, change: &mut dyn FnMut(&mut PacketGate));
}

/// Time at which the far end is next to be told something; [`Time::NEVER`] if nothing is to come. It is
/// told of what has arrived from it by `pauses` and `freed`, and of what was sent to it by `used`. The
/// latter message is numbered, so it waits if the link `is_blocked`: retry lets no new frame start.
pub fn due_at(
    pauses: Option<&PauseReceiver>,
    freed: Option<&CbfcReceiver>,
    used: Option<&CbfcSender>,
    is_blocked: bool,
) -> Time {
    if pauses.is_some_and(PauseReceiver::wants_frame) {
        return Time::ZERO;
    }
    let freed = freed.map_or(Time::NEVER, CbfcReceiver::update_at);
    let used = used.filter(|_| !is_blocked);
    freed.min(used.map_or(Time::NEVER, CbfcSender::update_at))
}

/// The message that starts at `now`, if one is due.
pub fn message(
    now: Time,
    pauses: Option<&mut PauseReceiver>,
    freed: Option<&mut CbfcReceiver>,
    used: Option<&mut CbfcSender>,
    is_blocked: bool,
) -> Option<ControlMessage> {
    if let Some(pauses) = pauses.filter(|pauses| pauses.wants_frame()) {
        let (frame, octets) = (pauses.frame(now), pauses.frame_octets());
        return Some(ControlMessage { frame, octets });
    }
    if let Some(frame) = freed.and_then(|freed| freed.update(now)) {
        let octets = ControlFrame::CF_UPDATE;
        return Some(ControlMessage { frame, octets });
    }
    let used = used.filter(|used| !is_blocked && used.update_at() <= now)?;
    Some(ControlMessage {
        frame: used.update(now),
        octets: ControlFrame::CC_UPDATE,
    })
}

/// Takes a message of the far end at `now`, for the queue of the packets that go there, or for the
/// credits of those that come from there. Returns true if it is for the latter: the far end may be owed
/// credits then.
///
/// # Panics
/// If the link has neither pauses nor credits.
pub fn take(
    now: Time,
    frame: ControlFrame,
    queue: &mut impl Gated,
    freed: Option<&mut CbfcReceiver>,
) -> bool {
    match frame {
        ControlFrame::Pause(pause) => queue.change_gate(now, &mut |gate| {
            let gate = gate.pause_mut();
            gate.expect("only links that may be paused carry pause frames")
                .receive(now, pause);
        }),
        ControlFrame::CfUpdate(update) => queue.change_gate(now, &mut |gate| {
            let sender = gate.credit_mut();
            sender
                .expect("only links with credits carry their messages")
                .on_update(now, update);
        }),
        ControlFrame::CcUpdate(used) => {
            freed
                .expect("only links with credits carry their messages")
                .on_update(&used);
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use kernel::Duration;

    use super::*;
    use crate::link::credit::cbfc::CreditCost;
    use crate::link::credit::{CbfcTerms, PacketCost};
    use crate::link::pause::{Holding, PauseFrames, PauseLevel, PauseThresholds, SharedMemory};
    use crate::wire::priority::{Priority, PrioritySet};

    const AT: fn(u64) -> Time = |us| Time::from_ps(us * 1_000_000);

    const TERMS: CbfcTerms = CbfcTerms {
        priorities: PrioritySet::ALL,
        limit: 10,
        shared: None,
        cost: PacketCost {
            credit_size: 128,
            overhead: 0,
            by: CreditCost::Octets,
        },
        min_spacing: Duration::ZERO,
        max_spacing: Duration::from_us(50),
        cc_timer: Duration::from_us(100),
    };

    fn first() -> Priority {
        Priority::new(1).expect("a priority")
    }

    /// An end that has paused its priority, with credits in both directions.
    fn end() -> (PauseReceiver, CbfcReceiver, CbfcSender) {
        let thresholds = PauseThresholds {
            level: PauseLevel::Static { xoff: 1, xon: 0 },
            headroom: 500,
        };
        let frames = PauseFrames {
            octets: 84,
            quanta: 100,
            lasts: Duration::from_us(1000),
            response: Duration::ZERO,
        };
        let mut pauses = PauseReceiver::new(thresholds, PrioritySet::ALL, frames);
        let full = Holding {
            priority: first(),
            held: 100,
            space: 100,
        };
        pauses.store(full, &mut SharedMemory { octets: 0, used: 0 });
        let flows = [first()];
        let sender = CbfcSender::new(TERMS, flows.into_iter().collect());
        (pauses, CbfcReceiver::new(TERMS, flows.into()), sender)
    }

    /// The kinds of the messages that go at an instant, until nothing is due.
    fn told(now: Time, end: &mut (PauseReceiver, CbfcReceiver, CbfcSender)) -> Vec<&'static str> {
        let (pauses, freed, used) = end;
        let mut kinds = Vec::new();
        while due_at(Some(pauses), Some(freed), Some(used), false) <= now {
            let message = message(now, Some(pauses), Some(freed), Some(used), false);
            kinds.push(match message.expect("one is due").frame {
                ControlFrame::Pause(_) => "pause",
                ControlFrame::CfUpdate(_) => "freed",
                ControlFrame::CcUpdate(_) => "used",
            });
        }
        kinds
    }

    #[test]
    fn pauses_go_before_credits_that_were_freed_and_those_before_credits_that_were_used() {
        let mut end = end();
        assert_eq!(told(AT(200), &mut end), ["pause", "freed", "used"]);
        assert_eq!(told(AT(200), &mut end), [""; 0]);
    }

    #[test]
    fn nothing_is_told_before_it_is_due() {
        let mut end = end();
        assert_eq!(told(AT(1), &mut end), ["pause"]);
        assert_eq!(told(AT(50), &mut end), ["freed"]);
        assert_eq!(told(AT(100), &mut end), ["freed", "used"]);
    }
}
