//! Outages of the links of a scheduled fabric, and the time until its inputs know of them. Our
//! own model: an outage is that of an element of the fabric, to which one link of each line card leads.

use kernel::{Duration, Time};
use parameters::{Conflict, parameters};

use crate::link::loss::Outages;

parameters! {
    /// A time in which an element of the fabric is down, and with it the links of one number, of all
    /// inputs and outputs.
    pub struct FabricOutage {
        /// Number of the links, from 1.
        #[range(1, 1024)]
        pub link: u32,
        /// Start of the outage.
        pub at: Duration,
        /// Length of the outage.
        #[range("1 ps", "1000 h")]
        pub lasts: Duration,
    }
}

impl FabricOutage {
    fn span(&self) -> [Time; 2] {
        let start = Time::ZERO + self.at;
        [start, start + self.lasts]
    }
}

/// The conflict among the outages of a fabric with so many links, if there is one.
pub fn conflict(outages: &[FabricOutage], links: u32) -> Option<Conflict> {
    let conflict = |problem, hint: &str| Conflict {
        name: "outages",
        problem,
        hint: hint.to_string(),
    };
    for (number, outage) in outages.iter().enumerate() {
        let link = outage.link;
        if link > links {
            let problem = format!("`outages[{number}]` is of link `{link}` of {links}");
            let hint = format!("the links have the numbers from `1` to `{links}`");
            return Some(conflict(problem, &hint));
        }
        let before = outages[..number]
            .iter()
            .rposition(|other| other.link == link);
        if let Some(before) = before.filter(|before| outages[*before].span()[1] > outage.span()[0])
        {
            let problem = format!("`outages[{number}]` starts before `outages[{before}]` ends");
            let hint = "list the outages of a link in the order of their times, and only one for \
                        each time";
            return Some(conflict(problem, hint));
        }
    }
    None
}

/// The outages of the links with one number.
pub struct LinkOutages {
    /// The outages, as cells meet them.
    of: Outages,
    /// Time until the inputs know that an outage began or ended.
    detection: Duration,
}

impl LinkOutages {
    /// The outages of the links with this number, which are otherwise like `of`.
    pub fn new(
        outages: &[FabricOutage],
        link: u32,
        of: &Outages,
        detection: Duration,
    ) -> LinkOutages {
        let spans = outages.iter().filter(|outage| outage.link == link);
        let spans = spans.map(FabricOutage::span).collect();
        LinkOutages {
            of: Outages {
                spans,
                rate: of.rate,
                delay: of.delay,
            },
            detection,
        }
    }

    /// True if a cell of so many octets that starts at `start` is lost.
    pub fn lose(&self, start: Time, octets: u64) -> bool {
        self.of.meet(start, octets)
    }

    /// True if the inputs take the links to be down at `now`.
    pub fn is_known_down(&self, now: Time) -> bool {
        let mut known = self.known();
        known.any(|[down, up]| (down..up).contains(&now))
    }

    /// Time after `now` at which the inputs learn next of a start or an end.
    pub fn next_change(&self, now: Time) -> Time {
        let changes = self.known().flatten();
        changes
            .filter(|change| *change > now)
            .min()
            .unwrap_or(Time::NEVER)
    }

    /// Times at which the inputs learn of the start and the end of each outage.
    fn known(&self) -> impl Iterator<Item = [Time; 2]> {
        let spans = self.of.spans.iter();
        spans.map(|span| span.map(|time| time + self.detection))
    }
}
