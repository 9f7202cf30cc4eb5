//! The sequence numbers of a sender: data sent, acknowledged, reported and still outstanding.
//!
//! `una`, `nxt` and `max` are the variables of 4.3BSD: SND.UNA and SND.NXT of RFC 9293, section
//! 3.3.1, and the end of all data sent.

use std::collections::VecDeque;

use crate::transport::ranges::Ranges;
use crate::transport::tcp::nagle::NagleRule;
use crate::wire::segment::Segment;

/// The sequence numbers and limits of a sender, in octets.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outstanding {
    /// Maximum segment size.
    pub mss: u64,
    /// Receiver's window, from `una` on.
    pub window: u64,
    /// Number of duplicates that indicate a loss.
    pub threshold: u16,
    /// Rule by which a segment that is not full waits.
    pub nagle: NagleRule,
    /// True if proportional rate reduction sends a segment more than arrives only for an
    /// acknowledgment of new data that shows no further loss.
    pub grows_when_safe: bool,
    /// Octets that the application has written.
    pub written: u64,
    /// Oldest unacknowledged octet.
    pub una: u64,
    /// Next octet to send; it goes back to an earlier octet after a loss.
    pub nxt: u64,
    /// One more than the highest octet ever sent.
    pub max: u64,
    /// Data beyond `una` that the receiver has reported.
    pub sacked: Ranges,
    /// Octets that were known to have arrived before the latest acknowledgment.
    pub arrived_before: u64,
    /// Number of duplicate acknowledgments in a row.
    pub duplicates: u32,
    /// End of the data that had been sent when the last loss was noticed; zero before the first
    /// loss.
    pub recover: u64,
    /// Ends of messages beyond `una`, if the application states any: no segment crosses one.
    // Boxed: few flows have any.
    #[allow(clippy::box_collection)]
    pub ends: Option<Box<VecDeque<u64>>>,
}

impl Outstanding {
    /// Octets sent and not acknowledged (flight size).
    pub fn flight(&self) -> u64 {
        self.max - self.una
    }

    /// Octets that are known to have arrived since the start of the connection.
    pub fn arrived(&self) -> u64 {
        self.una + self.sacked.octets(self.una, self.max)
    }

    /// The window at the end of a recovery, at most `ssthresh`: the flight size and one segment
    /// more, so that no burst follows if the receiver's window limited the sender. Slow start
    /// continues from this window: RFC 6582, section 3.2, step 3, option 1.
    ///
    /// Departs from RFC 5681, section 2, whose flight size includes data that SACK blocks report:
    /// that data has arrived, so it would let a burst of its length leave.
    pub fn without_burst(&self, ssthresh: u64) -> u64 {
        let on_its_way = self.flight() - self.sacked.octets(self.una, self.max);
        ssthresh.min(on_its_way.max(self.mss) + self.mss)
    }

    /// Length of the segment that begins at `seq`, as far as data is available.
    pub fn segment(&self, seq: u64) -> u64 {
        let len = self.mss.min(self.written - seq);
        match &self.ends {
            None => len,
            Some(ends) => {
                let next = ends.iter().find(|end| **end > seq);
                next.map_or(len, |end| len.min(end - seq))
            }
        }
    }

    /// Octets of a retransmission of `len` octets from `seq` on that were sent before, or that the
    /// receiver's window holds.
    pub fn within_window(&self, seq: u64, len: u64) -> u64 {
        let end = self.max.max(self.una + self.window);
        len.min(end - seq)
    }

    /// The first octet of a segment as long as possible that ends before octet `end`.
    pub fn last_before(&self, end: u64) -> u64 {
        let start = end.saturating_sub(self.mss);
        match &self.ends {
            None => start,
            Some(ends) => {
                let last = ends.iter().rev().find(|other| **other < end);
                last.map_or(start, |other| start.max(*other))
            }
        }
    }

    /// The message ends with the octets written so far.
    #[cold]
    pub fn end_message(&mut self) {
        let ends = self.ends.get_or_insert_default();
        if ends.back().is_none_or(|last| *last < self.written) {
            ends.push_back(self.written);
        }
    }

    /// Takes a cumulative acknowledgment: everything below `ack` has arrived.
    pub fn acknowledge(&mut self, ack: u64) {
        self.una = ack;
        self.nxt = self.nxt.max(ack);
        if let Some(ends) = &mut self.ends {
            while ends.pop_front_if(|end| *end <= ack).is_some() {}
        }
        self.sacked.forget_below(ack);
    }

    /// Takes the SACK blocks of an acknowledgment; returns the number of octets that were not known
    /// to have arrived. Blocks of octets never sent are ignored.
    pub fn report(&mut self, segment: &Segment) -> u64 {
        self.arrived_before = self.arrived();
        if segment.block_count() == 0 {
            return 0;
        }
        let (una, max) = (self.una, self.max);
        segment
            .sacks()
            .map(|(start, end)| self.sacked.insert(start.max(una), end.min(max)))
            .sum()
    }

    /// Octets that the acknowledgment of the next `octets` shows to have arrived, and that were not
    /// known to have arrived: `acked_sacked` of Linux. Without SACK, each duplicate stands for a segment
    /// (`tcp_add_reno_sack`).
    pub fn newly_arrived(&self, octets: u64) -> u64 {
        let new = self.arrived() - self.arrived_before;
        if new < octets || !self.sacked.is_empty() {
            return new;
        }
        let known = u64::from(self.duplicates) * self.mss;
        octets.saturating_sub(known).max(self.mss.min(octets))
    }

    /// True if the cumulative acknowledgment is beyond `recover`: RFC 6582, section 3.2, step 2.
    ///
    /// Earlier duplicates may come from the sender's own retransmissions. Departs from RFC 6582
    /// before the first acknowledgment: the answer is then true, as with `bugFix_` of ns-2. The RFC
    /// starts `recover` at the initial sequence number, which duplicates for the first segment do
    /// not exceed, so the loss of that segment would be left to the timer.
    pub fn beyond_recover(&self) -> bool {
        self.una == 0 || self.una > self.recover
    }

    /// True if the cumulative acknowledgment has reached `recover`.
    pub fn recovered(&self) -> bool {
        self.una >= self.recover
    }
}
