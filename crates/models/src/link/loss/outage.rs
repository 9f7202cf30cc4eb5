//! Outages: times in which a link is down, and loses what is sent or on its way.
//!
//! Our own rule: a unit arrives only if the link is up from the start of its transmission to its arrival.
//! The transmitter goes on at the rate of the link, since no node learns of an outage from the link.

use kernel::{Duration, Rate, Time};

/// The outages of a link.
#[derive(Clone, Debug)]
pub struct Outages {
    /// Start and end of each outage, in order.
    pub spans: Box<[[Time; 2]]>,
    /// Rate of the link.
    pub rate: Rate,
    /// Propagation delay of the link.
    pub delay: Duration,
}

impl Outages {
    /// True if a unit of `octets` that starts at `start` meets an outage.
    pub fn meet(&self, start: Time, octets: u64) -> bool {
        let next = self.spans.partition_point(|[_, up]| *up <= start);
        let Some([down, _]) = self.spans.get(next) else {
            return false;
        };
        start + self.rate.transmission(octets * 8) + self.delay > *down
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_unit_is_lost_if_the_link_is_down_at_any_time_of_its_passage() {
        let us = |us: u64| Time::from_ps(us * 1_000_000);
        let outages = Outages {
            spans: [[us(100), us(200)], [us(300), us(301)]].into(),
            rate: Rate::from_bits_per_second(8_000_000),
            delay: Duration::from_us(5),
        };
        // Ten octets take 10 us, and arrive 15 us after their start.
        let lost = [85, 86, 100, 199, 200, 285, 286, 300, 301].map(|at| outages.meet(us(at), 10));
        assert_eq!(
            lost,
            [false, true, true, true, false, false, true, true, false]
        );
    }
}
