//! The order of arrival of packets that may take several paths.

use crate::metrics::{ReorderingMeter, StreamOrder};
use crate::wire::connection::ConnectionId;
use crate::wire::contents::Contents;

/// The order of arrival of the packets of a flow.
pub struct ArrivalOrder {
    /// True if the flow has several connections, each of which is a stream by itself.
    by_connection: bool,
    /// Streams by slot, each with the generation of its connection.
    streams: Vec<(u16, StreamOrder)>,
    /// Counts of reordering.
    pub meter: ReorderingMeter,
}

impl ArrivalOrder {
    /// No packet has arrived; with `by_connection`, each connection is a stream by itself.
    pub fn new(by_connection: bool) -> ArrivalOrder {
        ArrivalOrder {
            by_connection,
            streams: Vec::new(),
            meter: ReorderingMeter::default(),
        }
    }

    /// A packet arrives.
    pub fn arrive(&mut self, contents: &Contents) {
        let id = if self.by_connection {
            ConnectionId::of(contents.segment.seq)
        } else {
            ConnectionId::default()
        };
        let slot = usize::from(id.slot);
        if self.streams.len() <= slot {
            self.streams.resize(slot + 1, (0, StreamOrder::default()));
        }
        let (generation, arrivals) = &mut self.streams[slot];
        if id.generation != *generation {
            *generation = id.generation;
            *arrivals = StreamOrder::default();
        }
        arrivals.arrive(contents.pdu, &mut self.meter);
    }
}
