//! The packets of a run as rows: what happened to each, from its transport to its end.

use kernel::{Duration, Time};
use models::metrics::Cause;

use crate::scope::{Name, Place};

/// The packets of a run, in order of the time at which they were sent.
#[derive(Clone, Debug, Default)]
pub struct PacketTable {
    /// Names of the flows, by number.
    pub flows: Vec<Name>,
    /// Outputs of hosts, switches, routers and edges, by number.
    pub outputs: Vec<Place>,
    /// A row for each packet.
    pub rows: Vec<PacketRow>,
    /// The hops of all packets; each row has a range of them.
    pub hops: Vec<PacketHop>,
}

/// One packet.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PacketRow {
    /// Number of its flow.
    pub flow: u32,
    /// True if it travels from the receiving host to the sending host.
    pub back: bool,
    /// Its number among the packets of its flow in this direction, from one.
    pub number: u32,
    /// Octets of the packet, headers included.
    pub octets: u32,
    /// Octets of user data.
    pub data: u32,
    /// Cells of the PDU; zero if no link carries the packet in cells.
    pub cells: u32,
    /// First octet of its user data in the stream of the flow.
    pub sequence: u64,
    /// Time at which the transport handed it over.
    pub sent: Time,
    /// Outcome: delivered, still in the network, or lost.
    pub end: PacketEnd,
    /// Number of its hops.
    pub hops: u32,
}

/// The outcome of a packet at the end of the run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PacketEnd {
    /// Still in the network, or waiting at its host.
    Underway,
    /// Arrived whole at its receiving host.
    Delivered(Time),
    /// Dropped or lost, in whole or in part; the fields describe the first such cell.
    Dropped {
        /// Time of the first drop; none for a PDU that was merged with another one.
        at: Option<Time>,
        /// Number of the output; if the packet was lost, of the output before the link.
        output: Option<u32>,
        /// Reason.
        cause: Cause,
    },
}

/// The passage of a packet through an output, whole and not lost on the link behind it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PacketHop {
    /// Number of the output.
    pub output: u32,
    /// Arrival of its last bit at the node; at its own host, the time at which it was sent.
    pub arrived: Time,
    /// Departure of its last bit from the node.
    pub departed: Time,
    /// Waiting time: from arrival to departure, without the transmission of the last cell (at a
    /// switch) or of the packet (elsewhere).
    pub queued: Duration,
}

impl PacketTable {
    /// The rows, each with its hops.
    pub fn iter(&self) -> impl Iterator<Item = (&PacketRow, &[PacketHop])> {
        let mut rest = self.hops.as_slice();
        self.rows.iter().map(move |row| {
            let (hops, later) = rest.split_at(row.hops as usize);
            rest = later;
            (row, hops)
        })
    }
}
