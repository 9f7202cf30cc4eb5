//! What held a flow back: at every instant one thing, so that the shares of time add up to one.
//!
//! The sending host looks from below: as long as anything that the transport has sent waits there or
//! is being sent, that holds the flow back; else it is what keeps the transport from sending. A silence
//! that a retransmission timer ends was spent waiting for that timer.
//!
//! Mathis, Heffner and Raghunarayan, "TCP Extended Statistics MIB", RFC 4898, 2007, section 4: the
//! times of `tcpEStatsPerfSndLimTimeRwin`, `...Cwnd` and `...Snd`, of which the latter two are told
//! apart here.

use kernel::{Duration, Time};

/// What keeps a transport from sending, as it sees it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Limit {
    /// There is nothing to send.
    #[default]
    Application,
    /// The congestion window.
    Cwnd,
    /// The window of the receiver, or the output buffer of the sender.
    Window,
    /// The rate that the transport keeps to.
    Rate,
    /// The two ends find out what has arrived.
    Handshake,
}

impl Limit {
    /// Name of the metric that is the share of time under it.
    fn metric(self) -> &'static str {
        match self {
            Limit::Application => "limited_by_application",
            Limit::Cwnd => "limited_by_cwnd",
            Limit::Window => "limited_by_window",
            Limit::Rate => "limited_by_rate",
            Limit::Handshake => "limited_by_handshake",
        }
    }

    /// Where its time is counted. That of the application is what is left, and no transport has both
    /// a congestion window and a rate.
    fn slot(self) -> Option<usize> {
        match self {
            Limit::Application => None,
            Limit::Cwnd | Limit::Rate => Some(0),
            Limit::Window => Some(1),
            Limit::Handshake => Some(2),
        }
    }
}

/// What holds a flow back.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Hold {
    /// The application: there is nothing to send.
    #[default]
    Application,
    /// A congestion window below its threshold.
    SlowStart,
    /// A congestion window that has reached it.
    Cwnd,
    /// The window of the receiver, or the output buffer of the sender.
    Window,
    /// The rate that the transport keeps to.
    Rate,
    /// The two ends find out what has arrived, or open the connection.
    Handshake,
    /// The retransmission timer.
    Timeout,
    /// What lies below the transport: see [`Below`].
    Host,
}

impl From<Limit> for Hold {
    fn from(limit: Limit) -> Hold {
        match limit {
            Limit::Application => Hold::Application,
            Limit::Cwnd => Hold::Cwnd,
            Limit::Window => Hold::Window,
            Limit::Rate => Hold::Rate,
            Limit::Handshake => Hold::Handshake,
        }
    }
}

