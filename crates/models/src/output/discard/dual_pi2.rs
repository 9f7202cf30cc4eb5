//! DualPI2: one controller for two queues, whose marks and drops are coupled so that flows of both
//! kinds get equal rates.
//!
//! A controller holds the waiting time near a target by a base probability p'. Classic flows are
//! dropped or marked with its square, because their rate falls with the square root of that; flows of
//! ECT(1), whose rate falls in proportion to marks, are marked with k p', or more if their own queue
//! is long. De Schepper, Briscoe and White, "Dual-Queue Coupled Active Queue Management (AQM) for Low
//! Latency, Low Loss, and Scalable Throughput (L4S)", RFC 9332, 2023, appendix A, with the overload of
//! appendix A.2. The scheduler `dual_queue` divides the flows between the queues.
//!
//! Updates that were due since the last change of the queues are made at the next one: between
//! changes the first packets only grow older. Cells are dropped by whole PDUs.

use std::collections::VecDeque;

use kernel::{Duration, Time};
use parameters::parameters;

use super::{Buffer, Decision, Discard, DiscardKind, Head, HeadDecision, Occupancy};
use crate::output::decision::pdus::{Overflow, Pdus, WholePackets};
use crate::output::decision::proportional_integral::ProportionalIntegral;
use crate::wire::cell::Cell;
use crate::wire::ecn::Codepoint;
use crate::wire::vc::Vc;

parameters! {
    /// DualPI2: a coupled controller for flows that need low delay and for the others.
    #[alias("l4s")]
    pub struct DualPi2 {
        /// Waiting time that the controller aims at for classic flows.
        #[as_in(ProportionalIntegral)]
        pub target: Duration,
        /// Time between updates of the probability (`Tupdate`).
        #[as_in(ProportionalIntegral)]
        pub update: Duration = "16 ms",
        #[as_in(ProportionalIntegral)]
        pub alpha: f64 = 0.16,
        #[as_in(ProportionalIntegral)]
        pub beta: f64 = 3.2,
        /// Ratio of the marks of flows of ECT(1) to the base probability (`k`).
        #[range(1.0, 100.0)]
        pub coupling: f64 = 2.0,
        /// Waiting time from which flows of ECT(1) are marked without regard to the others
        /// (`minTh`).
        #[range("0 s", "10 s")]
        pub step: Duration = "800 us",
        /// Further waiting time over which these marks grow to all packets (`range`).
        #[range("0 s", "10 s")]
        pub ramp: Duration = "400 us",
        #[as_in(WholePackets)]
        pub overflow: Overflow,
    }
}

impl DualPi2 {
    /// The policy for one buffer.
    pub fn build(&self, buffer: &Buffer) -> Box<dyn Discard> {
        let may_mark = !buffer.markable(true).is_empty();
        Box::new(State {
            codepoints: buffer.codepoints(),
            may_mark,
            controller: Controller::new(self.clone()),
            joined_at: Time::ZERO,
            waiting: [const { VecDeque::new() }; 2],
            counts: [0.0; 3],
            pdus: Pdus::new(buffer.vcs, self.overflow),
        })
    }
}

impl DiscardKind for DualPi2 {
    fn needs_shared_queue(&self) -> bool {
        true
    }

    fn drop_levels(&self, _buffer: &Buffer) -> Vec<(&'static str, u64)> {
        Vec::new()
    }

    fn drops_whole_packets(&self) -> bool {
        true
    }

    fn marks(&self) -> bool {
        true
    }

    fn schedulers(&self) -> Option<&'static [&'static str]> {
        Some(&["dual_queue", "fifo"])
    }

    fn parameter_of_cells(&self) -> Option<&'static str> {
        (self.overflow == Overflow::TailDrop).then_some("overflow")
    }
}

/// The controller of both queues: appendix A.1, figures 2 and 6.
struct Controller {
    spec: DualPi2,
    /// p'.
    base: f64,
    /// Waiting time at the last update.
    last: Duration,
    /// Time of the next update.
    due: Time,
}

impl Controller {
    fn new(spec: DualPi2) -> Controller {
        Controller {
            due: Time::ZERO + spec.update,
            spec,
            base: 0.0,
            last: Duration::ZERO,
        }
    }

    /// Makes the updates that are due until `now`; the first units of the queues have waited since
    /// `since`.
    fn catch_up(&mut self, now: Time, since: [Option<Time>; 2]) {
        while self.due <= now {
            if self.base == 0.0 && self.last == Duration::ZERO && since == [None; 2] {
                // Without a queue nothing changes.
                let every = self.spec.update.ps();
                let updates = now.since(self.due).ps() / every + 1;
                self.due += Duration::from_ps(every.saturating_mul(updates));
                return;
            }
            // With the overload of appendix A.2 the longer of the two waiting times counts.
            let waits = since
                .into_iter()
                .flatten()
                .map(|since| self.due.since(since));
            self.update(waits.max().unwrap_or(Duration::ZERO));
            self.due += self.spec.update;
        }
    }

