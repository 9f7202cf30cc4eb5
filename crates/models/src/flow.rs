//! Flows, as users write them: a source, a transport and a bearer. Our own choice: the three are
//! independent, so that a study can vary one of them alone.

use kernel::Duration;
use parameters::{choices, parameters};

use crate::bearer::BearerSpec;
use crate::gcra::Descriptor;
use crate::jitter::JitterSpec;
use crate::police::PolicerSpec;
use crate::traffic::{PacketSizes, SourceSpec};
use crate::transport::TransportSpec;
use crate::wire::format::CellFormat;
use crate::wire::priority::Priority;

parameters! {
    /// A flow of user data from one host to another; a group of hosts has one flow for each member.
    pub struct FlowSpec {
        /// Host or group at which the flow begins.
        #[alias("src")]
        #[alias("sender")]
        pub from: String,
        /// Host or group at which the flow ends.
        #[alias("dst")]
        #[alias("destination")]
        #[alias("sink")]
        pub to: String,
        /// Pairs of hosts with a flow, where both ends are groups.
        pub pairs: Pairs = "members",
        /// Nodes that the flow passes between its hosts, in order; if not given, a path of fewest
        /// links. `NODE/LINK` also names the link to the node, and at the end the link to a host.
        pub route: Option<Vec<String>>,
        /// Traffic source: the times at which the application has data to send, and the amounts.
        #[alias("traffic")]
        #[alias("application")]
        pub source: SourceSpec = default,
        /// Transport protocol of the two ends.
        #[alias("protocol")]
        pub transport: TransportSpec,
        /// Bearer of the packets: ATM service class and adaptation, or packet framing.
        #[alias("bearer")]
        #[alias("service")]
        pub over: BearerSpec = default,
        /// Priority of the packets in both directions, from 0 to 7, on links that may be paused or have credits for packets.
        #[alias("pcp")]
        pub priority: Priority = 0,
        /// Random time that the sending host adds to each packet; if not given, none.
        pub jitter: Option<JitterSpec>,
        /// Policer (UPC) of the flow; if not given, none.
        pub police: Option<PolicerSpec>,
    }
}

choices! {
    /// Pairs of hosts with a flow, where both ends are groups.
    pub enum Pairs {
        /// Each member and the member with the same number; the groups have equal sizes.
        members => Members,
        /// Each member and the next one, and the last and the first: a ring. The groups have equal
        /// sizes.
        next => Next,
        /// Each member of one group and each of the other, except a host and itself.
        all => All,
    }
}

impl FlowSpec {
    /// Transmission time of a full packet at the rate of the bearer, if the bearer has one.
    pub fn message_time(&self, format: CellFormat) -> Option<Duration> {
        let peak = self.over.peak()?;
        let (_, cells) = self.over.wrap(self.transport.facts().full_packet, format);
        Some(format.time(peak) * u64::from(cells))
    }

    /// Sizes of the packets of the flow on its bearer.
    pub fn packets(&self, format: CellFormat) -> PacketSizes {
        self.packets_where(self.over.is_cells(), format)
    }

    /// Sizes of the packets of the flow, in cells or as whole packets.
    pub fn packets_where(&self, in_cells: bool, format: CellFormat) -> PacketSizes {
        let facts = self.transport.facts();
        let (payload, full) = (facts.full_payload, facts.full_packet);
        let (octets, _) = self.wrap(in_cells, full, format);
        let least = if in_cells {
            0
        } else {
            self.least_packet(format)
        };
        PacketSizes {
            payload,
            headers: full - payload,
            added: octets - payload,
            least,
            cells: in_cells.then_some(format),
        }
    }

    /// Octets of the shortest packet on links with whole packets, whatever it holds.
    pub fn least_packet(&self, format: CellFormat) -> u64 {
        self.wrap(false, 0, format).0
    }

    /// Octets and cells of a packet of `octets` on links with cells, or on links with whole
    /// packets, such as those between a host and an edge.
    pub fn wrap(&self, in_cells: bool, octets: u64, format: CellFormat) -> (u64, u32) {
        if in_cells == self.over.is_cells() {
            self.over.wrap(octets, format)
        } else {
            (octets, 0)
        }
    }

    /// The contract of the policer; none without a policer or without a peak rate.
    pub fn policed(&self) -> Option<Descriptor> {
        self.police.as_ref()?.descriptor(self.over.descriptor())
    }

    /// Bits that a full packet takes on a link.
    pub fn packet_bits(&self, format: CellFormat) -> u128 {
        self.bits_of(self.transport.facts().full_packet, format)
    }

    /// Bits that a packet of so many octets takes on a link.
    pub fn bits_of(&self, packet: u64, format: CellFormat) -> u128 {
        match self.over.wrap(packet, format) {
            (octets, 0) => u128::from(octets) * 8,
            (_, cells) => u128::from(cells) * u128::from(format.bits()),
        }
    }
}
