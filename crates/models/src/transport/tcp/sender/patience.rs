//! Giving up: RFC 9293, section 3.8.3; RFC 1122, section 4.2.3.5.

use kernel::Time;

use super::TcpSender;
use super::opening::Opening;
use crate::metrics::Limit;
use crate::transport::tcp::Tcp;
use crate::transport::tcp::give_up::GiveUp;

/// The patience of a sender that gives up.
#[derive(Clone, Debug)]
pub(super) struct Patience {
    limits: GiveUp,
    /// The first unacknowledged octet when the timer last expired.
    una: u64,
    /// Number of expiries for this octet.
    expiries: u32,
    /// Time of the first unanswered retransmission or probe; [`Time::NEVER`] before.
    since: Time,
}

impl Patience {
    pub(super) fn of(spec: &Tcp) -> Option<Patience> {
        spec.give_up.is_on().then(|| Patience {
            limits: spec.give_up.clone(),
            una: 0,
            expiries: 0,
            since: Time::NEVER,
        })
    }

    /// Forgets all expiries, since there was an answer.
    fn begin_again(&mut self, una: u64) {
        (self.una, self.expiries, self.since) = (una, 0, Time::NEVER);
    }

    /// Counts an expiry at `now`; returns true if the sender gives up instead of sending again.
    fn ends(&mut self, now: Time) -> bool {
        let GiveUp { retries, after } = &self.limits;
        let is_spent = retries.is_some_and(|most| self.expiries >= most);
        let is_over =
            after.is_some_and(|most| self.since < Time::NEVER && now >= self.since + most);
        if is_spent || is_over {
            return true;
        }
        self.expiries += 1;
        self.since = self.since.min(now);
        false
    }

    /// The retransmission timer expires; returns true if the sender gives up. An expiry for a segment that
    /// only `waits` for the timer does not count.
    #[cold]
    pub(super) fn ends_with_timeout(&mut self, now: Time, una: u64, waits: bool) -> bool {
        if una > self.una {
            self.begin_again(una);
        }
        !waits && self.ends(now)
    }

    /// The timer expires for a probe of a closed window, when all before were answered if `is_answered`;
    /// returns true if the sender gives up.
    pub(super) fn ends_with_probe(&mut self, now: Time, una: u64, is_answered: bool) -> bool {
        if is_answered {
            self.begin_again(una);
        }
        self.ends(now)
    }

    /// The user timeout, at which the timer expires at the latest: `tcp_clamp_rto_to_user_timeout` of
    /// Linux.
    #[cold]
    pub(super) fn user_timeout(&self) -> Option<Time> {
        let after = self.limits.after?;
        Some(self.since + after)
    }

    /// The connection is open: its SYN was answered.
    pub(super) fn opened(&mut self) {
        self.begin_again(0);
    }
}

impl TcpSender {
    /// Gives up: nothing more is sent, and nothing that arrives matters.
    pub(super) fn give_up(&mut self) {
        self.opening = Opening::GivenUp;
        self.meter.gave_up = true;
        self.limit = Limit::Timeout;
        self.timer.stop();
        self.stop_pacing();
    }
}
