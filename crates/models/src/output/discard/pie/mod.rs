//! Proportional integral controller enhanced (PIE): drop on arrival with a probability that a
//! controller adjusts, so that the waiting time approaches a target.
//!
//! The probability grows with the distance of the waiting time from the target, and with its growth
//! since the last update. Pan, Natarajan, Baker and White, "Proportional Integral Controller Enhanced
//! (PIE): A Lightweight Control Scheme to Address the Bufferbloat Problem", RFC 8033, 2017.
//!
//! The waiting time is the queue divided by a rate (section 4.3). The rate is that of the link, which
//! is known here, so the estimate of section 5.2 is not needed. Between arrivals the queue falls at
//! this rate; the updates that were due since the last arrival are made at the next one, each with the
//! queue of its own instant. Of the optional elements of section 5, those of 5.2 and 5.3 are left out.
//! On a switch the policy decides about a whole PDU when its first cell arrives.

mod controller;

use kernel::{Duration, Stream};
use parameters::{Amount, Bytes, Fraction, parameters};

use super::{Buffer, Decision, Discard, DiscardKind, Occupancy};
use crate::output::decision::pdus::{Overflow, Pdus, WholePackets};
use crate::output::decision::proportional_integral::ProportionalIntegral;
use crate::output::decision::{LARGEST_PACKET, RateChange, empty_after};
use crate::wire::cell::Cell;
use controller::Controller;

parameters! {
    /// Proportional integral controller enhanced (PIE): drops at random on arrival, so that the
    /// waiting time approaches a target.
    pub struct Pie {
        /// Waiting time that the controller aims at (`QDELAY_REF`).
        #[as_in(ProportionalIntegral)]
        pub target: Duration,
        /// Time between updates of the drop probability (`T_UPDATE`).
        #[as_in(ProportionalIntegral)]
        pub update: Duration = "15 ms",
        #[as_in(ProportionalIntegral)]
        pub alpha: f64 = 0.125,
        #[as_in(ProportionalIntegral)]
        pub beta: f64 = 1.25,
        /// Longest burst from which nothing is dropped at random (`MAX_BURST`).
        #[range("0 s", "100 s")]
        pub burst: Duration = "150 ms",
        /// Mean size of packets; a queue of two or fewer loses none at random (`MEAN_PKTSIZE`).
        #[range("1 B", LARGEST_PACKET)]
        pub mean_packet: Bytes = "1000 B",
        /// True if packets of ECN-capable flows are marked instead of dropped at random.
        pub ecn: bool = true,
        /// Drop probability from which ECN-capable packets are dropped too (`mark_ecnth`).
        #[range("0 %", "100 %")]
        pub mark_below: Fraction = "10 %",
        /// True if the gaps between drops are bounded below and above.
        pub derandomize: bool = false,
        /// True if a probability of 10 % or more grows by at most 2 % in an update.
        pub cap: bool = true,
        #[as_in(WholePackets)]
        pub overflow: Overflow,
    }
}

impl Pie {
    /// The policy for one buffer.
    pub fn build(&self, buffer: &Buffer) -> Box<dyn Discard> {
        Box::new(State {
            few: 2 * buffer.units(Amount::Bytes(self.mean_packet.0)),
            unit: buffer.link.transmission(buffer.octets_per_unit * 8),
            unit_bits: buffer.octets_per_unit * 8,
            random: buffer.random.clone(),
            markable: buffer.markable(self.ecn),
            pdus: Pdus::new(buffer.vcs, self.overflow),
            controller: Controller::new(self.clone()),
            since_drop: 0.0,
        })
    }
}

impl DiscardKind for Pie {
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
}

struct State {
    /// Queue length up to which nothing is dropped at random.
    few: u64,
    /// Time to send a unit of the buffer.
    unit: Duration,
    unit_bits: u64,
    random: Stream,
    /// The virtual channels whose packets are marked; empty if there are none.
    markable: Box<[bool]>,
    pdus: Pdus,
    controller: Controller,
    /// Sum of the drop probabilities of the packets since the last drop: `accu_prob_` of section 5.4.
    since_drop: f64,
}

impl State {
    /// True if a packet that finds `queued` units is dropped at random, or marked: `drop_early`.
    fn loses(&mut self, queued: u64) -> bool {
        let may_drop = self.controller.drops(self.unit * queued);
        let probability = self.controller.probability;
        if !may_drop || queued <= self.few {
            return false;
        }
        if self.controller.spec.derandomize {
            self.since_drop = if probability == 0.0 {
                0.0
            } else {
                self.since_drop + probability
            };
            if self.since_drop < 0.85 {
                return false;
            }
            if self.since_drop >= 8.5 {
                return true;
            }
        }
        // A probability of zero needs no random number, which leaves the stream to other packets.
        probability > 0.0 && self.random.unit() < probability
    }
}

impl Discard for State {
    fn admit(&mut self, cell: &Cell, buffer: Occupancy) -> Decision {
        self.controller.catch_up(buffer.at);
        let may_mark = self.markable.get(cell.vc.index()) == Some(&true)
            && !cell.part().is_some_and(|data| data.not_ect)
            && self.controller.probability < self.controller.spec.mark_below.0;
        let begins = self.pdus.begins(cell.vc);
        let loses = begins && self.loses(buffer.queued);
        let decision = self.pdus.decision(cell, &buffer, || !loses || may_mark);
        if begins && (loses || decision == Decision::Drop) {
            self.since_drop = 0.0;
        }
        let joins = if decision == Decision::Accept {
            buffer.size
        } else {
            0
        };
        self.controller.empty_at = buffer.at + self.unit * (buffer.queued + joins);
        match decision {
            // Section 5.1.
            Decision::Accept if loses => Decision::Mark,
            decision => decision,
        }
    }

