//! The limits of a flow. One limit applies at every instant, so the shares of time add up to one.
//!
//! As long as data of the transport waits at the sending host or is being sent, the host limits the
//! flow; otherwise the limit of the transport applies. A silence that a retransmission timer ends
//! counts as waiting for that timer, and so does a long silence at the end in which the timer runs.
//!
//! Mathis, Heffner and Raghunarayan, "TCP Extended Statistics MIB", RFC 4898, 2007, section 4: the
//! times of `tcpEStatsPerfSndLimTimeRwin`, `...Cwnd` and `...Snd`; the times of `...Cwnd` and
//! `...Snd` are divided further here.

use kernel::{Duration, Time};

use super::metric::{Measurement, Metric};
use super::table::flow;

/// A limit that keeps a flow from sending.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Limit {
    /// Application-limited: the application has no data to send.
    #[default]
    Application,
    /// A congestion window below ssthresh.
    SlowStart,
    /// A congestion window at or above ssthresh.
    CongestionWindow,
    /// The receiver's window, or the output buffer of the sender.
    ReceiverWindow,
    /// The rate control of the transport.
    Rate,
    /// The opening of the connection, or a synchronising handshake.
    Handshake,
    /// The retransmission timer.
    Timeout,
    /// The link of the host.
    Link,
    /// The allowed cell rate of ABR.
    Acr,
    /// A traffic contract.
    Contract,
    /// Missing credit at the host.
    Credit,
}

impl Limit {
    /// The metric of the share of time under this limit.
    fn metric(self) -> &'static Metric {
        match self {
            Limit::Application => flow::limited_by_application,
            Limit::SlowStart => flow::limited_by_slow_start,
            Limit::CongestionWindow => flow::limited_by_congestion_window,
            Limit::ReceiverWindow => flow::limited_by_receiver_window,
            Limit::Rate => flow::limited_by_rate,
            Limit::Handshake => flow::limited_by_handshake,
            Limit::Timeout => flow::limited_by_timeout,
            Limit::Link => flow::limited_by_link,
            Limit::Acr => flow::limited_by_acr,
            Limit::Contract => flow::limited_by_contract,
            Limit::Credit => flow::limited_by_credit,
        }
    }

    /// Index of the counter of this limit. The application gets the rest of the time. A congestion
    /// window and rate control share a counter, because no transport has both. One counter serves
    /// all limits of the host, which are divided when they are read.
    fn slot(self) -> Option<usize> {
        match self {
            Limit::Application => None,
            Limit::SlowStart => Some(0),
            Limit::CongestionWindow | Limit::Rate => Some(1),
            Limit::ReceiverWindow => Some(2),
            Limit::Handshake => Some(3),
            Limit::Timeout => Some(TIMER),
            Limit::Link | Limit::Acr | Limit::Contract | Limit::Credit => Some(HOST),
        }
    }
}

/// Limits of the cells of a flow at its host.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Below {
    /// Pacing of the cells, where they do not leave back to back.
    pub pacing: CellLimit,
    /// Time in which cells waited for credit, on a link with credit.
    pub credit: Option<Duration>,
}

/// The cause for which cells of a flow wait at its host.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CellLimit {
    /// The link.
    #[default]
    Link,
    /// The allowed cell rate of ABR.
    Acr,
    /// A traffic contract.
    Contract,
}

impl From<CellLimit> for Limit {
    fn from(pacing: CellLimit) -> Limit {
        match pacing {
            CellLimit::Link => Limit::Link,
            CellLimit::Acr => Limit::Acr,
            CellLimit::Contract => Limit::Contract,
        }
    }
}

/// Time during which each limit applied to a flow, in picoseconds.
#[derive(Clone, Copy, Debug, Default)]
pub struct LimitMeter {
    /// The limit of the transport.
    limit: Limit,
    /// Time of the last event.
    since: Time,
    /// Time at which all data that the host sends back to back has left.
    pub left: Time,
    limited: [Duration; 6],
}

impl LimitMeter {
    /// Restarts the counts at `now`.
    pub fn begin(&mut self, now: Time) {
        *self = LimitMeter {
            limit: self.limit,
            since: now,
            left: self.left,
            ..LimitMeter::default()
        };
    }

