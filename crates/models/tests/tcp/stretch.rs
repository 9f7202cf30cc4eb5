//! The bound on the data that a recovery may have outstanding beyond the congestion window.
//!
//! A duplicate shows that a packet has left the network, and so does the acknowledgment of a
//! retransmission; each may release one packet, and no algorithm may send more.

use models::transport::Segment;
use models::transport::tcp::Tcp;
use models::transport::tcp::congestion::CongestionSpec;
use models::transport::tcp::congestion::LossRecovery;
use models::transport::tcp::congestion::sack::Pipe;
use models::transport::tcp::recovery::new_reno::{Flavour, LateDuplicates};
use models::transport::tcp::spurious::ForwardRto;

use crate::any::MSS;

/// The loss recovery of a sender, and with it the bound on the data that the sender may send.
#[derive(Clone, Copy, Debug)]
pub struct Repairs {
    kind: Kind,
    /// Segments that the first duplicates release: RFC 3042, section 2.
    limited_transmit: u64,
    /// True if a loss probe may exceed the window by a segment: RFC 8985, section 7.3.
    pub probes: bool,
    /// True if two new segments may follow the acknowledgment of a retransmission after a timeout:
    /// RFC 5682, section 2.1, step 2b.
    pub goes_forward: bool,
    /// Duplicates after a recovery beyond which each further one releases a segment, as in ns-2; none
    /// if late duplicates release nothing.
    late_beyond: Option<u64>,
}

#[derive(Clone, Copy, Debug)]
enum Kind {
    /// Nothing beyond the window: Tahoe.
    Strict,
    /// A segment for each duplicate: RFC 5681, section 3.2, step 4.
    Duplicates,
    /// A segment for each duplicate and for each partial acknowledgment: RFC 6582, section 3.2,
    /// step 5.
    Partial,
    /// A segment for each duplicate, two for each partial acknowledgment, and one more because Fall
    /// and Floyd count whole segments.
    Counted,
    /// The data up to the end of the highest reported block: RFC 6675, section 4.
    Reported,
    /// As `Reported`, and also the unacknowledged rest of the data outstanding at the loss, and one
    /// segment because fractions are rounded up: RFC 6937, section 3.
    Proportional,
}

impl Repairs {
    /// The loss recovery of a connection. For an algorithm unknown here, the bound is that of RFC
    /// 6582.
    pub fn of(tcp: &Tcp) -> Repairs {
        let repair = |repair: LossRecovery| match repair {
            LossRecovery::Sack | LossRecovery::Rack => Kind::Reported,
            LossRecovery::SackProportional | LossRecovery::RackProportional => Kind::Proportional,
            LossRecovery::NewReno => Kind::Partial,
        };
        // The wildcard permits new algorithms without a change here.
        #[allow(clippy::match_wildcard_for_single_variants)]
        let kind = match &tcp.congestion {
            CongestionSpec::TahoeBsd(_) | CongestionSpec::TahoeGbn(_) => Kind::Strict,
            CongestionSpec::Reno(_) => Kind::Duplicates,
            CongestionSpec::Sack(sack) => match sack.pipe {
                Pipe::Rfc6675 | Pipe::Rack => Kind::Reported,
                Pipe::Proportional | Pipe::RackProportional => Kind::Proportional,
                Pipe::FallFloyd => Kind::Counted,
            },
            CongestionSpec::Cubic(cubic) => repair(cubic.recovery),
            CongestionSpec::Dctcp(dctcp) => repair(dctcp.recovery),
            CongestionSpec::Prague(prague) => repair(prague.recovery),
            CongestionSpec::Bbr(bbr) => repair(bbr.recovery),
            _ => Kind::Partial,
        };
        Repairs {
            kind,
            limited_transmit: if tcp.limited_transmit { 2 } else { 0 },
            probes: tcp.congestion.recovery().timed().is_some(),
            goes_forward: tcp.spurious.f_rto != ForwardRto::Off,
            late_beyond: match &tcp.congestion {
                CongestionSpec::NewReno(new_reno)
                    if new_reno.flavour == Flavour::Ns
                        && new_reno.late_duplicates == LateDuplicates::Inflate =>
                {
                    Some(u64::from(tcp.duplicates))
                }
                _ => None,
            },
        }
    }
}

/// The acknowledgments since the last acknowledgment of new data outside a recovery.
#[derive(Default)]
pub struct Row {
    duplicates: u64,
    /// Acknowledgments of new data in this recovery.
    partial: u64,
    /// End of the data whose acknowledgment ends the recovery, during a recovery.
    recover: Option<u64>,
    /// The end of the highest block reported.
    reported: u64,
    /// True from a timeout until new data is acknowledged.
    timed_out: bool,
    /// End of the data sent when new data was first acknowledged after a timeout.
    repeated: u64,
}

impl Row {
    /// An acknowledgment arrives while the data from `una` to `max` is outstanding.
    pub fn on_ack(&mut self, segment: &Segment, una: u64, max: u64) {
        let highest = segment.sacks().map(|(_, end)| end.min(max)).max();
        self.reported = self.reported.max(highest.unwrap_or(0));
        if segment.ack > una && std::mem::take(&mut self.timed_out) {
            self.repeated = max;
        }
        match self.recover {
            _ if segment.ack <= una => self.duplicates += 1,
            Some(recover) if segment.ack < recover => self.partial += 1,
            _ => self.end(),
        }
    }

    /// A recovery begins when all data below `max` has been sent.
    pub fn on_recovery(&mut self, max: u64) {
        (self.recover, self.partial) = (Some(max), 0);
    }

    /// The timer expires, which ends the row.
    pub fn on_timeout(&mut self) {
        self.timed_out = true;
        self.end();
    }

    fn end(&mut self) {
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
        let forward = if repairs.goes_forward && una < self.repeated {
            self.repeated + 2 * MSS - una
        } else {
            0
        };
        let late = repairs.late_beyond.map_or(0, |threshold| {
            self.duplicates.saturating_sub(threshold) * MSS
        });
        counted.max(early).max(forward).max(late)
    }
}
