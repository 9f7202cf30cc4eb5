//! The quantities of gauges: their names, units and titles, once for every reader.

/// A quantity that gauges read.
#[derive(Debug, PartialEq, Eq)]
pub struct Quantity {
    /// Name.
    pub name: &'static str,
    /// The name in words.
    pub words: &'static str,
    /// Title of a chart of several flows or ports.
    pub title: &'static str,
    /// SI unit, or cells.
    pub unit: &'static str,
    /// The rate at which a counter is shown to grow.
    pub slope: Option<Slope>,
}

/// The rate at which a counter grows.
#[derive(Debug, PartialEq, Eq)]
pub struct Slope {
    /// Unit of the rate.
    pub unit: &'static str,
    /// Units of the rate that one unit of the counter a second makes.
    pub factor: u32,
}

impl Quantity {
    /// The quantity of a name and a unit.
    ///
    /// # Panics
    /// If the table lacks it.
    pub fn of(name: &str, unit: &str) -> &'static Quantity {
        let is_meant = |known: &&Quantity| known.name == name && known.unit == unit;
        let found = QUANTITIES.iter().find(is_meant);
        found.unwrap_or_else(|| panic!("`{name}` in {unit} is a quantity of the table"))
    }
}

const fn level(
    name: &'static str,
    unit: &'static str,
    words: &'static str,
    title: &'static str,
) -> Quantity {
    Quantity {
        name,
        words,
        title,
        unit,
        slope: None,
    }
}

const fn counter(known: Quantity, unit: &'static str, factor: u32) -> Quantity {
    Quantity {
        slope: Some(Slope { unit, factor }),
        ..known
    }
}

/// Every quantity that a gauge may read.
pub const QUANTITIES: &[Quantity] = &[
    level("queue", "cells", "queue", "Queues"),
    counter(level("sent", "cells", "sent", "Sent"), "cells/s", 1),
    level("dropped", "cells", "dropped", "Dropped since the start"),
    counter(
        level("acknowledged", "B", "acknowledged", "Acknowledged data"),
        "bit/s",
        8,
    ),
    level("resent", "packets", "resent", "Packets sent again"),
    level("timeouts", "1", "timeouts", "Timeouts"),
    level(
        "fast_retransmits",
        "1",
        "fast retransmits",
        "Fast retransmits",
    ),
    level("dropped", "1", "dropped", "Drops since the start"),
    level("cwnd", "B", "cwnd", "Congestion windows"),
    level("ssthresh", "B", "ssthresh", "Slow-start thresholds"),
    level(
        "srtt",
        "s",
        "smoothed round-trip time",
        "Smoothed round-trip times",
    ),
    level(
        "rto",
        "s",
        "retransmission timeout",
        "Retransmission timeouts",
    ),
    level("wtimer", "s", "wtimer", "WTIMER"),
    level("buffered", "B", "buffered", "Output buffers"),
    level("credit", "B", "credit", "Credit of rate control"),
    level("vc_credit", "cells", "credit", "Credit left"),
    level("part", "cells", "part", "Part of the pool"),
    level("acr", "cells/s", "ACR", "Allowed cell rates (ACR)"),
    level(
        "source_queue",
        "cells",
        "source queue",
        "Waiting at sources",
    ),
];
