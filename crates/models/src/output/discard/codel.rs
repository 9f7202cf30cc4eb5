//! Controlled delay (CoDel): drop at departure while units wait too long, and more often the longer
//! that lasts.
//!
//! A queue that empties within an interval absorbs a burst; one whose shortest wait exceeds a target
//! for an interval is standing, and only adds delay. CoDel then drops the unit that is due to start,
//! so that its sender learns of it soon, and drops again after an interval divided by the square root
//! of the number of drops, until a unit waits less than the target. Nichols, Jacobson, McGregor and
//! Iyengar, "Controlled Delay Active Queue Management", RFC 8289, 2018.
//!
//! Section 5.4 leaves open what happens when the buffer is full: here the arriving unit is dropped. If
//! the scheduler has several queues, each has a law of its own. Cells are dropped by whole PDUs.

use kernel::Duration;
use parameters::{Bytes, Conflict, parameters};

use super::{Buffer, Decision, Discard, DiscardKind, Head, HeadDecision, Occupancy};
use crate::output::decision::controlled_delay::{Aim, Controlled, ControlledDelays};
use crate::output::decision::pdus::{Overflow, Pdus, WholePackets};
use crate::wire::cell::Cell;

parameters! {
    /// Controlled delay (CoDel): drops at departure while every packet waits longer than a target.
    #[check(check)]
    pub struct Codel {
        #[as_in(Controlled)]
        pub target: Duration,
        #[as_in(Controlled)]
        pub interval: Duration,
        #[as_in(Controlled)]
        pub max_packet: Bytes,
        #[as_in(Controlled)]
        pub ecn: bool,
        #[as_in(WholePackets)]
        pub overflow: Overflow,
    }
}

impl Codel {
    /// The policy for one buffer.
    pub fn build(&self, buffer: &Buffer) -> Box<dyn Discard> {
        let aim = Aim::new(self.target, self.interval, self.max_packet, buffer);
        Box::new(State {
            laws: ControlledDelays::new(aim, buffer.markable(self.ecn)),
            pdus: Pdus::new(buffer.vcs, self.overflow),
        })
    }

    fn check(&self) -> Option<Conflict> {
        Aim::conflict(self.target, self.interval)
    }
}

impl DiscardKind for Codel {
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
        self.ecn
    }

    fn parameter_of_cells(&self) -> Option<&'static str> {
        (self.overflow == Overflow::TailDrop).then_some("overflow")
    }
}

struct State {
    laws: ControlledDelays,
    pdus: Pdus,
}

impl Discard for State {
    fn admit(&mut self, cell: &Cell, buffer: Occupancy) -> Decision {
        self.pdus.decision(cell, &buffer, || buffer.fits())
    }

    fn marks(&self) -> bool {
        self.laws.may_mark()
    }

    fn decides_at_departure(&self) -> bool {
        true
    }

    fn on_head(&mut self, head: Head) -> HeadDecision {
        self.laws.on_head(head)
    }
}

#[cfg(test)]
mod tests {
    use kernel::Time;
    use parameters::ParameterTable;

    use super::super::script::decisions;
    use super::*;
    use crate::wire::ecn::Codepoint;
    use crate::wire::vc::Vc;

    /// The policy of a buffer of octets with three flows, of which the second is ECN-capable.
    fn policy(ecn: bool) -> Box<dyn Discard> {
        let codepoints = [
            Codepoint::NotCapable,
            Codepoint::Classic,
            Codepoint::Scalable,
        ];
        let buffer = Buffer::of_octets(100_000, 53, 3).of_flows(codepoints.into());
        let spec = Codel {
            ecn,
            ..Codel::defaults()
        };
        spec.build(&buffer)
    }

    /// A packet of `vc` at the head of `queue` that has waited for 6 ms.
    fn standing(vc: u32, queue: usize) -> Head {
        Head {
            at: Time::ZERO,
            vc: Vc(vc),
            not_ect: false,
            sojourn: Duration::from_ms(6),
            queue,
            size: 1500,
            behind: 1501,
        }
    }

    /// The decision about a packet of `vc` at the head of `queue`, which has waited for 6 ms as all
    /// packets of this queue since 100 ms.
    fn decision(policy: &mut dyn Discard, vc: u32, queue: usize) -> HeadDecision {
        let mut head = standing(vc, queue);
        assert_eq!(policy.on_head(head), HeadDecision::Send);
        head.at += Duration::from_ms(100);
        policy.on_head(head)
    }

    #[test]
    fn packets_of_flows_that_are_ecn_capable_are_marked() {
        use HeadDecision::{Drop, Mark};
        let decisions = [0, 1, 2].map(|vc| decision(&mut *policy(true), vc, 0));
        assert_eq!(decisions, [Drop, Mark, Mark]);
        assert_eq!(decision(&mut *policy(false), 1, 0), Drop);
        assert!(policy(true).marks() && !policy(false).marks());
    }

    #[test]
    fn a_packet_that_is_not_capable_is_dropped_although_its_flow_is() {
        let mut policy = policy(true);
        let mut head = standing(1, 0);
        assert_eq!(policy.on_head(head), HeadDecision::Send);
        (head.at, head.not_ect) = (head.at + Duration::from_ms(100), true);
        assert_eq!(policy.on_head(head), HeadDecision::Drop);
    }

    #[test]
    fn each_queue_has_a_law_of_its_own() {
        let mut policy = policy(false);
        assert_eq!(decision(&mut *policy, 0, 2), HeadDecision::Drop);
        assert_eq!(decision(&mut *policy, 0, 1), HeadDecision::Drop);
    }

    #[test]
    fn a_full_buffer_drops_what_arrives_and_the_rest_of_its_pdu() {
        let mut policy = Codel::defaults().build(&Buffer::of_cells(10, 53, 1));
        assert_eq!(decisions(&mut *policy, "9 10 9 9. 0."), "+--++");
    }
}
