//! What an end of a link tells the far end, and in which order: its pauses (IEEE 802.1Qbb) go first,
//! then the credits that it has freed (`CF_Update`), then those that it has used (`CC_Update`), and
//! only then packets. The order is our own; routers and hosts have it from here.

use kernel::Time;

use crate::credit::{CbfcReceiver, CbfcSender};
use crate::pause::PauseReceiver;
use crate::wire::unit::ControlFrame;

/// Time at which the far end is next to be told something; [`Time::NEVER`] if nothing is to come. It is
/// told of what has arrived from it by `pauses` and `freed`, and of what was sent to it by `used`.
pub fn due_at(
    pauses: Option<&PauseReceiver>,
    freed: Option<&CbfcReceiver>,
    used: Option<&CbfcSender>,
) -> Time {
    if pauses.is_some_and(PauseReceiver::wants_frame) {
        return Time::ZERO;
    }
    let freed = freed.map_or(Time::NEVER, CbfcReceiver::update_at);
    freed.min(used.map_or(Time::NEVER, CbfcSender::update_at))
}

/// The frame that starts at `now`, and its octets, if one is due.
pub fn frame(
    now: Time,
    pauses: Option<&mut PauseReceiver>,
    freed: Option<&mut CbfcReceiver>,
    used: Option<&mut CbfcSender>,
) -> Option<(ControlFrame, u32)> {
    if let Some(pauses) = pauses.filter(|pauses| pauses.wants_frame()) {
        return Some((pauses.frame(now), pauses.frame_octets()));
    }
    if let Some(update) = freed.and_then(|freed| freed.update(now)) {
        return Some((update, ControlFrame::CF_UPDATE));
    }
    let used = used.filter(|used| used.update_at() <= now)?;
    Some((used.update(now), ControlFrame::CC_UPDATE))
}