    fn marks(&self) -> bool {
        !self.markable.is_empty()
    }

    /// The waiting time is the queue divided by the present rate from the instant of the change on;
    /// in an outage it keeps the rate before, since nothing measures another, and the queue stays.
    fn on_rate(&mut self, change: RateChange) {
        self.controller.catch_up(change.at.just_before());
        let unit = change.rate.map(|rate| rate.transmission(self.unit_bits));
        let after = unit.unwrap_or(self.unit);
        let empty_at = self.controller.empty_at;
        self.controller.empty_at = empty_after(empty_at, &change, [self.unit, after]);
        self.unit = after;
    }
}

#[cfg(test)]
mod tests {
    use kernel::Time;
    use parameters::ParameterTable;

    use super::*;

    /// The signs of packets that find a queue of `queued` octets, with a drop probability.
    fn signs(spec: &Pie, probability: f64, queued: u64, count: usize) -> String {
        use super::super::script::cell;
        signs_of(spec, probability, queued, &vec![cell(0, true); count])
    }

    /// The signs of these packets of a flow that is ECN-capable.
    fn signs_of(spec: &Pie, probability: f64, queued: u64, packets: &[Cell]) -> String {
        use super::super::script::sign;
        use crate::wire::ecn::Codepoint;
        let buffer = Buffer::of_octets(100_000, 53, 1).of_flows([Codepoint::Classic].into());
        let mut controller = Controller::new(spec.clone());
        (controller.probability, controller.last) = (probability, Duration::from_ms(20));
        let mut state = State {
            few: 2000,
            unit: Duration::from_us(1),
            unit_bits: 8,
            random: buffer.random.clone(),
            markable: buffer.markable(spec.ecn),
            pdus: Pdus::new(1, Overflow::PartialPacket),
            controller,
            since_drop: 0.0,
        };
        let offer = Occupancy {
            at: Time::ZERO,
            queued,
            capacity: 100_000,
            size: 1000,
        };
        packets
            .iter()
            .map(|packet| sign(state.admit(packet, offer)))
            .collect()
    }

    #[test]
    fn a_packet_that_is_not_capable_is_dropped_although_its_flow_is() {
        use super::super::script::cell;
        use crate::wire::cell::Payload;
        let mut packets = [cell(0, true); 2];
        if let Payload::Data(data) = &mut packets[1].payload {
            data.not_ect = true;
        }
        let spec = Pie {
            mark_below: parameters::Fraction(1.1),
            ..spec(true, false)
        };
        assert_eq!(signs_of(&spec, 1.0, 50_000, &packets), "*-");
    }

    fn spec(ecn: bool, derandomize: bool) -> Pie {
        Pie {
            ecn,
            derandomize,
            ..Pie::defaults()
        }
    }

    #[test]
    fn packets_are_dropped_with_the_probability() {
        let signs = signs(&spec(false, false), 0.25, 50_000, 10_000);
        let drops = signs.matches('-').count();
        // Five standard deviations.
        assert!(drops.abs_diff(2500) < 220, "{drops}");
    }

    #[test]
    fn up_to_two_packets_in_the_queue_lose_none() {
        assert_eq!(signs(&spec(false, false), 1.0, 2000, 3), "+++");
        assert_eq!(signs(&spec(false, false), 1.0, 2001, 3), "---");
    }

    #[test]
    fn capable_packets_are_marked_below_a_probability_and_dropped_from_it_on() {
        let marked = signs(&spec(true, false), 0.09, 50_000, 1000);
        assert!(marked.contains('*') && !marked.contains('-'));
        let dropped = signs(&spec(true, false), 0.1, 50_000, 1000);
        assert!(dropped.contains('-') && !dropped.contains('*'));
    }

    #[test]
    fn derandomised_drops_are_neither_close_nor_far_apart() {
        let signs = signs(&spec(false, true), 0.05, 50_000, 20_000);
        let gaps: Vec<usize> = signs.split('-').map(|gap| gap.len() + 1).collect();
        let (first, rest) = (gaps[0], &gaps[1..gaps.len() - 1]);
        assert!(first >= 17 && rest.iter().all(|gap| (17..=170).contains(gap)));
    }

    #[test]
    fn the_waiting_time_follows_the_rate_from_the_instant_of_a_step() {
        use kernel::Rate;
        let buffer = Buffer::of_octets(1_000_000, 53, 1);
        let ms = |ms| Time::ZERO + Duration::from_ms(ms);
        let mut state = State {
            few: 0,
            unit: Duration::from_us(1),
            unit_bits: 8,
            random: buffer.random.clone(),
            markable: Box::default(),
            pdus: Pdus::new(1, Overflow::PartialPacket),
            controller: Controller::new(spec(false, false)),
            since_drop: 0.0,
        };
        state.controller.empty_at = ms(100);
        // Half of 8 Mbit/s: 60 ms of the queue take 120 ms.
        state.on_rate(RateChange {
            at: ms(40),
            rate: Some(Rate::from_bits_per_second(4_000_000)),
            starts: ms(40),
        });
        assert_eq!(state.controller.last, Duration::from_ms(70));
        assert_eq!(
            (state.controller.empty_at, state.unit),
            (ms(160), Duration::from_us(2))
        );
        state.on_rate(RateChange {
            at: ms(50),
            rate: None,
            starts: ms(80),
        });
        assert_eq!(
            (state.controller.empty_at, state.unit),
            (ms(190), Duration::from_us(2))
        );
    }

    #[test]
    fn a_full_buffer_drops_what_arrives() {
        assert_eq!(signs(&spec(true, false), 0.0, 99_500, 2), "--");
    }
}
