//! Giving up: RFC 9293, section 3.8.3; RFC 1122, section 4.2.3.5.

use kernel::Time;

use super::TcpSender;
use super::opening::Opening;
use super::reduction::Spacing;
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
}

impl TcpSender {
    fn patience(&mut self) -> Option<&mut Patience> {
        self.rare.as_mut()?.patience.as_mut()
    }

    /// True if the sender may give up.
    #[inline]
    pub(super) fn has_patience(&self) -> bool {
        let rare = self.rare.as_deref();
        rare.is_some_and(|rare| rare.patience.is_some())
    }

    /// The retransmission timer expires; returns true if the sender gives up.
    #[cold]
    pub(super) fn gives_up(&mut self, now: Time) -> bool {
        let (una, waits) = (self.data.una, self.spacing == Spacing::Waits);
        let Some(patience) = self.patience() else {
            return false;
        };
        if una > patience.una {
            patience.begin_again(una);
        }
        let ends = !waits && patience.ends(now);
        if ends {
            self.give_up();
        }
        ends
    }

    /// The timer expires for a probe of a closed window; returns true if the sender gives up. Each
    /// acknowledgment shows that the receiver lives: RFC 9293, section 3.8.6.1.
    pub(super) fn gives_up_probing(&mut self, now: Time) -> bool {
        let flow = self.flow_control();
        let is_answered = flow.is_some_and(|flow| flow.unanswered == 0);
        let una = self.data.una;
        let Some(patience) = self.patience() else {
            return false;
        };
        if is_answered {
            patience.begin_again(una);
        }
        let ends = patience.ends(now);
        if ends {
            self.give_up();
        }
        ends
    }

    /// The timer expires at the user timeout, at the latest: `tcp_clamp_rto_to_user_timeout` of Linux.
    #[cold]
    pub(super) fn expire_by_user_timeout(&mut self) {
        let at = self.patience().and_then(|patience| {
            let after = patience.limits.after?;
            Some(patience.since + after)
        });
        if let Some(at) = at
            && self.timer.deadline() < Time::NEVER
        {
            self.timer.expire_by(at);
        }
    }

    /// The connection is open: its SYN was answered.
    pub(super) fn forget_openings(&mut self) {
        if let Some(patience) = self.patience() {
            patience.begin_again(0);
        }
    }

    /// Gives up: nothing more is sent, and nothing that arrives matters.
    fn give_up(&mut self) {
        self.opening = Opening::GivenUp;
        self.meter.gave_up = true;
        self.limit = Limit::Timeout;
        self.timer.stop();
        self.stop_pacing();
    }
}
