//! An output to a link with retry: its queue is held back while ordered sets and replays go first,
//! and while the replay buffer is full. Control frames of the link without a number are never held
//! back.

use kernel::Time;

use super::control::AbrControl;
use super::port::Output;
use super::queue::Queued;
use super::queueing::Queue;
use crate::wire::unit::Outlet;

impl<U: Queued, C: AbrControl<U>> Output<U, C> {
    /// Time at which the output next acts, after an event at `now`: it starts a unit, or does what
    /// link-level retry has to do. Holds the queue back, or lets it go on, as retry demands.
    pub fn next_action(&mut self, now: Time) -> Time {
        let Some(retry) = self.transmitter.retry() else {
            return self.next_service();
        };
        let Queue::Scheduled(scheduled) = &self.queue else {
            unreachable!("lowering gives links with retry scheduled queues")
        };
        let line = scheduled.queue.line();
        let turn = retry.next_turn(line).max(now);
        let is_held = retry.holds_packets(now, line);
        self.catch_up_if_due(now);
        let Queue::Scheduled(scheduled) = &mut self.queue else {
            unreachable!("lowering gives links with retry scheduled queues")
        };
        // The time in which units waited is counted before the queue is held: later it would depend on
        // the instants at which a run is read.
        self.meter.elapsed(scheduled.queue.elapsed(now));
        scheduled.queue.hold(now, is_held);
        let control = if scheduled.queue.control_waits() {
            line.free_at().max(now)
        } else {
            Time::NEVER
        };
        let service = scheduled.queue.next_service().max(now);
        turn.min(control).min(service)
    }

    /// Does what is due at `now`, which is [`Output::next_action`]: of link-level retry, or of the
    /// queue.
    pub fn serve_retrying(&mut self, now: Time, out: &mut Outlet<'_>) {
        if !self.act_for_retry(now, false, out) {
            self.serve(now, out);
        }
    }

    /// Does what link-level retry has to do at `now`; returns false if there is nothing. If a control
    /// frame `waits`, it goes before replays.
    pub fn act_for_retry(&mut self, now: Time, waits: bool, out: &mut Outlet<'_>) -> bool {
        match &mut self.queue {
            Queue::Fifo { .. } => false,
            Queue::Scheduled(scheduled) => {
                let line = scheduled.queue.line_mut();
                self.transmitter.act(now, waits, line, out)
            }
        }
    }
}
