//! Time for which each limit kept a flow from sending: at every instant one, so that the shares add up
//! to one.
//!
//! The host comes first: as long as anything that the transport has sent waits there or is being sent,
//! the host limits the flow, and else what keeps the transport from sending. A silence that a
//! retransmission timer ends was spent waiting for that timer.
//!
//! Mathis, Heffner and Raghunarayan, "TCP Extended Statistics MIB", RFC 4898, 2007, section 4: the
//! times of `tcpEStatsPerfSndLimTimeRwin`, `...Cwnd` and `...Snd`, of which the latter two are told
//! apart here.

use kernel::{Duration, Time};

/// What keeps a flow from sending.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Limit {
    /// The application, which has nothing to send.
    #[default]
    Application,
    /// A congestion window below its threshold.
    SlowStart,
    /// A congestion window at or above its threshold.
    CongestionWindow,
    /// The window of the receiver, or the output buffer of the sender.
    ReceiverWindow,
    /// The rate control of the transport.
    Rate,
    /// The opening of a connection, or an exchange that finds out what has arrived.
    Handshake,
    /// The retransmission timer.
    Timeout,
    /// The link of the host.
    Link,
    /// The rate that ABR allows.
    Acr,
    /// A traffic contract.
    Contract,
    /// Missing credit at the host.
    Credit,
}

impl Limit {
    /// Name of the metric that is the share of time under this limit.
    fn metric(self) -> &'static str {
        match self {
            Limit::Application => "limited_by_application",
            Limit::SlowStart => "limited_by_slow_start",
            Limit::CongestionWindow => "limited_by_congestion_window",
            Limit::ReceiverWindow => "limited_by_receiver_window",
            Limit::Rate => "limited_by_rate",
            Limit::Handshake => "limited_by_handshake",
            Limit::Timeout => "limited_by_timeout",
            Limit::Link => "limited_by_link",
            Limit::Acr => "limited_by_acr",
            Limit::Contract => "limited_by_contract",
            Limit::Credit => "limited_by_credit",
        }
    }

    /// Where the time under this limit is counted. That of the application is what the others leave, no
    /// transport has both a congestion window and a rate, and limits of the host are parted when they
    /// are read.
    fn slot(self) -> Option<usize> {
        match self {
            Limit::Application => None,
            Limit::SlowStart => Some(0),
            Limit::CongestionWindow | Limit::Rate => Some(1),
            Limit::ReceiverWindow => Some(2),
            Limit::Handshake => Some(3),
            Limit::Timeout => Some(4),
            Limit::Link | Limit::Acr | Limit::Contract | Limit::Credit => Some(HOST),
        }
    }
}

/// What it is that holds back the cells of a flow at its host.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Below {
    /// What paces them, where they do not leave back to back.
    pub pacing: Pacing,
    /// How long they wanted credit, where the far end of the link controls it.
    pub credit: Option<Duration>,
}

/// What the cells of a flow wait for at its host.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Pacing {
    /// The link.
    #[default]
    Link,
    /// The rate that ABR allows.
    Acr,
    /// What was agreed in a traffic contract.
    Contract,
}

impl From<Pacing> for Limit {
    fn from(pacing: Pacing) -> Limit {
        match pacing {
            Pacing::Link => Limit::Link,
            Pacing::Acr => Limit::Acr,
            Pacing::Contract => Limit::Contract,
        }
    }
}

/// Time for which each limit kept a flow from sending.
#[derive(Clone, Copy, Debug, Default)]
pub struct LimitMeter {
    /// What keeps the transport from sending.
    limit: Limit,
    /// When that was last looked at.
    since: Time,
    /// When all that was handed to the host's link has left, where it leaves back to back.
    pub left: Time,
    limited: [Duration; 6],
}

impl LimitMeter {
    /// Starts again at `now`.
    pub fn begin(&mut self, now: Time) {
        *self = LimitMeter {
            limit: self.limit,
            since: now,
            left: self.left,
            ..LimitMeter::default()
        };
    }

    /// Something happens at `now`, since the last time at which something did; `waiting` tells how
    /// long, since counting began, cells have waited below. If the timer has `expired`, that is what
    /// was waited for.
    #[inline]
    pub fn pass(&mut self, now: Time, waited: Duration, expired: bool) {
        let limit = if expired { Limit::Timeout } else { self.limit };
        if let Some(slot) = limit.slot() {
            self.limited[slot] += now.since(self.since) - waited;
        }
        self.limited[HOST] += waited;
        self.since = now;
    }

    /// How much of the time until `now` what was sent took to leave, where it left back to back until
    /// `left`.
    #[inline]
    pub fn leaving(&self, now: Time, left: Time) -> Duration {
        left.min(now).since(self.since)
    }

    /// How much of the time until `now` cells waited, that did for so long since counting began.
    pub fn more(&self, waiting: Duration) -> Duration {
        waiting - self.limited[HOST]
    }