    /// `dualpi2_update`, where a packet has waited for `wait`.
    fn update(&mut self, wait: Duration) {
        let DualPi2 { alpha, beta, .. } = self.spec;
        let distance = wait.seconds() - self.spec.target.seconds();
        let growth = wait.seconds() - self.last.seconds();
        self.base = (self.base + alpha * distance + beta * growth).clamp(0.0, 1.0);
        self.last = wait;
    }

    /// `p_C`: the probability of drops and marks of classic flows.
    fn classic(&self) -> f64 {
        self.base * self.base
    }

    /// `p_CL`: the coupled probability of marks of flows of ECT(1); it may exceed one.
    fn coupled(&self) -> f64 {
        self.spec.coupling * self.base
    }

    /// `laqm`: the probability of marks by the queue of low delay alone.
    fn native(&self, head: &Head) -> f64 {
        let DualPi2 { step, ramp, .. } = self.spec;
        // A packet alone is no queue (`Th_len`).
        if head.behind == 0 || head.sojourn <= step {
            return 0.0;
        }
        let beyond = head.sojourn.saturating_sub(step);
        if beyond >= ramp {
            return 1.0;
        }
        beyond.seconds() / ramp.seconds()
    }
}

struct State {
    /// ECN codepoint of each virtual channel.
    codepoints: Box<[Codepoint]>,
    may_mark: bool,
    controller: Controller,
    /// Time at which a unit was last offered.
    joined_at: Time,
    /// Arrivals of the waiting units, of classic flows and of flows of ECT(1).
    waiting: [VecDeque<Time>; 2],
    /// Likelihoods that have not yet led to a drop or a mark: of classic flows, and of marks and
    /// drops of flows of ECT(1).
    counts: [f64; 3],
    pdus: Pdus,
}

/// The numbers in `counts`.
const CLASSIC: usize = 0;
const SCALABLE: usize = 1;
const OVERLOAD: usize = 2;

impl State {
    /// The queue of a virtual channel in `waiting`.
    fn queue_of(&self, vc: Vc) -> usize {
        usize::from(self.codepoints[vc.index()] == Codepoint::Scalable)
    }

    /// Makes the updates until `now`, before the queues change.
    fn catch_up(&mut self, now: Time) {
        let since = [0, 1].map(|queue: usize| self.waiting[queue].front().copied());
        self.controller.catch_up(now, since);
    }

    /// `recur`: true once in so many calls as the likelihood says, evenly spread.
    fn recurs(&mut self, which: usize, likelihood: f64) -> bool {
        let count = &mut self.counts[which];
        *count += likelihood;
        let recurs = *count > 1.0;
        if recurs {
            *count -= 1.0;
        }
        recurs
    }

    /// The decision about a packet of ECT(1): figures 4 and 9.
    fn scalable(&mut self, head: &Head) -> HeadDecision {
        let coupled = self.controller.coupled();
        if coupled >= 1.0 && self.recurs(OVERLOAD, self.controller.classic()) {
            // Marks are saturated, so drops keep the queues from filling up.
            return HeadDecision::Drop;
        }
        let likelihood = coupled.min(1.0).max(self.controller.native(head));
        if self.recurs(SCALABLE, likelihood) {
            HeadDecision::Mark
        } else {
            HeadDecision::Send
        }
    }

    /// The decision about a packet of another codepoint.
    fn classic(&mut self, codepoint: Codepoint) -> HeadDecision {
        let is_overload = self.controller.coupled() >= 1.0;
        if !self.recurs(CLASSIC, self.controller.classic()) {
            HeadDecision::Send
        } else if codepoint == Codepoint::NotCapable || is_overload {
            HeadDecision::Drop
        } else {
            HeadDecision::Mark
        }
    }
}

impl Discard for State {
    fn admit(&mut self, cell: &Cell, buffer: Occupancy) -> Decision {
        self.joined_at = buffer.at;
        self.pdus.decision(cell, &buffer, || buffer.fits())
    }

    fn marks(&self) -> bool {
        self.may_mark
    }

    fn follows_queue(&self) -> bool {
        true
    }

    fn on_join(&mut self, vc: Vc, _units: u64) {
        self.catch_up(self.joined_at);
        let queue = self.queue_of(vc);
        self.waiting[queue].push_back(self.joined_at);
    }

    fn on_leave(&mut self, vc: Vc, _units: u64, at: Time) {
        self.catch_up(at);
        let queue = self.queue_of(vc);
        self.waiting[queue].pop_front();
    }

    fn decides_at_departure(&self) -> bool {
        true
    }

    fn on_head(&mut self, head: Head) -> HeadDecision {
        self.catch_up(head.at);
        match self.codepoints[head.vc.index()] {
            Codepoint::Scalable => self.scalable(&head),
            _ if head.not_ect => self.classic(Codepoint::NotCapable),
            codepoint => self.classic(codepoint),
        }
    }
}

#[cfg(test)]
mod tests {
    use parameters::ParameterTable;

    use super::*;

    const MS: fn(u64) -> Duration = Duration::from_ms;

    fn controller(base: f64) -> Controller {
        Controller {
            base,
            ..Controller::new(DualPi2::defaults())
        }
    }

