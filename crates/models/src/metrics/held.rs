//! Limits of a flow: one at every instant, so that the shares of time add up to one.
//!
//! The sending host decides: as long as data of the transport waits at the host or is being sent,
//! the host limits the flow; else the limit of the transport counts. A silence that a
//! retransmission timer ends counts as waiting for that timer.
//!
//! Mathis, Heffner and Raghunarayan, "TCP Extended Statistics MIB", RFC 4898, 2007, section 4: the
//! times of `tcpEStatsPerfSndLimTimeRwin`, `...Cwnd` and `...Snd`, the latter two divided further
//! here.

use kernel::{Duration, Time};

/// A limit that keeps a transport from sending.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Limit {
    /// Application-limited: there is nothing to send.
    #[default]
    Application,
    /// The congestion window.
    Cwnd,
    /// The receiver's window, or the output buffer of the sender.
    Window,
    /// Rate control.
    Rate,
    /// A synchronising handshake.
    Handshake,
}

impl Limit {
    /// Name of the metric for the share of time under this limit.
    fn metric(self) -> &'static str {
        match self {
            Limit::Application => "limited_by_application",
            Limit::Cwnd => "limited_by_cwnd",
            Limit::Window => "limited_by_window",
            Limit::Rate => "limited_by_rate",
            Limit::Handshake => "limited_by_handshake",
        }
    }

    /// Index of its counter. The application gets the rest of the time, and no transport has both a
    /// congestion window and rate control.
    fn slot(self) -> Option<usize> {
        match self {
            Limit::Application => None,
            Limit::Cwnd | Limit::Rate => Some(0),
            Limit::Window => Some(1),
            Limit::Handshake => Some(2),
        }
    }
}

/// A limit of a flow, in fine categories.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Hold {
    /// Application-limited: there is nothing to send.
    #[default]
    Application,
    /// A congestion window below ssthresh.
    SlowStart,
    /// A congestion window at or above ssthresh.
    Cwnd,
    /// The receiver's window, or the output buffer of the sender.
    Window,
    /// Rate control.
    Rate,
    /// A synchronising handshake, or the opening of the connection.
    Handshake,
    /// The retransmission timer.
    Timeout,
    /// The host, below the transport: see [`Below`].
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
    /// Name of the metric for the share of time under this limit.
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

    /// Index of its counter, as for [`Limit`].
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

/// Limits of the cells of a flow at its host.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Below {
    /// Pacing of the cells, where they do not leave back to back.
    pub pacing: Pacing,
    /// Time in which cells waited for credit, on a link with credit.
    pub credit: Option<Duration>,
}

/// The cause for which cells of a flow wait at its host.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Pacing {
    /// The link.
    #[default]
    Link,
    /// The allowed cell rate of ABR.
    Acr,
    /// A traffic contract.
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

/// Time each limit was in force for a flow, in picoseconds.
#[derive(Clone, Copy, Debug, Default)]
pub struct HeldMeter {
    /// The limit of the transport, in coarse and in fine categories.
    limit: (Limit, Hold),
    /// Time of the last event.
    since: Time,
    /// Time at which all data handed to the host's link has left, where it leaves back to back.
    pub left: Time,
    limited: [Duration; 3],
    held: [Duration; 6],
}

impl HeldMeter {
    /// Restarts the counts at `now`.
    pub fn begin(&mut self, now: Time) {
        *self = HeldMeter {
            limit: self.limit,
            since: now,
            left: self.left,
            ..HeldMeter::default()
        };
    }

    /// An event happens at `now`; `waited` is the part of the time since the last event in which
    /// the host limited the flow. If the timer has `expired`, the rest of it was a wait for the
    /// timer.
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

    /// The part of the time until `now` in which data left, where it leaves back to back until
    /// `left`.
    #[inline]
    pub fn leaving(&self, now: Time, left: Time) -> Duration {
        left.min(now).since(self.since)
    }

    /// The part of the time until `now` in which cells waited, if they have waited for `waiting`
    /// since counting began.
    pub fn more(&self, waiting: Duration) -> Duration {
        waiting - self.held[HOST]
    }

    /// Sets the limit of the transport from now on.
    #[inline]
    pub fn becomes(&mut self, limit: (Limit, Hold)) {
        self.limit = limit;
    }

    /// True if `limit` is the present limit.
    #[inline]
    pub fn is(&self, limit: (Limit, Hold)) -> bool {
        self.limit == limit
    }

    /// The shares of time under `limits`, by name, over the `span` that was counted.
    pub fn limits(&self, limits: &[Limit], span: Duration) -> Vec<(&'static str, f64)> {
        let share = |slot: Option<usize>| share(slot, &self.limited, span);
        let limits = limits.iter();
        limits
            .map(|limit| (limit.metric(), share(limit.slot())))
            .collect()
    }

    /// The shares of time under `holds`, and under the limits below the transport, by name, over
    /// the `span` that was counted.
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

/// Index of the counter for limits below the transport.
const HOST: usize = 5;

/// The share of one counter, or the rest of all counters.
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
    fn waiting_at_the_host_is_divided_between_pacing_and_credit() {
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
