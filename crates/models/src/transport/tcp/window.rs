//! The window arithmetic that most algorithms share, with the differences between implementations.
//!
//! Jacobson, "Congestion Avoidance and Control", SIGCOMM 1988, section 3 and appendix B.

use parameters::{choices, parameters};

use super::congestion::{Ack, CongestionEvent, Limits, Prior};

parameters! {
    /// The parameter of the congestion controls of 1988 and 1990, whose window grows as in BSD.
    pub struct GrowingWindow {
        /// Growth of the window.
        pub growth: Growth = {},
    }

    /// The parameter of the congestion controls of RFC 5681 and its successors.
    pub struct CountingWindow {
        /// Growth of the window.
        pub growth: CountedGrowth = {},
    }

    /// Growth of the congestion window, by a segment for each window of data acknowledged.
    pub struct CountedGrowth {
        #[as_in(Growth)]
        pub at_ssthresh: AtSsthresh,
        #[as_in(Growth)]
        pub linear: LinearGrowth,
        #[as_in(Growth)]
        pub increment: Increment = "counted",
    }

    /// Growth of the congestion window.
    pub struct Growth {
        /// Growth of a window equal to ssthresh.
        pub at_ssthresh: AtSsthresh = "slow_start",
        /// Growth of a window beyond ssthresh.
        pub linear: LinearGrowth = "standard",
        /// Rounding of increments.
        pub increment: Increment = "octets",
    }
}

choices! {
    /// Growth of a window equal to ssthresh.
    pub enum AtSsthresh {
        /// One segment per acknowledgment, as in slow start: BSD.
        slow_start => SlowStart,
        /// Linear, as beyond ssthresh: ns-2.
        linear => Linear,
    }
}

choices! {
    /// Growth in congestion avoidance.
    pub enum LinearGrowth {
        /// One segment per window: RFC 5681, section 3.1.
        standard => Standard,
        /// One segment per window, and an eighth of a segment more with each acknowledgment:
        /// 4.3BSD-Reno (1990) to 4.4BSD, removed in October 1994 (`tcp_input.c` 8.7).
        plus_eighth => PlusEighth,
    }
}

choices! {
    /// Rounding of increments.
    pub enum Increment {
        /// Increments are rounded down to whole octets, and at least one: BSD.
        octets => Octets,
        /// Increments are not rounded, as in ns-2, which keeps the window in fractions of a
        /// segment and adds such a fraction for each acknowledgment.
        exact => Exact,
        /// Octets acknowledged are counted, and each window of them adds one segment, however large
        /// the window is and however many segments an acknowledgment covers: RFC 5681, section 3.1;
        /// Linux (`tcp_cong_avoid_ai`).
        counted => Counted,
    }
}

impl From<&CountedGrowth> for Growth {
    fn from(growth: &CountedGrowth) -> Growth {
        Growth {
            at_ssthresh: growth.at_ssthresh,
            linear: growth.linear,
            increment: growth.increment,
        }
    }
}

/// The quantity that a loss halves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Halve {
    /// The window, in whole segments: BSD.
    Window,
    /// The flight size: RFC 5681, section 3.1, equation 4.
    Flight,
}

/// `octets` of a window, which has fewer than 2^30.
fn narrow(octets: u64) -> u32 {
    u32::try_from(octets).unwrap_or(u32::MAX)
}

/// `octets`, which is not negative, rounded down. Faster than [`f64::floor`], which is a library
/// call on processors without an instruction for it.
fn whole(octets: f64) -> f64 {
    octets as i64 as f64
}

/// A congestion window and its threshold. Windows have fewer than 2^30 octets.
#[derive(Clone, Debug, PartialEq)]
pub struct Window {
    /// Maximum segment size.
    mss: u32,
    /// Receiver's window.
    most: u32,
    /// Slow-start threshold, in octets.
    pub ssthresh: u64,
    cwnd: f64,
    /// Whole octets of `cwnd`, kept because they are read several times for each change of `cwnd`.
    octets: u32,
    /// Octets acknowledged in congestion avoidance since the window last grew, where they count.
    counted: u32,
    growth: Growth,
    halve: Halve,
}

