//! The law of CoDel for one queue, apart from the queue.
//!
//! Nichols, Jacobson, McGregor and Iyengar, "Controlled Delay Active Queue Management", RFC 8289,
//! 2018, sections 5.5 and 5.6. The pseudocode drops in a loop; here the output drops one unit and asks
//! again at the same instant, and [`After`] is the place in that loop. Times are whole numbers of
//! picoseconds, and so is the square root of the control law.

use kernel::{Duration, Time};
use parameters::{Amount, Bytes, Conflict, parameters};

use super::{Buffer, Head, HeadDecision, LARGEST_PACKET};

parameters! {
    /// The parameters that CoDel and FQ-CoDel share: RFC 8289, section 5.3.
    pub struct Controlled {
        /// Waiting time that at least one packet of an interval must not exceed.
        #[range("1 us", "10 s")]
        pub target: Duration = "5 ms",
        /// Time for which packets must wait longer than `target` before one is dropped: about the
        /// longest usual round-trip time.
        #[range("10 us", "100 s")]
        pub interval: Duration = "100 ms",
        /// Size of the largest packet. A queue that holds no more behind a packet loses none.
        #[range("1 B", LARGEST_PACKET)]
        pub max_packet: Bytes = "1500 B",
        /// True if packets of ECN-capable flows are marked instead of dropped.
        pub ecn: bool = true,
    }
}

/// The aim of CoDel for a queue: RFC 8289, section 5.3.
#[derive(Clone, Copy, Debug)]
pub struct Aim {
    /// Time for which a unit may wait at least once in an interval.
    pub target: Duration,
    /// Time for which units must wait longer before one is dropped.
    pub interval: Duration,
    /// Size of the largest packet, in units of the buffer. A queue that holds no more is no standing
    /// queue.
    pub largest: u64,
}

/// The state of one queue: RFC 8289, section 5.2.
#[derive(Clone, Copy, Debug, Default)]
pub struct ControlledDelay {
    /// Time at which the sojourn times have exceeded the target for an interval.
    first_above: Option<Time>,
    drop_next: Time,
    count: u64,
    last_count: u64,
    dropping: bool,
    after: After,
}

/// The step of the pseudocode before the present unit, if it was a drop at the same instant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum After {
    /// The unit before was sent.
    #[default]
    Sending,
    /// The unit before was dropped on entering the dropping state.
    Entering,
    /// The unit before was dropped in the dropping state.
    Dropping,
}

impl ControlledDelay {
    /// The decision about the first unit of the queue. A unit that `may_mark` is marked where
    /// another would be dropped, and nothing follows at this instant: RFC 8289 leaves marks open,
    /// and Linux (net/sched, `codel_dequeue`) goes on in this way.
    pub fn on_head(&mut self, head: Head, may_mark: bool, aim: &Aim) -> HeadDecision {
        let now = head.at;
        let ok_to_drop = self.ok_to_drop(head, aim);
        match std::mem::take(&mut self.after) {
            // The unit behind the first drop is sent in any case.
            After::Entering => return HeadDecision::Send,
            After::Dropping if ok_to_drop => {
                self.drop_next = aim.control_law(self.drop_next, self.count);
            }
            After::Dropping | After::Sending => {}
        }
        if self.dropping {
            self.dropping = ok_to_drop;
            if !self.dropping || now < self.drop_next {
                return HeadDecision::Send;
            }
            self.count += 1;
            if may_mark {
                self.drop_next = aim.control_law(self.drop_next, self.count);
                return HeadDecision::Mark;
            }
            self.after = After::Dropping;
            return HeadDecision::Drop;
        }
        if !ok_to_drop {
            return HeadDecision::Send;
        }
        self.enter(now, aim);
        if may_mark {
            return HeadDecision::Mark;
        }
        self.after = After::Entering;
        HeadDecision::Drop
    }

