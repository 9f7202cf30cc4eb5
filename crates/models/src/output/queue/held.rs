//! A scheduled queue that is held back while link-level retry has the link: see `retry/`.

use kernel::Time;

use super::{Queued, ScheduledQueue};

impl<U: Queued> ScheduledQueue<U> {
    /// Holds back all units, or lets them start from `free_at` on, when the link is free; a queue that
    /// was held begins again at `now` at the earliest. A held queue has no next service.
    pub fn hold(&mut self, now: Time, is_held: bool, free_at: Time) {
        self.free_at = match (is_held, self.free_at) {
            (true, _) => Time::NEVER,
            (false, Time::NEVER) => free_at.max(now),
            (false, before) => before.max(free_at),
        };
    }
}