impl Window {
    /// The window at the start.
    pub fn new(limits: &Limits, growth: &Growth, halve: Halve) -> Window {
        let initial = limits.initial.min(limits.window);
        Window {
            mss: narrow(limits.mss),
            most: narrow(limits.window),
            ssthresh: limits.ssthresh,
            cwnd: initial as f64,
            octets: narrow(initial),
            counted: 0,
            growth: growth.clone(),
            halve,
        }
    }

    /// Octets that may be outstanding.
    pub fn cwnd(&self) -> u64 {
        self.octets.into()
    }

    /// Maximum segment size.
    pub fn mss(&self) -> u64 {
        self.mss.into()
    }

    /// Sets the window, to at least one segment.
    pub fn set(&mut self, octets: u64) {
        self.octets = narrow(octets.max(self.mss()));
        self.cwnd = f64::from(self.octets);
        // As in Linux (`tcp_init_cwnd_reduction`, `tcp_enter_loss`).
        self.counted = 0;
    }

    /// True if the next acknowledgment grows the window by slow start.
    pub fn in_slow_start(&self) -> bool {
        let ssthresh = self.ssthresh as f64;
        match self.growth.at_ssthresh {
            AtSsthresh::SlowStart => self.cwnd <= ssthresh,
            AtSsthresh::Linear => self.cwnd < ssthresh,
        }
    }

    /// Grows the window: in slow start by what [`Window::open`] says, and by one segment per window
    /// beyond ssthresh.
    pub fn grow(&mut self, ack: &Ack) {
        let mut octets = ack.octets;
        if self.in_slow_start() {
            octets = self.open(octets, ack.counts_delivered);
            // The rest of an acknowledgment counts only where octets do.
            if octets == 0 || self.growth.increment != Increment::Counted {
                return;
            }
        }
        self.avoid(octets);
    }

    /// Slow start: one segment for an acknowledgment, or, if slow start `counts_delivered`, what is
    /// delivered, up to ssthresh. Returns the octets that are left for congestion avoidance.
    pub fn open(&mut self, octets: u64, counts_delivered: bool) -> u64 {
        if !counts_delivered {
            // Departs from RFC 5681, section 3.1, equation 2, which recommends min(N, SMSS) for N
            // octets acknowledged: BSD and ns-2 count acknowledgments.
            self.raise(f64::from(self.mss));
            return 0;
        }
        // Linux, `tcp_slow_start`; a window equal to ssthresh grows by one more segment in BSD.
        let end = match self.growth.at_ssthresh {
            AtSsthresh::SlowStart => self.ssthresh.saturating_add(self.mss()),
            AtSsthresh::Linear => self.ssthresh,
        };
        let opened = (octets as f64).min(end as f64 - self.cwnd);
        self.raise(opened);
        octets - (opened as u64).min(octets)
    }

    /// Congestion avoidance: RFC 5681, section 3.1, equation 3, but at least one octet.
    fn avoid(&mut self, octets: u64) {
        let mss = f64::from(self.mss);
        let eighth = match self.growth.linear {
            LinearGrowth::Standard => 0.0,
            LinearGrowth::PlusEighth => mss / 8.0,
        };
        let step = match self.growth.increment {
            Increment::Octets => whole(mss * mss / self.cwnd).max(1.0) + whole(eighth),
            Increment::Exact => mss * mss / self.cwnd + eighth,
            Increment::Counted => self.counted_step(octets) + eighth,
        };
        self.raise(step);
    }

    /// Counts `octets` that are acknowledged; a segment once there is a window of them (RFC 3465,
    /// section 2.1).
    fn counted_step(&mut self, octets: u64) -> f64 {
        self.counted = narrow(u64::from(self.counted) + octets);
        if self.counted < self.octets {
            return 0.0;
        }
        self.counted -= self.octets;
        f64::from(self.mss)
    }

    /// Grows the window for `octets` that were acknowledged by `part` of the growth beyond ssthresh,
    /// which is a segment per window.
    pub fn grow_by(&mut self, octets: u64, part: f64) {
        self.raise(part * f64::from(self.mss) * octets as f64 / self.cwnd);
    }