    /// `dodequeue` of section 5.6: true if sojourn times have exceeded the target for an interval.
    fn ok_to_drop(&mut self, head: Head, aim: &Aim) -> bool {
        if head.sojourn < aim.target || head.behind <= aim.largest {
            self.first_above = None;
            return false;
        }
        match self.first_above {
            None => {
                self.first_above = Some(head.at + aim.interval);
                false
            }
            Some(first_above) => head.at >= first_above,
        }
    }

    /// Enters the dropping state. If it was left a short time ago, dropping goes on at the rate that
    /// controlled the queue then: end of section 5.5.
    fn enter(&mut self, now: Time, aim: &Aim) {
        self.dropping = true;
        let delta = self.count - self.last_count;
        let is_recent = now < self.drop_next + aim.interval * 16;
        self.count = if delta > 1 && is_recent { delta } else { 1 };
        self.drop_next = aim.control_law(now, self.count);
        self.last_count = self.count;
    }
}

/// The laws of the queues of an output.
pub struct ControlledDelays {
    aim: Aim,
    /// By queue; a queue that no unit has left yet may be missing.
    laws: Vec<ControlledDelay>,
    /// The virtual channels whose packets are marked; empty if there are none.
    markable: Box<[bool]>,
}

impl ControlledDelays {
    /// Laws of this aim, where the virtual channels in `markable` are marked.
    pub fn new(aim: Aim, markable: Box<[bool]>) -> ControlledDelays {
        ControlledDelays {
            aim,
            laws: Vec::new(),
            markable,
        }
    }

    /// True if any unit may be marked.
    pub fn may_mark(&self) -> bool {
        !self.markable.is_empty()
    }

    /// The decision about the first unit of a queue.
    pub fn on_head(&mut self, head: Head) -> HeadDecision {
        if self.laws.len() <= head.queue {
            self.laws.resize(head.queue + 1, ControlledDelay::default());
        }
        let may_mark = !head.not_ect && self.markable.get(head.vc.index()) == Some(&true);
        self.laws[head.queue].on_head(head, may_mark, &self.aim)
    }
}

impl Aim {
    /// The aim of these parameters for the queues of `buffer`.
    pub fn new(target: Duration, interval: Duration, max_packet: Bytes, buffer: &Buffer) -> Aim {
        Aim {
            target,
            interval,
            largest: buffer.units(Amount::Bytes(max_packet.0)),
        }
    }

    /// A target that is no part of the interval.
    pub fn conflict(target: Duration, interval: Duration) -> Option<Conflict> {
        (target >= interval).then(|| Conflict {
            name: "target",
            problem: "`target` must be below `interval`".to_string(),
            hint: format!(
                "write for example `\"{}\"`, 5 % of `interval`: RFC 8289 advises 5 to 10 %",
                interval / 20
            ),
        })
    }

