//! Two queues, one for flows that need low delay and one for the others, of which the first goes first
//! up to a share of the link.
//!
//! De Schepper, Briscoe and White, "Dual-Queue Coupled Active Queue Management (AQM) for Low Latency,
//! Low Loss, and Scalable Throughput (L4S)", RFC 9332, 2023, section 2: packets of ECT(1) go to the
//! L queue, others to the C queue. Of the schedulers that appendix A.1 leaves to choose from this is
//! weighted round robin with conditional priority, in the form of Linux (net/sched,
//! `dualpi2_dequeue_packet`): a credit grows while the L queue is served in presence of the other, and
//! a positive credit lets the C queue go first.

use parameters::{Fraction, parameters};

use super::{ClassDivision, OutputVcs, QueuePer, Scheduler, SchedulerKind};
use crate::wire::ecn::Codepoint;

parameters! {
    /// Flows whose transport answers the share of marks have a queue of their own, which goes first.
    pub struct DualQueue {
        /// Least share of the link for the queue of the other flows, while packets wait in it.
        #[range("0 %", "100 %")]
        pub classic: Fraction = "10 %",
    }
}

/// The number of the queue of classic flows, and of the queue of low delay.
const CLASSIC: usize = 0;
const LOW_LATENCY: usize = 1;

/// Parts into which the link is divided.
const PARTS: i64 = 10_000;

/// Octets of a full packet, for the first decision.
const FULL: i64 = 1514;

impl DualQueue {
    /// The scheduler of one output.
    pub fn build(&self, _vcs: &OutputVcs) -> Box<dyn Scheduler> {
        let classic = (self.classic.0 * PARTS as f64).round() as i64;
        Box::new(State::new(classic))
    }
}

impl SchedulerKind for DualQueue {
    fn queue_per(&self) -> QueuePer {
        QueuePer::Group
    }

    fn groups(&self, vcs: &OutputVcs) -> Box<[u32]> {
        let of_vcs = vcs.ecn.iter().map(|codepoint| match codepoint {
            Codepoint::NotCapable | Codepoint::Classic => CLASSIC as u32,
            Codepoint::Scalable => LOW_LATENCY as u32,
        });
        of_vcs.collect()
    }

    fn classes(&self) -> Option<&dyn ClassDivision> {
        None
    }
}

struct State {
    /// Weights of the queues, in parts of the link.
    weights: [i64; 2],
    /// Octets of the first packet of each queue, if a packet waits.
    first: [Option<u32>; 2],
    /// If positive, the C queue goes first.
    credit: i64,
}

impl State {
    fn new(classic: i64) -> State {
        let mut state = State {
            weights: [classic, PARTS - classic],
            first: [None; 2],
            credit: 0,
        };
        state.idle();
        state
    }
}

impl Scheduler for State {
    fn begin(&mut self, queue: usize, first: u32) {
        self.first[queue] = Some(first);
    }

    fn next(&self) -> Option<usize> {
        match self.first {
            [None, None] => None,
            [Some(_), None] => Some(CLASSIC),
            [Some(_), Some(_)] if self.credit > 0 => Some(CLASSIC),
            [_, Some(_)] => Some(LOW_LATENCY),
        }
    }

    fn served(&mut self, queue: usize, next: Option<u32>) {
        let octets = i64::from(self.first[queue].unwrap_or(0));
        let other = 1 - queue;
        if self.first[other].is_some() {
            let change = self.weights[other] * octets;
            self.credit += if queue == LOW_LATENCY {
                change
            } else {
                -change
            };
        }
        self.first[queue] = next;
    }

    fn dropped(&mut self, queue: usize, next: Option<u32>) {
        self.first[queue] = next;
    }

    fn idle(&mut self) {
        self.credit = FULL * (self.weights[CLASSIC] - self.weights[LOW_LATENCY]);
    }
}

#[cfg(test)]
mod tests {
    use super::super::script::order;
    use parameters::ParameterTable;

    use super::*;
    use crate::wire::class::Class;

    /// The packets of the C queue among a thousand, if both queues always have some.
    fn of_classic(classic: i64) -> usize {
        let sent = order(&mut State::new(classic), &[&[1000; 2000], &[1000; 2000]]);
        let first = sent[..1000].iter();
        first.filter(|(queue, _)| *queue == CLASSIC).count()
    }

    #[test]
    fn the_low_delay_queue_leaves_the_other_its_share() {
        for (classic, expected) in [(0, 0), (1000, 100), (5000, 500)] {
            assert!(of_classic(classic).abs_diff(expected) <= 2, "{classic}");
        }
    }

    #[test]
    fn the_low_delay_queue_goes_first_at_the_start() {
        let sent = order(&mut State::new(1000), &[&[1000; 3], &[1000; 3]]);
        let turns: Vec<usize> = sent.iter().map(|(queue, _)| *queue).collect();
        assert_eq!(turns, [1, 1, 1, 0, 0, 0]);
    }

    #[test]
    fn a_queue_alone_changes_no_credit() {
        let mut state = State::new(1000);
        let credit = state.credit;
        state.begin(CLASSIC, 1000);
        state.served(CLASSIC, Some(1000));
        state.served(CLASSIC, None);
        assert_eq!(state.credit, credit);
    }

    #[test]
    fn flows_of_ect_1_have_a_queue_of_their_own() {
        let codepoints = [
            Codepoint::NotCapable,
            Codepoint::Scalable,
            Codepoint::Classic,
        ];
        let vcs = OutputVcs {
            ecn: codepoints.into(),
            ..OutputVcs::new([Class::Ubr; 3].into())
        };
        assert_eq!(*DualQueue::defaults().groups(&vcs), [0, 1, 0]);
    }
}
