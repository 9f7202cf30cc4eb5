//! Random early detection (RED): drop at random before the buffer is full, by the average queue.
//!
//! The average over arrivals follows the queue slowly, so that bursts pass. While the average is
//! between `minimum` and `maximum`, arrivals are dropped with a probability that grows to
//! `probability`; the drops are evenly spaced rather than independent. From `maximum` on all
//! arrivals are dropped. A sender therefore learns of congestion early, and the more often the more it
//! sends. Floyd and Jacobson, "Random Early Detection Gateways for Congestion Avoidance", IEEE/ACM
//! Transactions on Networking 1(4), 1993, in the form of their section 11, which draws a number
//! only after each drop.
//!
//! On a switch the policy by default decides about a whole PDU when its first cell arrives;
//! `threshold` adds early packet discard at a queue length. Romanow and Floyd propose this
//! combination in section 6 of "Dynamics of TCP Traffic over ATM Networks", IEEE JSAC 13(4), 1995.

use kernel::{Duration, Stream, Time};
use parameters::record::Conflict;
use parameters::{Amount, Bytes, Fraction, Parameter, choices, parameters};

use super::{Buffer, Decision, Discard, DiscardKind, Occupancy};
use crate::output::decision::average::{Average, parts, whole};
use crate::output::decision::pdus::{Overflow, Pdus, WholePackets};
use crate::output::decision::{LARGEST_PACKET, RateChange, empty_after};
use crate::wire::cell::Cell;

parameters! {
    /// Random early detection (RED): drops at random, with a probability that grows with the
    /// average queue.
    #[alias("red")]
    #[check(check)]
    pub struct RandomEarly {
        /// Average queue length from which packets are dropped at random.
        #[alias("min_th")]
        #[alias("minth")]
        pub minimum: Amount = "20 %",
        /// Average queue length from which all packets are dropped.
        #[alias("max_th")]
        #[alias("maxth")]
        pub maximum: Amount = "60 %",
        /// Drop probability just below `maximum`.
        #[alias("max_p")]
        #[alias("maxp")]
        #[range("0.01 %", "100 %")]
        pub probability: Fraction = "2 %",
        /// Weight of the latest sample in the average.
        #[alias("w_q")]
        #[alias("wq")]
        #[range("0.0001 %", "100 %")]
        pub weight: Fraction = "0.2 %",
        /// Unit that is sampled and dropped.
        pub unit: Judged = "packet",
        /// Queue length from which all new packets are dropped, even if the average is low.
        pub threshold: Option<Amount>,
        /// Mean size of packets, by which the average falls while the queue is empty. If it is not
        /// given and `unit` is `cell`, a cell.
        #[implied(TYPICAL, "it is not given and `unit` is `packet`")]
        #[range("1 B", LARGEST_PACKET)]
        pub mean_packet: Option<Bytes>,
        #[as_in(WholePackets)]
        pub overflow: Overflow,
    }
}

choices! {
    /// Unit that random early detection samples and drops. In a router both are a packet.
    pub enum Judged {
        /// A packet, decided at its first cell.
        packet => Packet,
        /// Each cell by itself.
        cell => Cell,
    }
}

/// Size of the packets by which the average falls while the queue is empty: the default of ns-2
/// (`mean_pktsize_`); Floyd and Jacobson leave it open.
const TYPICAL: Bytes = Bytes(500);

impl RandomEarly {
    /// The policy for one buffer.
    pub fn build(&self, buffer: &Buffer) -> Box<dyn Discard> {
        let (minimum, maximum) = (buffer.units(self.minimum), buffer.units(self.maximum));
        let threshold = self.threshold;
        let octets = match (self.mean_packet, self.unit) {
            (Some(size), _) => size.0,
            (None, Judged::Packet) => TYPICAL.0,
            (None, Judged::Cell) => buffer.cells.octets(),
        };
        Box::new(State {
            lottery: Lottery {
                minimum: whole(minimum),
                maximum: whole(maximum),
                probability: parts(self.probability.0),
                since: None,
                draw: 0,
                random: buffer.random.clone(),
            },
            average: Average::new(self.weight.0),
            typical: buffer.link.transmission(octets * 8),
            unit: buffer.link.transmission(buffer.octets_per_unit * 8),
            bits: [octets * 8, buffer.octets_per_unit * 8],
            empty_at: Time::ZERO,
            by_cell: self.unit == Judged::Cell,
            threshold: threshold.map_or(u64::MAX, |amount| buffer.units(amount)),
            pdus: Pdus::new(buffer.vcs, self.overflow),
        })
    }