    /// The time of the next drop after a drop at `at`: section 5.6, `t + interval / sqrt(count)`.
    fn control_law(&self, at: Time, count: u64) -> Time {
        let interval = u128::from(self.interval.ps());
        let wait = (interval * interval / u128::from(count)).isqrt();
        at + Duration::from_ps(u64::try_from(wait).expect("a part of the interval"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::vc::Vc;

    const AIM: Aim = Aim {
        target: Duration::from_ms(5),
        interval: Duration::from_ms(100),
        largest: 1500,
    };

    const MS: fn(u64) -> Time = |ms| Time::ZERO + Duration::from_ms(ms);

    fn head(at: Time, sojourn: u64, behind: u64) -> Head {
        Head {
            at,
            vc: Vc(0),
            not_ect: false,
            sojourn: Duration::from_ms(sojourn),
            queue: 0,
            size: 1500,
            behind,
        }
    }

    /// The milliseconds of the drops, and of the marks, of a queue that sends a packet each
    /// millisecond from `from` to `to`, each after `sojourn` ms.
    fn acts(law: &mut ControlledDelay, sojourn: u64, span: [u64; 2], may_mark: bool) -> Vec<u64> {
        let mut acts = Vec::new();
        for ms in span[0]..span[1] {
            loop {
                let decision = law.on_head(head(MS(ms), sojourn, 10_000), may_mark, &AIM);
                if decision != HeadDecision::Send {
                    acts.push(ms);
                }
                if decision != HeadDecision::Drop {
                    break;
                }
            }
        }
        acts
    }

    #[test]
    fn the_first_drop_comes_an_interval_after_the_first_unit_above_the_target() {
        let mut law = ControlledDelay::default();
        assert_eq!(acts(&mut law, 5, [0, 200], false), [100]);
    }

    #[test]
    fn below_the_target_nothing_is_dropped() {
        let mut law = ControlledDelay::default();
        assert!(acts(&mut law, 4, [0, 1000], false).is_empty());
    }

    #[test]
    fn one_unit_below_the_target_restarts_the_interval() {
        let mut law = ControlledDelay::default();
        assert!(acts(&mut law, 5, [0, 100], false).is_empty());
        assert!(acts(&mut law, 4, [100, 101], false).is_empty());
        assert_eq!(acts(&mut law, 5, [101, 300], false), [201]);
    }

    #[test]
    fn the_last_packets_of_a_queue_are_never_dropped() {
        let mut law = ControlledDelay::default();
        let decisions = (0..1000).map(|ms| law.on_head(head(MS(ms), 50, 1500), false, &AIM));
        assert!(decisions.eq((0..1000).map(|_| HeadDecision::Send)));
    }

    #[test]
    fn drops_come_closer_with_the_square_root_of_their_number() {
        let mut law = ControlledDelay::default();
        // 100 / sqrt(1), sqrt(2), sqrt(3), ... after one another: 200, 270.7, 328.4, 378.4, 423.2.
        let drops = acts(&mut law, 5, [0, 430], false);
        assert_eq!(drops, [100, 200, 271, 329, 379, 424]);
    }

    #[test]
    fn a_packet_below_the_target_ends_the_drops() {
        let mut law = ControlledDelay::default();
        assert_eq!(acts(&mut law, 5, [0, 280], false), [100, 200, 271]);
        assert!(acts(&mut law, 4, [280, 281], false).is_empty());
        assert!(!law.dropping);
    }

    #[test]
    fn soon_after_the_last_drops_they_go_on_at_the_rate_reached() {
        let mut law = ControlledDelay::default();
        assert_eq!(acts(&mut law, 5, [0, 430], false).len(), 6);
        acts(&mut law, 4, [430, 500], false);
        // The count was 6 and is now 6 - 1: the second drop follows the first by 100 / sqrt(5).
        assert_eq!(acts(&mut law, 5, [500, 650], false), [600, 645]);
    }

    #[test]
    fn long_after_the_last_drops_they_start_anew() {
        let mut law = ControlledDelay::default();
        assert_eq!(acts(&mut law, 5, [0, 430], false).len(), 6);
        acts(&mut law, 4, [430, 2100], false);
        assert_eq!(acts(&mut law, 5, [2100, 2310], false), [2200, 2300]);
    }

    #[test]
    fn a_large_delay_may_drop_several_packets_at_one_instant() {
        let mut law = ControlledDelay::default();
        assert_eq!(acts(&mut law, 5, [0, 120], false), [100]);
        // No packet leaves between 120 and 400 ms: four drops are then due.
        assert_eq!(acts(&mut law, 5, [400, 401], false), [400; 4]);
    }

    #[test]
    fn marks_come_when_drops_would() {
        let mut law = ControlledDelay::default();
        let marks = acts(&mut law, 5, [0, 430], true);
        assert_eq!(marks, [100, 200, 271, 329, 379, 424]);
    }

    #[test]
    fn the_control_law_is_exact_to_a_picosecond() {
        let next = AIM.control_law(Time::ZERO, 2);
        assert_eq!(next.ps(), 70_710_678_118);
    }
}
