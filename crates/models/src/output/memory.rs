//! Memory in cells: a switch or a router stores each packet in whole cells of its own, so that the
//! last of them is rarely full.
//!
//! Makers of switches size buffers in such cells: a packet of one octet more than a cell takes two.
//! The cells of Spectrum switches are those that `asic_table.j2` of sonic-buildimage states, which
//! `docs/concepts/buffers.md` cites.

use parameters::{Bytes, parameters, presets};

use crate::wire::format::CellFormat;

parameters! {
    /// Memory of a node in cells of its own, each of which holds octets of one cell of the network
    /// or of one packet.
    #[presets(MemoryPreset)]
    pub struct MemorySpec {
        /// Memory of a switch on the market; a parameter beside it replaces the value of the preset.
        pub preset: Option<MemoryPreset>,
        /// Octets of a cell of the memory.
        #[range("16 B", "64 KiB")]
        pub cell: Bytes,
        /// Octets of each packet on the link that the memory does not hold, such as the 20 octets of
        /// an Ethernet preamble and gap.
        #[range("0 B", "1 KiB")]
        pub framing: Bytes = "0 B",
    }
}

presets! {
    /// Memory of a switch on the market, after `SONiC`.
    pub enum MemoryPreset {
        /// Spectrum: cells of 96 octets.
        spectrum_1 => SpectrumOne { cell = "96 B" },
        /// Spectrum-2 and Spectrum-3: cells of 144 octets.
        spectrum_2 => SpectrumTwo { cell = "144 B" },
        /// Spectrum-4 and Spectrum-5: cells of 192 octets.
        spectrum_4 => SpectrumFour { cell = "192 B" },
        /// Spectrum-6: cells of 256 octets.
        spectrum_6 => SpectrumSix { cell = "256 B" },
    }
}

/// The memory of a node of a network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Memory {
    /// Format of the cells of the network.
    pub cells: CellFormat,
    /// Octets of the cells of the memory; none if a cell of the network takes its own octets, and a
    /// packet too.
    pub own: Option<u64>,
    /// Octets on the link of the longest packet that passes; those of the longest of IP, unless
    /// [`Memory::passed_by`] states it. Only a buffer that counts packets asks for it.
    pub longest: u32,
    /// Octets of each packet on the link that the memory does not hold.
    framing: u16,
}

impl Memory {
    /// The memory of a node with these parameters in a network with cells of this format.
    pub fn new(spec: Option<&MemorySpec>, cells: CellFormat) -> Memory {
        let framing = spec.map_or(0, |spec| spec.framing.0);
        Memory {
            cells,
            own: spec.map(|spec| spec.cell.0),
            longest: u16::MAX.into(),
            framing: u16::try_from(framing).expect("the range bounds framing to 1 KiB"),
        }
    }

    /// The memory of a node that packets of at most so many octets on the link pass.
    pub fn passed_by(self, longest: u32) -> Memory {
        Memory { longest, ..self }
    }

    /// Octets of the cells in which queues are counted.
    pub fn counted(self) -> u64 {
        self.own.unwrap_or(self.cells.octets())
    }

    /// The memory as packets take it.
    pub fn for_packets(self) -> PacketMemory {
        PacketMemory {
            cell: u32::try_from(self.counted()).expect("the range bounds cells to 64 KiB"),
            framing: self.framing,
            in_cells: self.own.is_some(),
        }
    }
}

/// The memory that packets take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PacketMemory {
    /// Octets of the cells in which queues are counted.
    cell: u32,
    framing: u16,
    /// True if a packet takes whole cells; false if it takes its own octets.
    in_cells: bool,
}

impl PacketMemory {
    /// True if a packet takes whole cells of the memory.
    pub fn is_in_cells(self) -> bool {
        self.in_cells
    }

    /// Octets of the cells in which queues are counted.
    pub fn counted(self) -> u64 {
        u64::from(self.cell)
    }

    /// Most octets of the memory that packets take which have `octets` on the link together, and
    /// `sizes` from the smallest to the largest.
    pub fn most_space(self, octets: u64, [smallest, largest]: [u32; 2]) -> u64 {
        if !self.in_cells {
            return octets;
        }
        // A packet takes most for its octets if it is the smallest, or has an octet in a further cell.
        let sizes = self.further_sizes([smallest, largest]).chain([smallest]);
        let taken = sizes.map(|size| {
            let taken = u128::from(octets) * u128::from(self.space(size));
            u64::try_from(taken.div_ceil(u128::from(size))).unwrap_or(u64::MAX)
        });
        taken.max().unwrap_or(octets)
    }

    /// The sizes of packets, between these two, that have an octet in a further cell of the memory.
    pub fn further_sizes(self, [smallest, largest]: [u32; 2]) -> impl Iterator<Item = u32> {
        let further = (1..).map(move |cells| cells * self.cell + u32::from(self.framing) + 1);
        let further = further.skip_while(move |size| *size <= smallest);
        further.take_while(move |size| *size <= largest)
    }

    /// Octets of the memory that a packet with `octets` on the link takes.
    #[inline]
    pub fn space(self, octets: u32) -> u64 {
        if self.in_cells {
            let held = octets.saturating_sub(u32::from(self.framing));
            u64::from(held.div_ceil(self.cell).max(1)) * u64::from(self.cell)
        } else {
            u64::from(octets)
        }
    }
}

#[cfg(test)]
mod tests {
    use parameters::{understand, value};

    use super::*;

    #[test]
    fn a_packet_takes_whole_cells() {
        let spec: MemorySpec = understand(&value!({ preset = "spectrum_1" })).expect("a memory");
        let memory = Memory::new(Some(&spec), CellFormat::ATM).for_packets();
        let cells = [1, 96, 97, 192, 193, 9100].map(|octets| memory.space(octets) / 96);
        assert_eq!(cells, [1, 1, 2, 2, 3, 95]);
        assert_eq!(memory.counted(), 96);
    }

    #[test]
    fn packets_take_most_that_have_an_octet_in_a_further_cell() {
        let spec: MemorySpec = understand(&value!({ cell = "96 B" })).expect("a memory");
        let memory = Memory::new(Some(&spec), CellFormat::ATM).for_packets();
        assert_eq!(memory.most_space(9700, [64, 1500]), 2 * 9600);
        assert_eq!(memory.most_space(9600, [96, 96]), 9600);
        assert_eq!(memory.most_space(6400, [64, 96]), 9600);
        for sizes in [[64, 1500], [98, 1500], [700, 701], [1, 300]] {
            let worst = (sizes[0]..=sizes[1])
                .map(|size| (100_000 * memory.space(size)).div_ceil(u64::from(size)));
            assert_eq!(
                Some(memory.most_space(100_000, sizes)),
                worst.max(),
                "{sizes:?}"
            );
        }
        let octets = Memory::new(None, CellFormat::ATM).for_packets();
        assert_eq!(octets.most_space(9700, [64, 1500]), 9700);
    }

    #[test]
    fn octets_that_only_the_link_has_take_no_memory() {
        let written = value!({ cell = "96 B", framing = "20 B" });
        let spec: MemorySpec = understand(&written).expect("a memory");
        let memory = Memory::new(Some(&spec), CellFormat::ATM).for_packets();
        assert_eq!(
            [10, 116, 117].map(|octets| memory.space(octets)),
            [96, 96, 192]
        );
    }

    #[test]
    fn a_memory_without_cells_holds_octets() {
        let memory = Memory::new(None, CellFormat::ATM).for_packets();
        assert_eq!((memory.space(97), memory.counted()), (97, 53));
    }
}