    /// An event happens at `now`. The host limited the flow for `waited` of the time since the last
    /// event. The rest of that time counts for the retransmission timer if the timer has `expired`,
    /// else for the limit of the transport.
    #[inline]
    pub fn pass(&mut self, now: Time, waited: Duration, expired: bool) {
        let limit = if expired { Limit::Timeout } else { self.limit };
        if let Some(slot) = limit.slot() {
            self.limited[slot] += now.since(self.since) - waited;
        }
        self.limited[HOST] += waited;
        self.since = now;
    }

    /// The last `silence` of the time that was counted for the limit of the transport counts for the
    /// retransmission timer, which runs.
    pub fn wait_for_timer(&mut self, silence: Duration) {
        if let Some(slot) = self.limit.slot() {
            self.limited[slot] = self.limited[slot] - silence;
        }
        self.limited[TIMER] += silence;
    }

    /// The part of the time since the last event in which data left the host back to back, until
    /// `left`.
    #[inline]
    pub fn leaving(&self, now: Time, left: Time) -> Duration {
        left.min(now).since(self.since)
    }

    /// The part of the time since the last event in which cells waited, where `waiting` is the
    /// waiting time since counting began.
    pub fn more(&self, waiting: Duration) -> Duration {
        waiting - self.limited[HOST]
    }

    /// Sets the limit of the transport from now on.
    #[inline]
    pub fn becomes(&mut self, limit: Limit) {
        self.limit = limit;
    }

    /// Time since the last event.
    pub fn silence(&self, now: Time) -> Duration {
        now.since(self.since)
    }

    /// True if `limit` is the present limit.
    #[inline]
    pub fn is(&self, limit: Limit) -> bool {
        self.limit == limit
    }

    /// Shares of the counted `span` for each limit of the transport, and for the limits `below` it
    /// at the host.
    pub fn shares(&self, limits: &[Limit], below: Below, span: Duration) -> Vec<Measurement> {
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

    /// Time under a limit of the transport, within the counted `span`.
    pub fn time(&self, limit: Limit, span: Duration) -> Duration {
        match limit.slot() {
            Some(slot) => self.limited[slot],
            None => self.limited.iter().fold(span, |left, time| left - *time),
        }
    }
}

/// Index of the counter of the retransmission timer.
const TIMER: usize = 4;

/// Index of the counter of the limits at the host.
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
    fn tenths(shares: &[Measurement]) -> Vec<(&'static Metric, u64)> {
        let whole = |share: f64| (share * 10.0).round() as u64;
        let shares = shares.iter();
        shares
            .map(|(metric, share)| (*metric, whole(*share)))
            .collect()
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
                (flow::limited_by_slow_start, 0),
                (flow::limited_by_congestion_window, 4),
                (flow::limited_by_receiver_window, 5),
                (flow::limited_by_application, 1),
                (flow::limited_by_timeout, 0),
                (flow::limited_by_link, 0),
            ]
        );
    }

    #[test]
    fn limits_of_the_host_come_first_and_a_timeout_takes_the_silence_before_it() {
        let mut meter = LimitMeter::default();
        meter.becomes(Limit::SlowStart);
        meter.left = AT(1);
        // The sender sends a packet for 1 us, gets an answer at 3 us, and sends another packet for
        // 1 us.
        meter.pass(AT(3), meter.leaving(AT(3), AT(1)), false);
        meter.becomes(Limit::CongestionWindow);
        meter.pass(AT(8), meter.leaving(AT(8), AT(4)), true);
        meter.pass(AT(10), NONE, false);
        assert_eq!(
            tenths(&meter.shares(&LIMITS, Below::default(), US(10))),
            [
                (flow::limited_by_slow_start, 2),
                (flow::limited_by_congestion_window, 2),
                (flow::limited_by_receiver_window, 0),
                (flow::limited_by_application, 0),
                (flow::limited_by_timeout, 4),
                (flow::limited_by_link, 2),
            ]
        );
    }

    #[test]
    fn waiting_at_the_host_is_divided_between_pace_and_credit() {
        let mut meter = LimitMeter::default();
        meter.pass(AT(4), meter.more(US(4)), false);
        meter.pass(AT(10), meter.more(US(9)), false);
        let below = Below {
            pacing: CellLimit::Acr,
            credit: Some(US(2)),
        };
        assert_eq!(
            tenths(&meter.shares(&[Limit::Application], below, US(10))),
            [
                (flow::limited_by_application, 1),
                (flow::limited_by_acr, 7),
                (flow::limited_by_credit, 2)
            ]
        );
    }
}
