//! The congestion window as a sender uses it: what the congestion control allows, or the reduction
//! under way, and at most the cap of a run that is steered.
//!
//! The cap is our own rule: the congestion control is not changed, and the sender uses at most the cap
//! of its window.

use kernel::{Duration, Time};

use super::spread::{Reduction, Spread};
use super::usage::{Unused, Usage};
use crate::transport::WindowCap;
use crate::transport::tcp::congestion::{Ack, CongestionControl};
use crate::transport::tcp::recovery::{Outstanding, Recovery};
use crate::transport::tcp::retransmission::RetransmissionTimer;
use crate::transport::tcp::{Idle, Tcp};

/// The congestion window of one sender.
pub(super) struct CongestionWindow {
    /// The algorithm that owns the window.
    pub(super) control: Box<dyn CongestionControl>,
    usage: Usage,
    /// The largest window of the receiver, so far and to be expected: fewer than 2^31 octets.
    largest: u32,
    /// Window at the start, in segments.
    initial: u16,
    idle: Idle,
    /// True if slow start counts what is delivered, and not acknowledgments.
    pub(super) counts_delivered: bool,
    /// State that few senders have.
    rare: Option<Box<Extras>>,
}

/// State that few senders have, in one place: a network may have many senders, and each is small.
#[derive(Default)]
struct Extras {
    /// The reductions after marks, if the sender spreads them.
    spread: Option<Spread>,
    /// The use of the window over time, if the host shrinks windows that are not used.
    unused: Option<Unused>,
    /// Cap of the window in octets, if the run is steered.
    cap: Option<u64>,
}

impl CongestionWindow {
    /// The window of a sender before its first segment.
    pub(super) fn new(spec: &Tcp, control: Box<dyn CongestionControl>) -> CongestionWindow {
        let (spread, idle) = (Spread::of(spec), spec.idle_restart);
        let unused = (idle == Idle::Linux).then(Unused::default);
        let cap = None;
        let is_needed = spread.is_some() || unused.is_some();
        CongestionWindow {
            control,
            usage: Usage::new(spec.unused_window),
            largest: spec.largest_window() as u32,
            initial: spec.initial_window as u16,
            idle,
            counts_delivered: spec.counts_delivered(),
            rare: is_needed.then(|| {
                Box::new(Extras {
                    spread,
                    unused,
                    cap,
                })
            }),
        }
    }

    /// Octets that may be outstanding.
    pub(super) fn octets(&self) -> u64 {
        let reduction = self.reduction();
        let own = reduction.map_or_else(|| self.control.cwnd(), |reduction| reduction.window);
        own.min(self.cap().unwrap_or(self.largest.into()))
    }

    /// The window at the start, for segments of `mss` octets.
    pub(super) fn initial(&self, mss: u64) -> u64 {
        u64::from(self.initial) * mss
    }

    /// True if the window `cwnd` is below ssthresh, and not limited by the cap.
    pub(super) fn is_in_slow_start(&self, cwnd: u64) -> bool {
        cwnd < self.control.ssthresh() && !self.is_capped(cwnd) && !self.is_reducing()
    }

    /// The cap, if the run is steered.
    #[inline]
    fn cap(&self) -> Option<u64> {
        self.rare.as_ref()?.cap
    }

    /// True if the cap limits a window of `cwnd` octets.
    #[inline]
    fn is_capped(&self, cwnd: u64) -> bool {
        self.cap()
            .is_some_and(|cap| cap < self.largest.into() && cap <= cwnd)
    }

