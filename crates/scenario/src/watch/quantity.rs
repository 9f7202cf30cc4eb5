//! The quantities of gauges: their names, units and titles, for Rust, Python and the live page.

/// A quantity that gauges read.
#[derive(Debug, PartialEq, Eq)]
pub struct GaugeQuantity {
    /// Name in code and files, such as `cwnd`.
    pub name: &'static str,
    /// Short label beside a value or a curve.
    pub words: &'static str,
    /// The full name, for one flow or port.
    pub caption: &'static str,
    /// Title of a chart of several flows or ports.
    pub title: &'static str,
    /// SI unit, or cells.
    pub unit: &'static str,
    /// For a counter, the rate of its growth; none for other quantities.
    pub slope: Option<Slope>,
}

/// The rate at which a counter grows.
#[derive(Debug, PartialEq, Eq)]
pub struct Slope {
    /// Unit of the rate.
    pub unit: &'static str,
    /// Factor from one unit of the counter per second to the unit of the rate.
    pub factor: u32,
}

impl GaugeQuantity {
    /// The quantity with this name and unit.
    ///
    /// # Panics
    /// If the table lacks the name.
    pub fn of(name: &str, unit: &str) -> &'static GaugeQuantity {
        let is_meant = |known: &&GaugeQuantity| known.name == name && known.unit == unit;
        let found = QUANTITIES.iter().find(is_meant);
        found.unwrap_or_else(|| panic!("`{name}` in {unit} is a quantity of the table"))
    }
}

const fn level(
    name: &'static str,
    unit: &'static str,
    [words, caption, title]: [&'static str; 3],
) -> GaugeQuantity {
    GaugeQuantity {
        name,
        words,
        caption,
        title,
        unit,
        slope: None,
    }
}

const fn counter(known: &GaugeQuantity, unit: &'static str, factor: u32) -> GaugeQuantity {
    GaugeQuantity {
        slope: Some(Slope { unit, factor }),
        ..*known
    }
}

const DROPPED: &str = "dropped since the start";
const CREDIT: [&str; 3] = ["credit", "credit left", "Credit left"];
const ACR: [&str; 3] = ["ACR", "allowed cell rate (ACR)", "Allowed cell rates (ACR)"];
const SRTT: &str = "smoothed round-trip time";
const RTO: &str = "retransmission timeout";
const SENT: [&str; 3] = ["sent", "sent", "Sent"];
const SENT_CELLS: GaugeQuantity = level("sent", "cells", SENT);
const SENT_OCTETS: GaugeQuantity = level("sent", "B", SENT);
const QUEUE: [&str; 3] = ["queue", "queue", "Queues"];
const DROPS: [&str; 3] = ["dropped", DROPPED, "Dropped since the start"];
const ACKNOWLEDGED: GaugeQuantity = level(
    "acknowledged",
    "B",
    ["acknowledged", "acknowledged data", "Acknowledged data"],
);

/// Every quantity that a gauge may read.
pub const QUANTITIES: &[GaugeQuantity] = &[
    level("queue", "cells", QUEUE),
    level("queue", "B", QUEUE),
    counter(&SENT_CELLS, "cells/s", 1),
    counter(&SENT_OCTETS, "bit/s", 8),
    level("dropped", "cells", DROPS),
    level("dropped", "B", DROPS),
    counter(&ACKNOWLEDGED, "bit/s", 8),
    level(
        "resent",
        "packets",
        ["resent", "packets sent again", "Packets sent again"],
    ),
    level("timeouts", "1", ["timeouts", "timeouts", "Timeouts"]),
    level(
        "fast_retransmits",
        "1",
        ["fast retransmits", "fast retransmits", "Fast retransmits"],
    ),
    level("dropped", "1", DROPS),
    level(
        "cwnd",
        "B",
        ["cwnd", "congestion window", "Congestion windows"],
    ),
    level(
        "ssthresh",
        "B",
        ["ssthresh", "slow-start threshold", "Slow-start thresholds"],
    ),
    level("srtt", "s", [SRTT, SRTT, "Smoothed round-trip times"]),
    level("rto", "s", [RTO, RTO, "Retransmission timeouts"]),
    level("wtimer", "s", ["wtimer", "WTIMER", "WTIMER"]),
    level(
        "outstanding",
        "B",
        [
            "outstanding",
            "data not yet acknowledged",
            "Data not yet acknowledged",
        ],
    ),
    level(
        "in_flight",
        "B",
        ["in flight", "data in flight", "Data in flight"],
    ),
    level(
        "buffered",
        "B",
        ["buffered", "output buffer", "Output buffers"],
    ),
    level(
        "credit",
        "B",
        ["credit", "credit of rate control", "Credit of rate control"],
    ),
    level("vc_credit", "cells", CREDIT),
    level(
        "part",
        "cells",
        ["part", "part of the pool", "Parts of the pool"],
    ),
    level("acr", "cells/s", ACR),
    level(
        "source_queue",
        "cells",
        [
            "source queue",
            "waiting at the source",
            "Waiting at sources",
        ],
    ),
];
