//! The transmission times of whole packets on a link, for traces: from its rate, or as noted if the
//! rate changes.

use std::collections::BTreeMap;

use kernel::{Duration, Rate, Time};
use models::link::tap::TappedPacket;

use crate::lower::{Hop, Plan};

/// The transmission times of the packets on a link.
pub struct TransmissionTimes {
    rate: Rate,
    /// By the end of the transmission, if the rate of the link changes.
    noted: Option<BTreeMap<Time, Duration>>,
}

impl TransmissionTimes {
    /// Before the first packet of a hop.
    pub fn new(plan: &Plan, hop: Hop) -> TransmissionTimes {
        TransmissionTimes {
            rate: plan.links.rate(hop),
            noted: plan
                .link_spec(hop.link())
                .schedule(hop.reverse())
                .map(|_| BTreeMap::new()),
        }
    }

    /// The end of the transmission of a packet that leaves whole.
    pub fn departure(&mut self, packet: &TappedPacket) -> Time {
        if let Some(noted) = &mut self.noted {
            noted.insert(packet.until, packet.until.since(packet.at));
        }
        packet.at + self.transmission(packet.until, packet.contents.octets)
    }

    /// The transmission time of a packet of as many octets that has departed at a time.
    pub fn transmission(&self, departed: Time, octets: u32) -> Duration {
        let noted = self.noted.as_ref();
        let noted = noted.and_then(|noted| noted.get(&departed));
        noted
            .copied()
            .unwrap_or_else(|| self.rate.transmission(u64::from(octets) * 8))
    }
}