    /// The cap, from one segment of `mss` octets to the receiver's window.
    pub(super) fn cap_within(&mut self, mss: u64) -> WindowCap<'_> {
        let most = self.largest.into();
        let rare = self.rare.get_or_insert_default();
        WindowCap {
            octets: rare.cap.get_or_insert(most),
            least: mss,
            most,
        }
    }

    /// The receiver offers a window of `octets`.
    pub(super) fn is_offered(&mut self, octets: u64) {
        self.largest = self.largest.max(octets as u32);
    }

    /// Octets of an acknowledgment of `octets` that count towards the growth of the window.
    pub(super) fn counted(&self, data: &Outstanding, octets: u64) -> u64 {
        if self.counts_delivered {
            data.newly_arrived(octets)
        } else {
            octets
        }
    }

    /// Takes an acknowledgment of new data outside a recovery: a window that was used grows.
    pub(super) fn acknowledged(&mut self, ack: &Ack) {
        if ack.limited {
            self.control.on_ack(ack);
        } else {
            self.control.on_unused(ack);
        }
    }

    /// The reduction under way, if there is one.
    #[inline]
    fn reduction(&self) -> Option<&Reduction> {
        self.rare.as_ref()?.spread.as_ref()?.reduction.as_ref()
    }

    #[inline]
    fn spread(&mut self) -> Option<&mut Spread> {
        self.rare.as_mut()?.spread.as_mut()
    }

    /// True while a reduction is under way.
    #[inline]
    pub(super) fn is_reducing(&self) -> bool {
        self.reduction().is_some()
    }

    /// A mark has reduced a window of `prior` octets, with data outstanding up to `end`: the reduction is
    /// spread, if the sender does so.
    #[cold]
    pub(super) fn begin_reduction(&mut self, prior: u64, end: u64) {
        if self.control.cwnd() < prior
            && let Some(spread) = self.spread()
        {
            spread.reduction = Some(Reduction::new(prior, end));
        }
    }

    /// Ends the reduction under way, and returns it: a recovery goes on with it, or a timeout follows.
    #[inline]
    pub(super) fn end_reduction(&mut self) -> Option<Reduction> {
        self.spread()?.reduction.take()
    }

    /// An acknowledgment of all octets below `ack` ends a reduction of the data before: the window is
    /// that of the congestion control, and may grow.
    #[inline]
    pub(super) fn pass_reduction(&mut self, ack: u64) {
        if self
            .reduction()
            .is_some_and(|under_way| ack > under_way.end)
        {
            self.end_reduction();
        }
    }

    /// Octets `len` are sent.
    #[inline]
    pub(super) fn count_in_reduction(&mut self, len: u64) {
        if let Some(Spread {
            reduction: Some(reduction),
        }) = self.spread()
        {
            reduction.sent += len;
        }
    }

    /// An acknowledgment has been taken during a reduction, with its losses; `before` was the oldest
    /// octet outstanding.
    #[cold]
    pub(super) fn reduce(&mut self, data: &Outstanding, recovery: &dyn Recovery, before: u64) {
        let ssthresh = self.control.ssthresh();
        if let Some(Spread {
            reduction: Some(reduction),
        }) = self.spread()
        {
            reduction.acknowledged(data, recovery, before, ssthresh);
        }
    }

    /// True if the window was used, and may grow: it limited the sender, or half of it was used in
    /// slow start.
    #[inline]
    pub(super) fn is_used(&self) -> bool {
        let half = || {
            let cwnd = self.octets();
            self.is_in_slow_start(cwnd) && cwnd < 2 * self.usage.most()
        };
        self.usage.is_full() || half()
    }

    /// Records the use of the window after sending; `is_full` is true if the window ended it, and `sent` if
    /// new data left.
    // A part of sending, which every acknowledgment asks for.
    #[allow(clippy::inline_always)]
    #[inline(always)]
    pub(super) fn note_usage(
        &mut self,
        now: Time,
        is_full: bool,
        sent: bool,
        data: &Outstanding,
        timer: &RetransmissionTimer,
    ) {
        if self.usage.note(data, is_full, sent) && self.idle == Idle::Linux {
            self.shrink_if_unused(now, data, timer.rto());
        }
    }

    /// A window that is not used for a timeout shrinks to the mean of itself and what was used of it,
    /// or of the initial window: `tcp_cwnd_application_limited`.
    fn shrink_if_unused(&mut self, now: Time, data: &Outstanding, rto: Duration) {
        let (is_used, initial) = (self.is_used(), self.initial(data.mss));
        let Some(unused) = self.unused() else {
            return;
        };
        let Some(used) = unused.note(now, data.flight(), is_used, rto) else {
            return;
        };
        let used = initial.max(used.into());
        let is_open = data.duplicates == 0 && data.recovered() && !self.is_reducing();
        let cwnd = self.control.cwnd();
        if is_open && used < cwnd && self.control.rests() {
            let mss = data.mss;
            self.control.raise_ssthresh(cwnd / 4 * 3);
            self.control
                .resume_from((cwnd / mss).midpoint(used / mss) * mss);
        }
    }

    fn unused(&mut self) -> Option<&mut Unused> {
        self.rare.as_mut()?.unused.as_mut()
    }

    /// Restarts from a small window after an idle time, when the state of the path is unknown: RFC
    /// 5681, section 4.1; 4.3BSD-Reno. The last segment was sent at `last_sent`.
    ///
    /// Departs from 4.3BSD-Reno, which counts the idle time from the last segment received: here it
    /// counts from the last segment sent, as in the RFC.
    pub(super) fn restart_if_idle(
        &mut self,
        now: Time,
        last_sent: Time,
        data: &Outstanding,
        timer: &RetransmissionTimer,
    ) {
        if self.idle == Idle::Never || data.max == 0 || data.flight() > 0 {
            return;
        }
        let (rto, idle) = (timer.rto(), now.since(last_sent));
        let restart = match self.idle {
            Idle::Never => return,
            Idle::Linux => return self.restart_by_halves(now, idle, rto, data.mss),
            Idle::Bsd => data.mss,
            Idle::Rfc5681 => self.initial(data.mss).min(self.control.cwnd()),
        };
        if idle >= rto {
            self.end_reduction();
            self.control.resume_from(restart);
        }
    }

    /// The window after an idle time: halved for each whole timeout of it, but not below the initial
    /// window (`tcp_cwnd_restart`).
    fn restart_by_halves(&mut self, now: Time, idle: Duration, rto: Duration, mss: u64) {
        if idle <= rto || !self.control.rests() {
            return;
        }
        let before = self.control.cwnd();
        let least = self.initial(mss).min(before);
        let (mut cwnd, mut left) = (before, idle - rto);
        while left > Duration::ZERO && cwnd > least {
            cwnd = cwnd / mss / 2 * mss;
            left = left.saturating_sub(rto);
        }
        self.end_reduction();
        self.control.raise_ssthresh(before / 4 * 3);
        self.control.resume_from(cwnd.max(least));
        if let Some(unused) = self.unused() {
            *unused = Unused::since(now);
        }
    }
}