impl Hold {
    /// Name of the metric that is its share of time.
    fn metric(self) -> &'static str {
        match self {
            Hold::Application => "held_by_application",
            Hold::SlowStart => "held_by_slow_start",
            Hold::Cwnd => "held_by_cwnd",
            Hold::Window => "held_by_window",
            Hold::Rate => "held_by_rate",
            Hold::Handshake => "held_by_handshake",
            Hold::Timeout => "held_by_timeout",
            Hold::Host => "held_by_link",
        }
    }

    /// Where its time is counted, as for limits.
    fn slot(self) -> Option<usize> {
        match self {
            Hold::Application => None,
            Hold::SlowStart => Some(0),
            Hold::Cwnd | Hold::Rate => Some(1),
            Hold::Window => Some(2),
            Hold::Handshake => Some(3),
            Hold::Timeout => Some(4),
            Hold::Host => Some(5),
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

impl Pacing {
    fn metric(self) -> &'static str {
        match self {
            Pacing::Link => Hold::Host.metric(),
            Pacing::Acr => "held_by_acr",
            Pacing::Contract => "held_by_contract",
        }
    }
}

/// Counts how long what held a flow back, in whole picoseconds.
#[derive(Clone, Copy, Debug, Default)]
pub struct HeldMeter {
    /// What keeps the transport from sending, as it sees that, and more exactly.
    limit: (Limit, Hold),
    /// When that was last looked at.
    since: Time,
    /// When all that was handed to the host's link has left, where it leaves back to back.
    pub left: Time,
    limited: [Duration; 3],
    held: [Duration; 6],
}

impl HeldMeter {
    /// Starts again at `now`.
    pub fn begin(&mut self, now: Time) {
        *self = HeldMeter {
            limit: self.limit,
            since: now,
            left: self.left,
            ..HeldMeter::default()
        };
    }

    /// Something happens at `now`, since the last time at which something did; `waiting` tells how
    /// long, since counting began, cells have waited below. If the timer has `expired`, that is what
    /// was waited for.
    #[inline]
    pub fn pass(&mut self, now: Time, waited: Duration, expired: bool) {
        let span = now.since(self.since);
        let (limit, hold) = self.limit;
        if let Some(slot) = limit.slot() {
            self.limited[slot] += span;
        }
        let hold = if expired { Hold::Timeout } else { hold };
        if let Some(slot) = hold.slot() {
            self.held[slot] += span - waited;
        }
        self.held[HOST] += waited;
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
        waiting - self.held[HOST]
    }

    /// From now on, this keeps the transport from sending.
    #[inline]
    pub fn becomes(&mut self, limit: (Limit, Hold)) {
        self.limit = limit;
    }

    /// Whether it is that already.
    #[inline]
    pub fn is(&self, limit: (Limit, Hold)) -> bool {
        self.limit == limit
    }

    /// The shares under `limits`, by name, over the `span` that was counted.
    pub fn limits(&self, limits: &[Limit], span: Duration) -> Vec<(&'static str, f64)> {
        let share = |slot: Option<usize>| share(slot, &self.limited, span);
        let limits = limits.iter();
        limits
            .map(|limit| (limit.metric(), share(limit.slot())))
            .collect()
    }

    /// The shares of what may hold the transport back, and of what lies below it, by name, over the
    /// `span` that was counted.
    pub fn holds(&self, holds: &[Hold], below: Below, span: Duration) -> Vec<(&'static str, f64)> {
        let share = |slot: Option<usize>| share(slot, &self.held, span);
        let holds = holds.iter();
        let mut shares: Vec<_> = holds
            .map(|hold| (hold.metric(), share(hold.slot())))
            .collect();
        let credit = below.credit.unwrap_or(Duration::ZERO);
        let rest = self.held[HOST] - credit;
        shares.push((below.pacing.metric(), rest.seconds() / span.seconds()));
        if below.credit.is_some() {
            shares.push(("held_by_credit", credit.seconds() / span.seconds()));
        }
        shares
    }
}

/// Where the time is counted that is spent below the transport.
const HOST: usize = 5;

/// The share of one count, or of what they leave.
fn share(slot: Option<usize>, counts: &[Duration], span: Duration) -> f64 {
    let time = match slot {
        Some(slot) => counts[slot],
        None => counts.iter().fold(span, |left, count| left - *count),
    };
    time.seconds() / span.seconds()
}

#[cfg(test)]
mod tests {
    use super::*;

    const AT: fn(u64) -> Time = |us| Time::from_ps(us * 1_000_000);
    const US: fn(u64) -> Duration = Duration::from_us;
    const NONE: Duration = Duration::ZERO;
    const LIMITS: [Limit; 3] = [Limit::Cwnd, Limit::Window, Limit::Application];
    const HOLDS: [Hold; 5] = [
        Hold::SlowStart,
        Hold::Cwnd,
        Hold::Window,
        Hold::Application,
        Hold::Timeout,
    ];

    /// Shares of 10 us in tenths.
    fn tenths(shares: &[(&'static str, f64)]) -> Vec<(&'static str, u64)> {
        let whole = |share: f64| (share * 10.0).round() as u64;
        let shares = shares.iter();
        shares.map(|(name, share)| (*name, whole(*share))).collect()
    }

    #[test]
    fn the_limits_share_out_the_time() {
        let mut meter = HeldMeter::default();
        meter.pass(AT(2), NONE, false);
        meter.becomes((Limit::Cwnd, Hold::Cwnd));
        meter.pass(AT(4), NONE, false);
        meter.begin(AT(4));
        meter.pass(AT(8), NONE, false);
        meter.becomes((Limit::Window, Hold::Window));
        meter.pass(AT(13), NONE, false);
        meter.becomes((Limit::Application, Hold::Application));
        meter.pass(AT(14), NONE, false);
        assert_eq!(
            tenths(&meter.limits(&LIMITS, US(10))),
            [
                ("limited_by_cwnd", 4),
                ("limited_by_window", 5),
                ("limited_by_application", 1)
            ]
        );
    }

    #[test]
    fn what_waits_below_comes_first_and_a_timer_takes_the_silence_that_it_ends() {
        let mut meter = HeldMeter::default();
        meter.becomes((Limit::Cwnd, Hold::SlowStart));
        meter.left = AT(1);
        // A packet leaves for 1 us, an answer comes at 3 us, another packet leaves for 1 us.
        meter.pass(AT(3), meter.leaving(AT(3), AT(1)), false);
        meter.becomes((Limit::Cwnd, Hold::Cwnd));
        meter.pass(AT(8), meter.leaving(AT(8), AT(4)), true);
        meter.pass(AT(10), NONE, false);
        let below = Below::default();
        assert_eq!(
            tenths(&meter.holds(&HOLDS, below, US(10))),
            [
                ("held_by_slow_start", 2),
                ("held_by_cwnd", 2),
                ("held_by_window", 0),
                ("held_by_application", 0),
                ("held_by_timeout", 4),
                ("held_by_link", 2),
            ]
        );
        assert_eq!(
            tenths(&meter.limits(&LIMITS, US(10)))[0],
            ("limited_by_cwnd", 10)
        );
    }

    #[test]
    fn what_waits_at_the_host_is_shared_out_between_pace_and_credit() {
        let mut meter = HeldMeter::default();
        meter.pass(AT(4), meter.more(US(4)), false);
        meter.pass(AT(10), meter.more(US(9)), false);
        let below = Below {
            pacing: Pacing::Acr,
            credit: Some(US(2)),
        };
        assert_eq!(
            tenths(&meter.holds(&[Hold::Application], below, US(10))),
            [
                ("held_by_application", 1),
                ("held_by_acr", 7),
                ("held_by_credit", 2)
            ]
        );
    }
}
