//! What a sender has sent and does not know to have arrived.

use crate::segment::Segment;
use crate::transport::ranges::Ranges;

/// The sender's account of its data, in octets.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outstanding {
    /// Maximum segment size.
    pub mss: u64,
    /// Window of the receiver.
    pub window: u64,
    /// Duplicates that tell of a loss.
    pub threshold: u32,
    /// Octets the application has handed over.
    pub written: u64,
    /// Oldest octet not acknowledged.
    pub una: u64,
    /// Next octet to send; goes back after a loss.
    pub nxt: u64,
    /// One more than the highest octet ever sent.
    pub max: u64,
    /// What the receiver reported to have beyond `una`.
    pub sacked: Ranges,
    /// Duplicate acknowledgments in a row.
    pub duplicates: u32,
    /// What had been sent when the last loss was noticed ends here; zero if none was.
    pub recover: u64,
}

impl Outstanding {
    /// Octets sent and not acknowledged.
    pub fn flight(&self) -> u64 {
        self.max - self.una
    }

    /// The window with which a recovery ends, at most `ssthresh`: what is then on its way and a segment
    /// more, so that no burst follows where the receiver's window held the sender back. Slow start goes
    /// on from there: RFC 6582, section 3.2, step 3, option 1.
    pub fn without_burst(&self, ssthresh: u64) -> u64 {
        let on_its_way = self.flight() - self.sacked.octets(self.una, self.max);
        ssthresh.min(on_its_way.max(self.mss) + self.mss)
    }

    /// Length of the segment that begins at `seq`, as far as there is data.
    pub fn segment(&self, seq: u64) -> u64 {
        self.mss.min(self.written - seq)
    }

    /// Everything below `ack` has arrived.
    pub fn acknowledge(&mut self, ack: u64) {
        self.una = ack;
        self.nxt = self.nxt.max(ack);
        self.sacked.forget_below(ack);
    }

    /// Takes the blocks of an acknowledgment; returns how many octets were not known to have
    /// arrived. What was never sent is not believed.
    pub fn report(&mut self, segment: &Segment) -> u64 {
        let (una, max) = (self.una, self.max);
        segment
            .sacks()
            .map(|(start, end)| self.sacked.insert(start.max(una), end.min(max)))
            .sum()
    }

    /// Whether all data sent before the last loss was noticed is acknowledged, and more.
    ///
    /// Duplicates before that may be caused by the sender's own repetitions: RFC 6582, section 3.2,
    /// step 2, and `bugFix_` of ns, with its exception for the first packet.
    pub fn beyond_recover(&self) -> bool {
        self.una == 0 || self.una > self.recover
    }

    /// Whether all data sent before the last loss was noticed is acknowledged.
    pub fn recovered(&self) -> bool {
        self.una >= self.recover
    }
}
