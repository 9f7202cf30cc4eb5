//! Reordering of packets: Morton and others, "Packet Reordering Metrics", RFC 4737, 2006.
//!
//! Packets are numbered in the order in which their host sends them, so a retransmission is a packet of
//! its own. Each connection of a flow is a stream of its own.

use std::collections::VecDeque;

use super::metric::Measurement;
use super::table::flow;

/// Counts of reordering at a receiver.
#[derive(Clone, Copy, Debug, Default)]
pub struct ReorderingMeter {
    /// Packets that arrived.
    pub arrived: u64,
    /// Packets that arrived after a packet that was sent later: section 3.
    pub reordered: u64,
    /// Sum of the extents of reordered packets.
    pub extents: u64,
    /// Largest extent.
    pub largest: u64,
}

impl ReorderingMeter {
    /// Metrics with their values.
    pub fn metrics(&self) -> Vec<Measurement> {
        let mut metrics = Vec::with_capacity(5);
        if self.arrived > 0 {
            let share = self.reordered as f64 / self.arrived as f64;
            metrics.push((flow::reordered_share, share));
        }
        if self.reordered > 0 {
            let mean = self.extents as f64 / self.reordered as f64;
            metrics.push((flow::reordering_extent::mean, mean));
        }
        metrics.extend([
            (flow::reordering_extent::max, self.largest as f64),
            (flow::reordered_packets, self.reordered as f64),
            (flow::packets_arrived, self.arrived as f64),
        ]);
        metrics
    }
}

/// Most packets of a stream that are remembered, each of which was ahead of all before it. A larger extent
/// counts from the first of them.
const MOST: usize = 1024;

/// The arrivals of one stream of packets.
#[derive(Clone, Debug, Default)]
pub struct StreamOrder {
    /// Number of packets that have arrived.
    arrived: u64,
    /// Number and position of packets that were ahead of all that had arrived, in order.
    ahead: VecDeque<(u32, u64)>,
}

impl StreamOrder {
    /// The packet with this number arrives.
    pub fn arrive(&mut self, number: u32, meter: &mut ReorderingMeter) {
        let position = self.arrived;
        self.arrived += 1;
        meter.arrived += 1;
        if self.ahead.back().is_none_or(|(last, _)| *last < number) {
            if self.ahead.len() == MOST {
                self.ahead.pop_front();
            }
            self.ahead.push_back((number, position));
            return;
        }
        // Section 4.2: the extent is the distance to the earliest packet that was sent later.
        let first = self.ahead.partition_point(|(other, _)| *other <= number);
        let Some((_, earliest)) = self.ahead.get(first) else {
            // No number arrives twice.
            return;
        };
        let extent = position - earliest;
        meter.reordered += 1;
        meter.extents += extent;
        meter.largest = meter.largest.max(extent);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Packets reordered, the sum of their extents, and the largest.
    fn of(numbers: &[u32]) -> [u64; 3] {
        let mut arrivals = StreamOrder::default();
        let mut meter = ReorderingMeter::default();
        for number in numbers {
            arrivals.arrive(*number, &mut meter);
        }
        assert_eq!(meter.arrived, numbers.len() as u64);
        [meter.reordered, meter.extents, meter.largest]
    }

    #[test]
    fn late_packets_are_counted_with_their_extents() {
        assert_eq!(of(&[1, 2, 3, 5, 6, 7, 8, 4, 9, 10]), [1, 4, 4]);
        assert_eq!(of(&[1, 2, 3, 4, 7, 5, 6, 8, 9]), [2, 1 + 2, 2]);
        assert_eq!(of(&[1, 2, 3, 7, 8, 9, 10, 4, 5, 6, 11]), [3, 4 + 5 + 6, 6]);
        assert_eq!(of(&[10, 1, 11, 2, 3]), [3, 1 + 3 + 4, 4]);
    }

    #[test]
    fn a_loss_is_no_reordering() {
        assert_eq!(of(&[1, 3, 7, 8, 20]), [0, 0, 0]);
    }

    #[test]
    fn a_long_stream_is_remembered_in_part() {
        let late: Vec<u32> = (2..5000).chain([1]).collect();
        assert_eq!(of(&late), [1, MOST as u64, MOST as u64]);
    }
}
