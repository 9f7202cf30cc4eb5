//! Carriage: how the packets of a flow travel. One table of a scenario changes it.

use kernel::{Rate, Time};
use parameters::{Bytes, Cells};

use crate::aal5;
use crate::cell::CELL_OCTETS;
use crate::class::Class;
use crate::frame::Frame;
use crate::gcra::{Descriptor, Sustained};
use crate::segment::Segment;

parameters::registry! {
    /// How the packets of a flow are carried.
    pub enum CarriageSpec {
        ubr => Ubr,
        cbr => Cbr,
        vbr => Vbr,
        abr => Abr,
        packet => Packet,
        ptm => Ptm,
        gse => Gse,
    } default ubr
}

impl CarriageSpec {
    /// Whether packets are cut into cells.
    pub fn is_cells(&self) -> bool {
        !matches!(
            self,
            CarriageSpec::Packet(_) | CarriageSpec::Ptm(_) | CarriageSpec::Gse(_)
        )
    }

    /// Whether the network tells the hosts at which rate cells may leave.
    pub fn is_abr(&self) -> bool {
        matches!(self, CarriageSpec::Abr(_))
    }

    /// Whether RM cells are sent back at once, beside a direction that no rate is set for.
    pub fn answers_at_once(&self) -> bool {
        matches!(self, CarriageSpec::Abr(abr) if !abr.controls_reverse())
    }

    /// Whether hosts hold packets back, and let their cells leave one by one.
    pub fn is_paced(&self) -> bool {
        self.is_abr() || self.peak().is_some()
    }

    /// The service class of the virtual channels that carry the flow; packets have none, and whoever
    /// asks is told the least.
    pub fn class(&self) -> Class {
        match self {
            CarriageSpec::Cbr(_) => Class::Cbr,
            CarriageSpec::Vbr(vbr) if vbr.realtime => Class::RtVbr,
            CarriageSpec::Vbr(_) => Class::NrtVbr,
            CarriageSpec::Abr(_) => Class::Abr,
            _ => Class::Ubr,
        }
    }

    /// What a host keeps to on a channel of its own accord, if anything: it shapes what it sends.
    pub fn descriptor(&self) -> Option<Descriptor> {
        let (peak, cdvt, sustained) = match self {
            CarriageSpec::Cbr(cbr) => (cbr.rate, cbr.cdvt, None),
            CarriageSpec::Vbr(vbr) => (vbr.peak, vbr.cdvt, vbr.sustained.zip(vbr.burst)),
            CarriageSpec::Ubr(ubr) => (ubr.peak?, ubr.cdvt, None),
            _ => return None,
        };
        Some(Descriptor {
            peak,
            cdvt,
            sustained: sustained.map(|(rate, Cells(burst))| Sustained { rate, burst }),
        })
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

    /// What it makes of packets, as the ends of a flow keep it.
    pub fn wrapping(&self) -> Wrapping {
        match self {
            CarriageSpec::Cbr(cbr) => Wrapping::new(cbr.encapsulation, Form::Cells),
            CarriageSpec::Vbr(vbr) => Wrapping::new(vbr.encapsulation, Form::Cells),
            CarriageSpec::Abr(abr) => Wrapping::new(abr.encapsulation, Form::Cells),
            CarriageSpec::Ubr(ubr) => Wrapping::new(ubr.encapsulation, Form::Cells),
            CarriageSpec::Packet(packet) => Wrapping::new(packet.framing, Form::Whole),
            CarriageSpec::Ptm(ptm) => ptm.wrapping(),
            CarriageSpec::Gse(gse) => gse.wrapping(),
        }
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