    /// Raises ssthresh to `octets`, if it is lower.
    pub fn raise_ssthresh(&mut self, octets: u64) {
        self.ssthresh = self.ssthresh.max(octets);
    }

    /// Raises the window by `step`, to at most the receiver's window.
    // Departs from RFC 5681, section 3.1, which has no upper limit: a window beyond the receiver's
    // would grow without being used, and half of it would be too much after a loss.
    fn raise(&mut self, step: f64) {
        self.cwnd = (self.cwnd + step).min(f64::from(self.most));
        self.octets = self.cwnd as u32;
    }

    /// Sets ssthresh to half of the window or flight size, and at least two segments.
    pub fn cut(&mut self, event: &CongestionEvent) {
        let mss = self.mss();
        self.ssthresh = match self.halve {
            // Departs from RFC 5681, section 3.1: BSD halves the window rather than the flight
            // size, and again whenever the timer expires for the same segment.
            Halve::Window => (self.cwnd().min(self.most.into()) / 2 / mss).max(2) * mss,
            Halve::Flight if event.again => self.ssthresh,
            // Departs from RFC 5681, section 3.1, equation 4, which halves the flight size even if
            // it exceeds the window. Segments behind a lost retransmission belong to the flight
            // size but have left the path, which never held more than the window.
            Halve::Flight => (event.flight.min(self.cwnd()) / 2).max(2 * mss),
        };
    }

    /// Halves the window: ssthresh is cut, and the window continues at ssthresh.
    pub fn halve(&mut self, event: &CongestionEvent) {
        self.cut(event);
        self.set(self.ssthresh);
    }

    /// Halves the window after a mark; a window of one segment stays, and the sender spaces its
    /// segments instead: RFC 3168, section 6.1.2.
    pub fn answer_mark(&mut self, event: &CongestionEvent) {
        let before = self.cwnd();
        self.cut(event);
        self.set(self.ssthresh.min(before));
    }

    /// Sets ssthresh to `octets`, and at least two segments, and the window to at most ssthresh; a
    /// window of one segment stays.
    pub fn cut_to(&mut self, octets: u64) {
        self.ssthresh = octets.max(2 * self.mss());
        self.set(self.ssthresh.min(self.cwnd()));
    }

    /// Returns to the windows before a reduction that was spurious, where these are larger.
    pub fn undo(&mut self, prior: &Prior) {
        self.ssthresh = self.ssthresh.max(prior.ssthresh);
        self.set(self.cwnd().max(prior.cwnd));
    }

    /// Collapses the window to one segment, the loss window of RFC 5681, section 3.1.
    pub fn collapse(&mut self, event: &CongestionEvent) {
        self.cut(event);
        self.set(self.mss());
    }
}

#[cfg(test)]
mod tests {
    use kernel::Time;
    use parameters::ParameterTable;

    use super::*;

    const LIMITS: Limits = Limits {
        mss: 100,
        window: 2000,
        initial: 100,
        ssthresh: 800,
        header: 40,
    };

    const LOSS: CongestionEvent = CongestionEvent {
        now: Time::ZERO,
        flight: 700,
        again: false,
    };

    fn grown(growth: &Growth, acks: usize) -> u64 {
        let mut window = Window::new(&LIMITS, growth, Halve::Window);
        (0..acks).for_each(|_| window.grow(&Ack::default()));
        window.cwnd()
    }

    /// The window in congestion avoidance after 24 segments, in acknowledgments of `each` segments.
    fn counted(growth: &Growth, each: u64) -> u64 {
        let mut window = Window::new(&LIMITS, growth, Halve::Flight);
        window.set(1200);
        (0..24 / each).for_each(|_| {
            window.grow(&Ack {
                octets: each * LIMITS.mss,
                ..Ack::default()
            });
        });
        window.cwnd()
    }

    /// RFC 5681, section 3.1: 12 segments add one to a window of 12, and 12 of the next 13 do not.
    #[test]
    fn counted_octets_add_a_segment_a_window_however_many_an_acknowledgment_covers() {
        let growth = Growth::from(&CountedGrowth::defaults());
        assert_eq!(
            [1, 2, 3, 4, 8].map(|each| counted(&growth, each)),
            [1300; 5]
        );
        let exact = Growth {
            increment: Increment::Exact,
            ..growth
        };
        assert_eq!(
            [1, 2, 8].map(|each| counted(&exact, each)),
            [1386, 1296, 1224]
        );
    }

