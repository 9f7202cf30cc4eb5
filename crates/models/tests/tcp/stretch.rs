//! By how much a recovery may exceed the congestion window.
//!
//! A duplicate tells that a packet has left the network, and lets another in, as does an
//! acknowledgment of what was repeated: whatever the algorithm, more than that is not lawful.

use models::transport::Segment;
use models::transport::tcp::Tcp;
use models::transport::tcp::congestion::CongestionSpec;
use models::transport::tcp::congestion::LossRecovery;
use models::transport::tcp::congestion::sack::Pipe;

use crate::any::MSS;

/// How a sender repairs losses, as far as it bears on what it may send.
#[derive(Clone, Copy, Debug)]
pub struct Repairs {
    kind: Kind,
    /// Segments that the first duplicates let go: RFC 3042, section 2.
    limited_transmit: u64,
}

#[derive(Clone, Copy, Debug)]
enum Kind {
    /// Nothing beyond the window: Tahoe.
    Strict,
    /// A segment for each duplicate: RFC 5681, section 3.2, step 4.
    Duplicates,
    /// One for each partial acknowledgment too: RFC 6582, section 3.2, step 5.
    Partial,
    /// Two for each of those, and one for the fraction of a segment that is lost in counting, as Fall
    /// and Floyd count.
    Counted,
    /// What is outstanding above the highest block that was reported: RFC 6675, section 4.
    Reported,
    /// Besides, what is left of what was outstanding at the loss, which shrinks as it arrives, and a
    /// segment that is not due as a whole yet: RFC 6937, section 3.
    Proportional,
}

impl Repairs {
    /// Those of a connection. What is not known here may do what the standard allows.
    pub fn of(tcp: &Tcp) -> Repairs {
        let repair = |repair: LossRecovery| match repair {
            LossRecovery::Sack => Kind::Reported,
            LossRecovery::SackProportional => Kind::Proportional,
            LossRecovery::NewReno => Kind::Partial,
        };
        // An algorithm can be added without a change here.
        #[allow(clippy::match_wildcard_for_single_variants)]
        let kind = match &tcp.congestion {
            CongestionSpec::TahoeBsd(_) | CongestionSpec::TahoeGbn(_) => Kind::Strict,
            CongestionSpec::Reno(_) => Kind::Duplicates,
            CongestionSpec::Sack(sack) => match sack.pipe {
                Pipe::Rfc6675 => Kind::Reported,
                Pipe::Proportional => Kind::Proportional,
                Pipe::FallFloyd => Kind::Counted,
            },
            CongestionSpec::Cubic(cubic) => repair(cubic.recovery),
            CongestionSpec::Dctcp(dctcp) => repair(dctcp.recovery),
            _ => Kind::Partial,
        };
        Repairs {
            kind,
            limited_transmit: if tcp.limited_transmit { 2 } else { 0 },
        }
    }
}

/// The acknowledgments since the window last moved without a loss.
#[derive(Default)]
pub struct Row {
    duplicates: u64,
    /// Those of new data in this recovery.
    partial: u64,
    /// A recovery goes on until this is acknowledged.
    recover: Option<u64>,
    /// The end of the highest block reported.
    reported: u64,
}

impl Row {
    /// An acknowledgment arrives, while `[una, max)` is outstanding.
    pub fn on_ack(&mut self, segment: &Segment, una: u64, max: u64) {
        let highest = segment.sacks().map(|(_, end)| end.min(max)).max();
        self.reported = self.reported.max(highest.unwrap_or(0));
        match self.recover {
            _ if segment.ack <= una => self.duplicates += 1,
            Some(recover) if segment.ack < recover => self.partial += 1,
            _ => self.on_timeout(),
        }
    }

    /// A recovery begins, while all below `max` has been sent.
    pub fn on_recovery(&mut self, max: u64) {
        (self.recover, self.partial) = (Some(max), 0);
    }

    /// The row ends.
    pub fn on_timeout(&mut self) {
        (self.duplicates, self.partial, self.recover) = (0, 0, None);
    }

    /// Octets that may be outstanding beyond the congestion window.
    pub fn stretch(&self, repairs: Repairs, una: u64) -> u64 {
        let reported = self.reported.saturating_sub(una);
        let counted = match (repairs.kind, self.recover) {
            (Kind::Proportional, Some(recover)) => recover.saturating_sub(una) + reported + MSS,
            (Kind::Reported | Kind::Proportional, _) => reported,
            (Kind::Strict, _) | (_, None) => 0,
            (Kind::Duplicates, _) => self.duplicates * MSS,
            (Kind::Partial, _) => (self.duplicates + self.partial) * MSS,
            (Kind::Counted, _) => (self.duplicates + 2 * self.partial + 1) * MSS,
        };
        let early = if self.duplicates > 0 {
            repairs.limited_transmit * MSS
        } else {
            0
        };
        counted.max(early)
    }
}
