//! The pulls of the flows that end at a host: one at a time, by turns, and no faster than the link of
//! the host can carry the packets that they pull.
//!
//! Handley et al., "Re-architecting datacenter networks and stacks for low latency and high
//! performance" (NDP), SIGCOMM 2017, section 3.2: a receiver has one pull queue for all its senders,
//! fair among them, and paces it so that the packets arrive at the rate of its link.

use kernel::{Duration, Time};

use super::Host;
use crate::output::choice::number_set::Turns;
use crate::wire::unit::Outlet;

/// The receiving ends that want to pull.
#[derive(Default)]
pub(super) struct PullQueue {
    turns: Turns,
    /// Time of the next pull, if any end wants one.
    free_at: Time,
    /// Time between a pull of each receiving end and the next pull.
    spacing: Box<[Duration]>,
}

impl Host {
    /// Lets receiving ends pull packets; `spacing` has the time between a pull of each and the next, and
    /// none for an end that does not pull.
    pub fn pace_pulls(&mut self, spacing: Vec<Option<Duration>>) {
        if spacing.iter().all(Option::is_none) {
            return;
        }
        let spacing = spacing.into_iter().map(Option::unwrap_or_default);
        self.pulls = Some(Box::new(PullQueue {
            spacing: spacing.collect(),
            ..PullQueue::default()
        }));
        self.has_followers = true;
        let owner = self.owner_of_pulls();
        self.agenda.add_owner(owner);
    }

    /// The owner of the timer of pulls in the agenda, after all ends.
    fn owner_of_pulls(&self) -> usize {
        self.senders.len() + self.receivers.len()
    }

    /// Queues the pulls that a receiving end wants after an event at `now`; the first is sent at once if
    /// no pull was sent for long enough.
    pub(super) fn queue_pulls(&mut self, now: Time, receiver: usize, out: &mut Outlet<'_>) {
        let Some(queue) = &mut self.pulls else {
            return;
        };
        if self.receivers[receiver].pulls() == 0 {
            return;
        }
        queue.turns.insert(receiver);
        let next = if queue.free_at <= now {
            self.pull_next(now, out)
        } else {
            queue.free_at
        };
        let owner = self.owner_of_pulls();
        self.agenda.arm(owner, next);
    }

    /// Sends the next pull, if it is due at `now`; returns the time of the pull that follows.
    #[inline(never)]
    pub(super) fn pull_next(&mut self, now: Time, out: &mut Outlet<'_>) -> Time {
        let Some(queue) = &mut self.pulls else {
            return Time::NEVER;
        };
        while queue.free_at <= now
            && let Some(number) = queue.turns.next()
        {
            let receiver = &mut self.receivers[number];
            // An end that has everything by now has no pulls left.
            if receiver.pulls() > 0 {
                receiver.pull(now, &mut self.nics, out);
                queue.free_at = now + queue.spacing[number];
            }
            queue.turns.served(number, receiver.pulls() > 0);
        }
        if queue.turns.is_empty() {
            Time::NEVER
        } else {
            queue.free_at
        }
    }
}