    /// The policy of three flows, not capable, of ECT(0) and of ECT(1), with a base probability.
    fn state(base: f64) -> State {
        let codepoints = [
            Codepoint::NotCapable,
            Codepoint::Classic,
            Codepoint::Scalable,
        ];
        State {
            codepoints: codepoints.into(),
            may_mark: true,
            controller: controller(base),
            joined_at: Time::ZERO,
            waiting: [const { VecDeque::new() }; 2],
            counts: [0.0; 3],
            pdus: Pdus::new(3, Overflow::PartialPacket),
        }
    }

    fn head(vc: u32, sojourn: Duration, behind: u64) -> Head {
        Head {
            at: Time::ZERO,
            vc: Vc(vc),
            not_ect: false,
            sojourn,
            queue: 0,
            size: 1500,
            behind,
        }
    }

    /// How many of a thousand packets of a flow are marked, and dropped.
    fn outcome(base: f64, vc: u32, sojourn: Duration) -> [usize; 2] {
        let (mut state, head) = (state(base), head(vc, sojourn, 1500));
        let decisions: Vec<_> = (0..1000).map(|_| state.on_head(head)).collect();
        [HeadDecision::Mark, HeadDecision::Drop]
            .map(|meant| decisions.iter().filter(|one| **one == meant).count())
    }

    #[test]
    fn a_packet_that_is_not_capable_is_dropped_although_its_flow_is() {
        let capable = head(1, Duration::ZERO, 1500);
        let not_ect = Head {
            not_ect: true,
            ..capable
        };
        // The square of 0.4, of a thousand.
        for (head, [marks, drops]) in [(capable, [160, 0]), (not_ect, [0, 160])] {
            let mut state = state(0.4);
            let decisions: Vec<_> = (0..1000).map(|_| state.on_head(head)).collect();
            let count = |meant| decisions.iter().filter(|one| **one == meant).count();
            let counts = [count(HeadDecision::Mark), count(HeadDecision::Drop)];
            assert!(is_near(counts, [marks, drops]), "{counts:?}");
        }
    }

    /// True if counts are as expected, up to one: the likelihoods add up to whole numbers.
    fn is_near(counts: [usize; 2], expected: [usize; 2]) -> bool {
        let pairs = counts.iter().zip(expected);
        pairs
            .into_iter()
            .all(|(count, expected)| count.abs_diff(expected) <= 1)
    }

    #[test]
    fn the_base_probability_grows_with_the_distance_and_the_growth() {
        let mut controller = controller(0.1);
        controller.last = MS(20);
        controller.update(MS(25));
        // 0.16 * 10 ms + 3.2 * 5 ms = 0.0176.
        assert!((controller.base - 0.1176).abs() < 1e-12);
        controller.update(MS(0));
        assert!((controller.base - (0.1176 - 0.0024 - 0.08)).abs() < 1e-12);
    }

    #[test]
    fn updates_see_the_first_packets_grow_older() {
        let mut once = controller(0.0);
        once.catch_up(Time::ZERO + MS(50), [Some(Time::ZERO), None]);
        let mut singly = controller(0.0);
        for wait in [16, 32, 48] {
            singly.update(MS(wait));
        }
        assert_eq!((once.base, once.last), (singly.base, singly.last));
    }

    #[test]
    fn the_longer_of_the_queues_counts() {
        let since = [Some(Time::ZERO + MS(10)), Some(Time::ZERO)];
        let mut controller = controller(0.0);
        controller.catch_up(Time::ZERO + MS(16), since);
        assert_eq!(controller.last, MS(16));
    }

    #[test]
    fn a_time_without_queue_is_one_step() {
        let mut controller = controller(0.0);
        controller.catch_up(Time::ZERO + MS(1_000_000_000), [None; 2]);
        assert!(controller.due > Time::ZERO + MS(1_000_000_000));
    }

    #[test]
    fn classic_packets_suffer_the_square_and_others_k_times_the_base() {
        assert!(is_near(outcome(0.2, 0, MS(0)), [0, 40]));
        assert!(is_near(outcome(0.2, 1, MS(0)), [40, 0]));
        assert!(is_near(outcome(0.2, 2, MS(0)), [400, 0]));
    }

    #[test]
    fn a_packet_of_low_delay_that_waits_is_marked_by_its_own_queue() {
        let marks = |us| outcome(0.0, 2, Duration::from_us(us));
        for (us, marked) in [(800, 0), (1000, 500), (1200, 1000)] {
            assert!(is_near(marks(us), [marked, 0]), "{us}");
        }
        let mut state = state(0.0);
        let alone = (0..9).map(|_| state.on_head(head(2, MS(5), 0)));
        assert!(alone.eq((0..9).map(|_| HeadDecision::Send)));
    }

    #[test]
    fn in_overload_packets_of_all_codepoints_are_dropped_alike() {
        assert!(is_near(outcome(0.6, 0, MS(0)), [0, 360]));
        assert!(is_near(outcome(0.6, 1, MS(0)), [0, 360]));
        assert!(is_near(outcome(0.6, 2, MS(0)), [640, 360]));
    }
}