    /// Linux, `tcp_slow_start`: what exceeds ssthresh counts in congestion avoidance at once.
    #[test]
    fn slow_start_may_count_what_is_delivered() {
        for each in [1, 2, 4, 8] {
            let growth = Growth {
                at_ssthresh: AtSsthresh::Linear,
                increment: Increment::Counted,
                ..Growth::defaults()
            };
            let mut window = Window::new(&LIMITS, &growth, Halve::Flight);
            for _ in 0..16 / each {
                window.grow(&Ack {
                    octets: each * LIMITS.mss,
                    counts_delivered: true,
                    ..Ack::default()
                });
            }
            // Seven segments open the window to eight, and eight of the other nine add one.
            assert_eq!(window.cwnd(), 900, "{each}");
        }
    }

    #[test]
    fn doubles_each_round_trip_until_ssthresh() {
        let bsd = Growth::defaults();
        let ns = Growth {
            at_ssthresh: AtSsthresh::Linear,
            ..Growth::defaults()
        };
        assert_eq!(grown(&bsd, 7), 800);
        assert_eq!(grown(&bsd, 8), 900);
        assert_eq!(grown(&ns, 8), 812);
    }

    #[test]
    fn fractions_are_dropped_or_kept() {
        let exact = Growth {
            increment: Increment::Exact,
            ..Growth::defaults()
        };
        // Nine increments of 11.1, 10.9, ... octets raise the window of 900 octets to 991 in whole
        // octets; the fractions left out add up to four octets.
        assert_eq!(grown(&Growth::defaults(), 17), 991);
        assert_eq!(grown(&exact, 17), 995);
    }

    #[test]
    fn growth_with_an_eighth_more_overtakes_standard_growth() {
        let osf = Growth {
            linear: LinearGrowth::PlusEighth,
            ..Growth::defaults()
        };
        assert_eq!(grown(&osf, 9), 900 + 11 + 12);
    }

    #[test]
    fn never_grows_beyond_the_window_of_the_receiver() {
        assert_eq!(grown(&Growth::defaults(), 1000), 2000);
    }

    #[test]
    fn a_loss_halves_in_whole_segments_and_leaves_at_least_two() {
        let mut window = Window::new(&LIMITS, &Growth::defaults(), Halve::Window);
        window.set(950);
        window.collapse(&LOSS);
        assert_eq!((window.ssthresh, window.cwnd()), (400, 100));
        window.collapse(&LOSS);
        assert_eq!((window.ssthresh, window.cwnd()), (200, 100));
    }

    #[test]
    fn a_loss_may_halve_the_flight_size() {
        let mut window = Window::new(&LIMITS, &Growth::defaults(), Halve::Flight);
        window.set(900);
        window.halve(&LOSS);
        assert_eq!((window.ssthresh, window.cwnd()), (350, 350));
    }

    #[test]
    fn more_outstanding_than_the_window_does_not_raise_the_threshold() {
        let mut window = Window::new(&LIMITS, &Growth::defaults(), Halve::Flight);
        window.set(400);
        window.collapse(&LOSS);
        assert_eq!((window.ssthresh, window.cwnd()), (200, 100));
    }

    #[test]
    fn ssthresh_stays_while_the_timer_expires_for_one_segment() {
        let again = CongestionEvent {
            again: true,
            ..LOSS
        };
        let mut window = Window::new(&LIMITS, &Growth::defaults(), Halve::Flight);
        window.set(1400);
        window.collapse(&LOSS);
        window.collapse(&again);
        assert_eq!((window.ssthresh, window.cwnd()), (350, 100));
    }

    #[test]
    fn a_mark_leaves_a_window_of_one_segment() {
        let mut window = Window::new(&LIMITS, &Growth::defaults(), Halve::Flight);
        window.answer_mark(&LOSS);
        assert_eq!((window.cwnd(), window.ssthresh), (100, 200));
    }
}