    fn check(&self) -> Option<Conflict> {
        // Thresholds in different units are compared for each buffer, where their order is known.
        if self.minimum >= self.maximum {
            return Some(Conflict {
                name: "maximum",
                problem: "`maximum` must be above `minimum`".to_string(),
                hint: match self.minimum.twice() {
                    Some(twice) => format!(
                        "write for example `{}`, twice `minimum`: between them the drop \
                         probability grows",
                        twice.write()
                    ),
                    None => "lower `minimum`: the drop probability grows between them".to_string(),
                },
            });
        }
        let none_begins = self.unit == Judged::Cell && self.threshold.is_some();
        none_begins.then(|| Conflict {
            name: "threshold",
            problem: "`threshold` decides about packets, and `unit` is `cell`".to_string(),
            hint: "write `unit = \"packet\"`, or leave `threshold` out".to_string(),
        })
    }
}

impl DiscardKind for RandomEarly {
    fn needs_shared_queue(&self) -> bool {
        true
    }

    fn drop_levels(&self, buffer: &Buffer) -> Vec<(&'static str, u64)> {
        let threshold = self.threshold.map(|level| ("threshold", level));
        let of_average = [("minimum", self.minimum), ("maximum", self.maximum)];
        let levels = threshold.into_iter().chain(of_average);
        levels
            .map(|(name, level)| (name, buffer.units(level)))
            .collect()
    }

    fn drops_whole_packets(&self) -> bool {
        self.unit == Judged::Packet
    }
}

struct State {
    lottery: Lottery,
    average: Average,
    /// Transmission time of a packet of typical size: while the queue is empty, the average falls
    /// as if such packets arrived back to back.
    typical: Duration,
    /// Time to send a unit of the buffer.
    unit: Duration,
    /// Bits of a packet of typical size, and of a unit of the buffer.
    bits: [u64; 2],
    /// Time at which the queue becomes empty if no further unit joins.
    empty_at: Time,
    by_cell: bool,
    threshold: u64,
    pdus: Pdus,
}

impl Discard for State {
    fn admit(&mut self, cell: &Cell, buffer: Occupancy) -> Decision {
        let State {
            lottery,
            average,
            pdus,
            ..
        } = self;
        if buffer.queued == 0 {
            // An idle time counts once, however many arrivals find the queue empty after it.
            average.idle(buffer.at.since(self.empty_at.min(buffer.at)), self.typical);
            self.empty_at = buffer.at;
        }
        let mut passes = || {
            average.sample(buffer.queued);
            !lottery.loses(average.value())
        };
        let decision = if !self.by_cell {
            let threshold = self.threshold;
            pdus.decision(cell, &buffer, || passes() && buffer.queued < threshold)
        } else if passes() && buffer.fits() {
            Decision::Accept
        } else {
            Decision::Drop
        };
        let left = buffer.queued
            + if decision == Decision::Accept {
                buffer.size
            } else {
                0
            };
        if left > 0 {
            self.empty_at = buffer.at + self.unit * left;
        }
        decision
    }

    fn on_rate(&mut self, change: RateChange) {
        if self.empty_at < change.at {
            self.average
                .idle(change.at.since(self.empty_at), self.typical);
            self.empty_at = change.at;
        }
        let before = self.unit;
        if let Some(rate) = change.rate {
            [self.typical, self.unit] = self.bits.map(|bits| rate.transmission(bits));
        }
        self.empty_at = empty_after(self.empty_at, &change, [before, self.unit]);
    }

    fn threshold(&mut self) -> Option<&mut u64> {
        (self.threshold < u64::MAX).then_some(&mut self.threshold)
    }
}

/// Chooses the arrivals that are dropped.
struct Lottery {
    /// Bounds of the average, in the unit of [`Average::value`].
    minimum: u128,
    maximum: u128,
    /// Drop probability just below the maximum, in fixed point: see [`parts`].
    probability: u64,
    /// Arrivals since the last drop, while the average is between its bounds.
    since: Option<u64>,
    /// Random number drawn after the last drop, in fixed point as `probability`: the larger it is,
    /// the later the next drop comes.
    draw: u64,
    random: Stream,
}

impl Lottery {
    /// True if the next arrival, which finds the average queue `average`, is dropped.
    fn loses(&mut self, average: u128) -> bool {
        if average >= self.maximum {
            self.since = None;
            return true;
        }
        if average < self.minimum {
            self.since = None;
            return false;
        }
        let since = self.since.map_or(0, |since| since + 1);
        // count p_b >= R, where p_b grows to max_p in proportion to the average between its bounds.
        let chance = u128::from(self.probability) * u128::from(since);
        let reached = chance.saturating_mul(average - self.minimum)
            >= u128::from(self.draw) * (self.maximum - self.minimum);
        let loses = since > 0 && reached;
        let since = if loses { 0 } else { since };
        if since == 0 {
            self.draw = self.random.bits() >> 32;
        }
        self.since = Some(since);
        loses
    }
}

#[cfg(test)]
mod tests {
    use parameters::ParameterTable;

    use super::super::script::{cell, decisions, sign};
    use super::*;