    /// From now on, this keeps the transport from sending.
    #[inline]
    pub fn becomes(&mut self, limit: Limit) {
        self.limit = limit;
    }

    /// True if this keeps it from sending already.
    #[inline]
    pub fn is(&self, limit: Limit) -> bool {
        self.limit == limit
    }

    /// Shares of the `span` that was counted, by name: under the limits of the transport, and under
    /// those `below` it at the host.
    pub fn shares(
        &self,
        limits: &[Limit],
        below: Below,
        span: Duration,
    ) -> Vec<(&'static str, f64)> {
        let share = |time: Duration| time.seconds() / span.seconds();
        let limits = limits.iter();
        let mut shares: Vec<_> = limits
            .map(|limit| (limit.metric(), share(self.time(*limit, span))))
            .collect();
        let credit = below.credit.unwrap_or(Duration::ZERO);
        let rest = self.limited[HOST] - credit;
        shares.push((Limit::from(below.pacing).metric(), share(rest)));
        if below.credit.is_some() {
            shares.push((Limit::Credit.metric(), share(credit)));
        }
        shares
    }

    /// Time under a limit of the transport, of the `span` that was counted.
    fn time(&self, limit: Limit, span: Duration) -> Duration {
        match limit.slot() {
            Some(slot) => self.limited[slot],
            None => self.limited.iter().fold(span, |left, time| left - *time),
        }
    }
}

/// Where the time under limits of the host is counted.
const HOST: usize = 5;

#[cfg(test)]
mod tests {
    use super::*;

    const AT: fn(u64) -> Time = |us| Time::from_ps(us * 1_000_000);
    const US: fn(u64) -> Duration = Duration::from_us;
    const NONE: Duration = Duration::ZERO;
    const LIMITS: [Limit; 5] = [
        Limit::SlowStart,
        Limit::CongestionWindow,
        Limit::ReceiverWindow,
        Limit::Application,
        Limit::Timeout,
    ];

    /// Shares of 10 us in tenths.
    fn tenths(shares: &[(&'static str, f64)]) -> Vec<(&'static str, u64)> {
        let whole = |share: f64| (share * 10.0).round() as u64;
        let shares = shares.iter();
        shares.map(|(name, share)| (*name, whole(*share))).collect()
    }

    #[test]
    fn the_limits_share_out_the_time() {
        let mut meter = LimitMeter::default();
        meter.pass(AT(2), NONE, false);
        meter.becomes(Limit::CongestionWindow);
        meter.pass(AT(4), NONE, false);
        meter.begin(AT(4));
        meter.pass(AT(8), NONE, false);
        meter.becomes(Limit::ReceiverWindow);
        meter.pass(AT(13), NONE, false);
        meter.becomes(Limit::Application);
        meter.pass(AT(14), NONE, false);
        assert_eq!(
            tenths(&meter.shares(&LIMITS, Below::default(), US(10))),
            [
                ("limited_by_slow_start", 0),
                ("limited_by_congestion_window", 4),
                ("limited_by_receiver_window", 5),
                ("limited_by_application", 1),
                ("limited_by_timeout", 0),
                ("limited_by_link", 0),
            ]
        );
    }

    #[test]
    fn what_waits_below_comes_first_and_a_timer_takes_the_silence_that_it_ends() {
        let mut meter = LimitMeter::default();
        meter.becomes(Limit::SlowStart);
        meter.left = AT(1);
        // A packet leaves for 1 us, an answer comes at 3 us, another packet leaves for 1 us.
        meter.pass(AT(3), meter.leaving(AT(3), AT(1)), false);
        meter.becomes(Limit::CongestionWindow);
        meter.pass(AT(8), meter.leaving(AT(8), AT(4)), true);
        meter.pass(AT(10), NONE, false);
        assert_eq!(
            tenths(&meter.shares(&LIMITS, Below::default(), US(10))),
            [
                ("limited_by_slow_start", 2),
                ("limited_by_congestion_window", 2),
                ("limited_by_receiver_window", 0),
                ("limited_by_application", 0),
                ("limited_by_timeout", 4),
                ("limited_by_link", 2),
            ]
        );
    }

    #[test]
    fn what_waits_at_the_host_is_shared_out_between_pace_and_credit() {
        let mut meter = LimitMeter::default();
        meter.pass(AT(4), meter.more(US(4)), false);
        meter.pass(AT(10), meter.more(US(9)), false);
        let below = Below {
            pacing: Pacing::Acr,
            credit: Some(US(2)),
        };
        assert_eq!(
            tenths(&meter.shares(&[Limit::Application], below, US(10))),
            [
                ("limited_by_application", 1),
                ("limited_by_acr", 7),
                ("limited_by_credit", 2)
            ]
        );
    }
}
