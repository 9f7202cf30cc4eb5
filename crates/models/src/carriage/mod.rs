//! Carriage: how the packets of a flow travel. One table of a scenario changes it.

use kernel::{Rate, Time};
use parameters::Bytes;

use crate::aal5;
use crate::cell::CELL_OCTETS;
use crate::class::Class;
use crate::frame::Frame;
use crate::gcra::Descriptor;
use crate::segment::Segment;

parameters::registry! {
    /// How the packets of a flow are carried.
    pub enum CarriageSpec, answers dyn Bearer {
        ubr => Ubr,
        cbr => Cbr,
        vbr => Vbr,
        abr => Abr,
        packet => Packet,
        ptm => Ptm,
        gse => Gse,
    } default ubr
}

/// What a bearer is to those who need to know, stated by each in its own file.
pub trait Bearer {
    /// What it makes of packets, as the ends of a flow keep it.
    fn wrapping(&self) -> Wrapping;

    /// The service class of the virtual channels that carry the flow; packets have the least.
    fn class(&self) -> Class;

    /// The contract to which a host shapes its cells of its own accord, if it does.
    fn descriptor(&self) -> Option<Descriptor>;

    /// The parameters of its explicit-rate control, if the network tells hosts at which rate cells may
    /// leave.
    fn rate_control(&self) -> Option<&abr::Abr>;

    /// The rates that its parameters name, which links of the path must carry.
    fn rates(&self) -> Vec<StatedRate>;
}

/// A rate that a parameter of a bearer names.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StatedRate {
    /// The name of the parameter.
    pub parameter: &'static str,
    /// In bits of cells, headers included, if it is given.
    pub rate: Option<Rate>,
    /// Which links must carry it.
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

impl CarriageSpec {
    /// Whether packets are cut into cells.
    pub fn is_cells(&self) -> bool {
        matches!(self.wrapping().form, Form::Cells)
    }

    /// Whether the network tells the hosts at which rate cells may leave.
    pub fn is_abr(&self) -> bool {
        self.rate_control().is_some()
    }

    /// Whether RM cells are sent back at once, beside a direction that no rate is set for.
    pub fn answers_at_once(&self) -> bool {
        self.rate_control()
            .is_some_and(|abr| !abr.controls_reverse())
    }

    /// Whether hosts hold packets back, and let their cells leave one by one.
    pub fn is_paced(&self) -> bool {
        self.is_abr() || self.peak().is_some()
    }

    /// The highest rate of cells, in bits, that a host then sends.
    pub fn peak(&self) -> Option<Rate> {
        self.descriptor().map(|agreed| agreed.peak)
    }

    /// The highest that it keeps up for long.
    pub fn sustained(&self) -> Option<Rate> {
        let agreed = self.descriptor()?;
        Some(
            agreed
                .sustained
                .map_or(agreed.peak, |sustained| sustained.rate),
        )
    }

    /// Octets handed to the layer below for a packet, and the cells it is cut into (none if whole).
    pub fn wrap(&self, octets: u64) -> (u64, u32) {
        self.wrapping().wrap(octets)
    }
}

/// What carriage makes of a packet.
#[derive(Clone, Copy, Debug)]
pub struct Wrapping {
    /// Octets added to it.
    added: u16,
    form: Form,
}

/// What a packet, with what is added to it, becomes.
#[derive(Clone, Copy, Debug)]
enum Form {
    Cells,
    Whole,
    /// Whole, but of so many octets for so many.
    Stretched([u16; 2]),
}

impl Wrapping {
    fn new(added: Bytes, form: Form) -> Wrapping {
        let added = u16::try_from(added.0).expect("ranges bound what is added to 1 KiB");
        Wrapping { added, form }
    }

    /// Octets handed to the layer below for a packet, and the cells it is cut into (none if whole).
    fn wrap(self, octets: u64) -> (u64, u32) {
        let octets = octets + u64::from(self.added);
        match self.form {
            Form::Cells => (octets, aal5::cells(octets)),
            Form::Whole => (octets, 0),
            Form::Stretched([from, to]) => ((octets * u64::from(from)).div_ceil(u64::from(to)), 0),
        }
    }

    /// Octets that a packet takes on the wire.
    pub fn on_wire(self, octets: u64) -> u64 {
        match self.wrap(octets) {
            (octets, 0) => octets,
            (_, cells) => u64::from(cells) * CELL_OCTETS,
        }
    }

    /// A segment that makes a packet of `octets`, ready to be sent and numbered.
    pub fn frame(self, now: Time, segment: Segment, octets: u64) -> Frame {
        let (octets, cells) = self.wrap(octets);
        let octets = u32::try_from(octets).expect("lowering bounds packets to 16 MiB");
        Frame {
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