    /// The policy of a buffer of ten cells, with an average that equals the present queue.
    fn policy(edit: impl FnOnce(&mut RandomEarly)) -> Box<dyn Discard> {
        let mut spec = RandomEarly {
            minimum: Amount::Cells(2),
            maximum: Amount::Cells(8),
            weight: Fraction(1.0),
            ..RandomEarly::defaults()
        };
        edit(&mut spec);
        spec.build(&Buffer::of_cells(10, 53, 1))
    }

    /// The numbers of packets of one cell that are accepted between drops, at a queue of `queued`.
    fn gaps(queued: u64, packets: usize) -> Vec<usize> {
        let mut policy = policy(|_| ());
        let offers = vec![format!("{queued}."); packets].join(" ");
        let decisions = decisions(&mut *policy, &offers);
        decisions.split('-').map(str::len).collect()
    }

    #[test]
    fn below_the_bounds_no_packet_is_dropped_and_above_them_all() {
        let mut policy = policy(|_| ());
        assert_eq!(decisions(&mut *policy, "0. 1. 8. 9. 1."), "++--+");
        assert_eq!(gaps(1, 10_000), [10_000]);
    }

    #[test]
    fn drops_are_spread_evenly_between_the_bounds() {
        // Half way between the bounds the probability is 1 %: the distance from one drop to the
        // next is uniform from 1 to 100 packets, with a mean of 50.5 and a deviation of 28.9.
        let gaps = gaps(5, 101_000);
        let (first, between) = (gaps[0], &gaps[1..gaps.len() - 1]);
        let steps: Vec<usize> = between.iter().map(|accepted| accepted + 1).collect();
        assert!(first <= 101 && steps.iter().all(|step| *step <= 101));
        let mean = steps.iter().sum::<usize>() as f64 / steps.len() as f64;
        // Five standard errors of the mean of some 2,000 distances.
        assert!((mean - 50.5).abs() < 3.3, "{mean}");
        for quarter in [1, 26, 51, 76] {
            let within = steps
                .iter()
                .filter(|step| (quarter..quarter + 25).contains(*step));
            let share = within.count() as f64 / steps.len() as f64;
            assert!((share - 0.25).abs() < 0.05, "{share} from {quarter}");
        }
    }

    #[test]
    fn a_longer_queue_drops_more() {
        let dropped = [3, 4, 6, 7].map(|queued| gaps(queued, 20_000).len());
        assert!(
            dropped.is_sorted() && dropped[3] > 4 * dropped[0],
            "{dropped:?}"
        );
    }

    #[test]
    fn a_packet_is_dropped_whole_and_a_cell_by_itself() {
        let mut by_packet = policy(|_| ());
        assert_eq!(decisions(&mut *by_packet, "9 0 0. 0 9 0."), "---+++");
        let mut by_cell = policy(|spec| spec.unit = Judged::Cell);
        assert_eq!(decisions(&mut *by_cell, "9 0 0. 0 9 0."), "-+++-+");
    }

    #[test]
    fn from_the_threshold_on_no_packet_begins_at_any_average() {
        let mut slow = policy(|spec| spec.weight = Fraction(0.01));
        assert_eq!(decisions(&mut *slow, "9. 9 10 9 9."), "++--+");
        let mut early = policy(|spec| {
            spec.weight = Fraction(0.01);
            spec.threshold = Some(Amount::Cells(9));
        });
        assert_eq!(decisions(&mut *early, "8. 9 1 1. 8."), "+---+");
    }

    #[test]
    fn an_idle_time_counts_as_arrivals_that_find_an_empty_queue() {
        let link = Buffer::of_cells(10, 53, 1).link;
        // The decisions on packets that find nine units waiting, after a packet that found the
        // queue empty.
        let after = |packets: u64| {
            let mut policy = policy(|spec| {
                spec.weight = Fraction(0.5);
                spec.probability = Fraction(0.0001);
            });
            assert_eq!(decisions(&mut *policy, "9. 9. 9."), "+++");
            // Ten cells have been sent, and then the link was idle for the time of `packets`
            // packets.
            let idle = link.transmission(53 * 8) * 10 + link.transmission(500 * 8) * packets;
            let offers = [0, 9, 9, 9, 9].map(|queued| Occupancy {
                at: Time::ZERO + idle,
                queued,
                capacity: 10,
                size: 1,
            });
            let decisions = offers.map(|offer| sign(policy.admit(&cell(0, true), offer)));
            decisions.iter().collect::<String>()
        };
        // The average falls from 7.9 to 3.9 with the packet that finds the queue empty, and then
        // rises to 6.5, 7.7 and 8.4.
        assert_eq!(after(0), "+++--");
        // The idle time has brought the average to zero; it rises to 4.5, 6.8, 7.9 and 8.4.
        assert_eq!(after(10), "++++-");
    }
}
