//! How the memory of a switch or router is shared among its outputs.

use parameters::{BufferSize, Path};

use crate::cell::CELL_OCTETS;
use crate::switch::discard::Buffer;

parameters::registry! {
    /// How buffer memory is shared among the outputs.
    pub enum BufferSpec {
        per_output => PerOutput,
        shared => Shared,
    }
}

impl BufferSpec {
    /// Whether all outputs have one buffer, or each its own.
    pub fn is_shared(&self) -> bool {
        matches!(self, BufferSpec::Shared(_))
    }

    /// The buffer as a switch sees it, counted in cells, of outputs with `vcs` virtual channels.
    pub fn in_cells(&self, vcs: usize) -> Buffer {
        let each = self.octets_per_cell();
        let capacity = match self.size() {
            BufferSize::Cells(cells) => cells,
            BufferSize::Bytes(octets) => octets / each,
        };
        Buffer::of_cells(capacity, each, vcs)
    }

    /// The buffer as a router sees it, counted in octets.
    pub fn in_octets(&self, vcs: usize) -> Buffer {
        let each = self.octets_per_cell();
        let capacity = match self.size() {
            BufferSize::Cells(cells) => cells * each,
            BufferSize::Bytes(octets) => octets,
        };
        Buffer::of_octets(capacity, each, vcs)
    }

    /// Where its size is written, within the table of the family.
    pub fn size_path(&self, family: &Path) -> Path {
        let member = family.key(self.kind());
        match self {
            BufferSpec::PerOutput(_) => member,
            BufferSpec::Shared(_) => member.key("size"),
        }
    }

    fn size(&self) -> BufferSize {
        match self {
            BufferSpec::PerOutput(buffer) => buffer.0,
            BufferSpec::Shared(buffer) => buffer.size,
        }
    }

    fn octets_per_cell(&self) -> u64 {
        match self {
            BufferSpec::PerOutput(_) => CELL_OCTETS,
            BufferSpec::Shared(buffer) => buffer.counted.octets(),
        }
    }
}
