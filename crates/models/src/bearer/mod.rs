//! Bearers: how the packets of a flow are carried. ITU-T Recommendation I.113, "bearer service".
//!
//! Our own choice: one table of a scenario selects the service class, the adaptation and the
//! framing together, because only some combinations exist.

pub mod encapsulation;

use kernel::{Duration, Rate, Time};
use parameters::Bytes;

use crate::gcra::Descriptor;
use crate::wire::class::Class;
use crate::wire::contents::Contents;
use crate::wire::format::CellFormat;
use crate::wire::segment::Segment;

pub use encapsulation::{
    Aal5Bearer, Encapsulation, LLC_SNAP, OverAal5, OverGse, OverLinks, OverPtm, ShapedBearer, Stack,
};

parameters::registry! {
    /// Bearer of the packets of a flow.
    pub enum BearerSpec, answers dyn Bearer {
        ubr => Ubr,
        cbr => Cbr,
        vbr => Vbr,
        abr => Abr,
        packet => PacketBearer,
        ptm => Ptm,
        gse => Gse,
    } default ubr
}

/// The properties of a bearer, which each member states in its own file.
pub trait Bearer {
    /// The rule that gives the size of a packet on the wire. A member whose packets are cut into
    /// cells leaves the format of the cells to [`BearerSpec::wrapping`].
    fn wrapping(&self) -> Wrapping;

    /// The named headers above the segmentation, with the name of their parameter; none without a
    /// name.
    fn named_headers(&self) -> Option<(&'static str, &'static Stack)> {
        None
    }

    /// Time in which a receiver must have all cells of a PDU; none without a limit.
    fn reassembly_timeout(&self) -> Option<Duration> {
        None
    }

    /// The service class of the flow's virtual channels; UBR, the lowest, for packets.
    fn class(&self) -> Class;

    /// The traffic descriptor to which a host shapes the cells of a VC; none without shaping.
    fn descriptor(&self) -> Option<Descriptor>;

    /// The parameters of explicit-rate control; none unless the network controls the cell rate of
    /// the hosts.
    fn rate_control(&self) -> Option<&AbrParameters>;

    /// The rates that parameters of the bearer state and that links of the path must carry.
    fn rates(&self) -> Vec<StatedRate>;
}

/// The parameters of explicit-rate control; the type is also named by members without such control.
pub type AbrParameters = abr::Abr;

/// A rate that a parameter of a bearer states.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StatedRate {
    /// The name of the parameter.
    pub parameter: &'static str,
    /// The rate in bits of cells, headers included; none if the parameter is not given.
    pub rate: Option<Rate>,
    /// Links that must carry the rate.
    pub over: Links,
}

/// Links of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Links {
    /// The link of the sending host, behind which the network may lower the rate.
    First,
    /// Every link.
    All,
}

impl BearerSpec {
    /// True if packets are segmented into cells.
    pub fn is_cells(&self) -> bool {
        matches!(self.wrapping(CellFormat::ATM).form, Form::Cells)
    }

    /// The rule that gives the size of a packet on the wire, in a network with these cells; both
    /// ends of a flow keep it.
    pub fn wrapping(&self, cells: CellFormat) -> Wrapping {
        Wrapping {
            cells,
            ..Bearer::wrapping(&**self)
        }
    }

    /// True if the network controls the cell rate of the hosts.
    pub fn is_abr(&self) -> bool {
        self.rate_control().is_some()
    }

    /// True for ABR if acknowledgments are not rate-controlled: RM cells are then turned around at
    /// once.
    pub fn answers_at_once(&self) -> bool {
        self.rate_control()
            .is_some_and(|abr| !abr.controls_reverse())
    }

    /// True if hosts pace the cells of the flow.
    pub fn is_paced(&self) -> bool {
        self.is_abr() || self.peak().is_some()
    }

    /// The highest cell rate of a shaping host, in bits of cells.
    pub fn peak(&self) -> Option<Rate> {
        self.descriptor().map(|agreed| agreed.peak)
    }

    /// The highest cell rate that a shaping host can sustain, in bits of cells.
    pub fn sustained(&self) -> Option<Rate> {
        let agreed = self.descriptor()?;
        Some(
            agreed
                .sustained
                .map_or(agreed.peak, |sustained| sustained.rate),
        )
    }

    /// Octets handed to the layer below for a packet, and the number of its cells (zero if it stays
    /// whole).
    pub fn wrap(&self, octets: u64, cells: CellFormat) -> (u64, u32) {
        self.wrapping(cells).wrap(octets)
    }
}

/// A least number of octets of packets.
fn least(octets: u64) -> u16 {
    u16::try_from(octets).expect("the ranges bound least packets to 16 KiB")
}

/// The size of a packet on the wire.
#[derive(Clone, Copy, Debug)]
pub struct Wrapping {
    /// Octets added to each packet.
    added: u16,
    form: Form,
    cells: CellFormat,
}

/// The form of a packet, with its added octets, on the wire.
#[derive(Clone, Copy, Debug)]
enum Form {
    Cells,
    /// The packet is whole, and a shorter one is padded to so many octets.
    Whole {
        least: u16,
    },
    /// As a whole packet, in codewords that lengthen it.
    Codewords {
        least: u16,
    },
    /// The packet is whole, and frames lengthen it by a ratio of octets.
    Stretched([u16; 2]),
}

impl Wrapping {
    fn new(added: Bytes, form: Form) -> Wrapping {
        let added = u16::try_from(added.0).expect("the ranges bound the added octets to 1 KiB");
        Wrapping {
            added,
            form,
            cells: CellFormat::ATM,
        }
    }

    /// Octets handed to the layer below for a packet, and the number of its cells (zero if it stays
    /// whole).
    pub fn wrap(self, octets: u64) -> (u64, u32) {
        let octets = octets + u64::from(self.added);
        let stretched = |octets: u64, [from, to]: [u16; 2]| {
            let octets = octets * u64::from(from);
            (octets.div_ceil(u64::from(to)), 0)
        };
        match self.form {
            Form::Cells => (octets, self.cells.cells(octets)),
            Form::Whole { least } => (octets.max(u64::from(least)), 0),
            Form::Codewords { least } => stretched(octets.max(u64::from(least)), ptm::CODEWORD),
            Form::Stretched(ratio) => stretched(octets, ratio),
        }
    }

    /// Format of the cells of the network.
    pub fn cells(self) -> CellFormat {
        self.cells
    }

    /// Octets that a packet takes on the wire.
    pub fn on_wire(self, octets: u64) -> u64 {
        match self.wrap(octets) {
            (octets, 0) => octets,
            (_, cells) => u64::from(cells) * self.cells.octets(),
        }
    }

    /// The contents of a packet of `octets` with this segment; the host numbers the packet when it
    /// sends it.
    pub fn contents(self, now: Time, segment: Segment, octets: u64) -> Contents {
        let (octets, cells) = self.wrap(octets);
        let octets = u32::try_from(octets).expect("lowering bounds packets to 16 MiB");
        Contents {
            segment,
            octets,
            cells,
            sent: now,
            number: 0,
            marked: false,
            pdu: 0,
        }
    }
}
