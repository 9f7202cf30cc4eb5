//! Carriage: the bearer of the packets of a flow. One table of a scenario changes it.

use kernel::{Rate, Time};
use parameters::{Bytes, Cells};

use crate::aal5;
use crate::cell::CELL_OCTETS;
use crate::class::Class;
use crate::frame::Frame;
use crate::gcra::{Descriptor, Sustained};
use crate::segment::Segment;

parameters::registry! {
    /// Bearer of the packets of a flow.
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
    /// True if packets are segmented into cells.
    pub fn is_cells(&self) -> bool {
        !matches!(
            self,
            CarriageSpec::Packet(_) | CarriageSpec::Ptm(_) | CarriageSpec::Gse(_)
        )
    }

    /// True if the network controls the cell rate of the hosts.
    pub fn is_abr(&self) -> bool {
        matches!(self, CarriageSpec::Abr(_))
    }

    /// True if RM cells are turned around at once, beside a direction without rate control.
    pub fn answers_at_once(&self) -> bool {
        matches!(self, CarriageSpec::Abr(abr) if !abr.controls_reverse())
    }

    /// True if hosts pace the cells of the flow.
    pub fn is_paced(&self) -> bool {
        self.is_abr() || self.peak().is_some()
    }

    /// The service class of the virtual channels of the flow; for packets, the lowest.
    pub fn class(&self) -> Class {
        match self {
            CarriageSpec::Cbr(_) => Class::Cbr,
            CarriageSpec::Vbr(vbr) if vbr.realtime => Class::RtVbr,
            CarriageSpec::Vbr(_) => Class::NrtVbr,
            CarriageSpec::Abr(_) => Class::Abr,
            _ => Class::Ubr,
        }
    }

    /// The traffic descriptor to which a host shapes the cells of a channel, if it does.
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

    /// The size of packets on the wire, as the ends of a flow keep it.
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

    /// Octets handed to the layer below for a packet, and the number of its cells (zero if it stays
    /// whole).
    pub fn wrap(&self, octets: u64) -> (u64, u32) {
        self.wrapping().wrap(octets)
    }
}

/// The size of a packet on the wire.
#[derive(Clone, Copy, Debug)]
pub struct Wrapping {
    /// Octets added to each packet.
    added: u16,
    form: Form,
}

/// The form of a packet, with its added octets, on the wire.
#[derive(Clone, Copy, Debug)]
enum Form {
    Cells,
    Whole,
    /// Whole, and stretched by a ratio of octets.
    Stretched([u16; 2]),
}

impl Wrapping {
    fn new(added: Bytes, form: Form) -> Wrapping {
        let added = u16::try_from(added.0).expect("ranges bound what is added to 1 KiB");
        Wrapping { added, form }
    }

    /// Octets handed to the layer below for a packet, and the number of its cells (zero if it stays
    /// whole).
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

    /// A frame of `octets` with this segment, ready to be sent and numbered.
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
