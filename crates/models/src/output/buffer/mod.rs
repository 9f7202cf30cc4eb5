//! How the memory of a switch or router is shared among its outputs.

use parameters::{BufferSize, Path};

use crate::cell::CELL_OCTETS;
use crate::class::Class;
use crate::output::discard::Buffer;

parameters::registry! {
    /// Layout of the buffer memory: per output, per class, per VC or shared.
    pub enum BufferSpec {
        per_output => PerOutput,
        per_class => PerClass,
        per_vc => PerVc,
        shared => Shared,
    }
}

impl BufferSpec {
    /// Whether all outputs have one buffer, or each its own.
    pub fn is_shared(&self) -> bool {
        matches!(self, BufferSpec::Shared(_))
    }

    /// Whether each service class has a buffer of its own.
    pub fn is_per_class(&self) -> bool {
        matches!(self, BufferSpec::PerClass(_))
    }

    /// Whether each channel has a buffer of its own.
    pub fn is_per_vc(&self) -> bool {
        matches!(self, BufferSpec::PerVc(_))
    }

    /// What a class may fill, as a switch sees it, counted in cells, of outputs with `vcs` virtual
    /// channels; nothing if there is no buffer for it.
    pub fn of_class(&self, class: Class, vcs: usize) -> Option<Buffer> {
        let size = match self {
            BufferSpec::PerClass(buffers) => buffers.of_class(class)?,
            _ => self.size(),
        };
        Some(self.counted(size, vcs))
    }

    /// The buffer as a switch sees it, counted in cells, of outputs with `vcs` virtual channels; all
    /// of them where each class has one.
    pub fn in_cells(&self, vcs: usize) -> Buffer {
        self.counted(self.size(), vcs)
    }

    fn counted(&self, size: BufferSize, vcs: usize) -> Buffer {
        let each = self.octets_per_cell();
        Buffer::of_cells(cells(size, each), each, vcs)
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

    /// The buffers that an output has, and where their sizes are written within the table of the
    /// family.
    pub fn sizes(&self, family: &Path) -> Vec<(Path, Buffer)> {
        let size = self.size_path(family);
        if !self.is_per_class() {
            return vec![(size, self.in_cells(0))];
        }
        let classes = Class::ALL.into_iter();
        classes
            .filter_map(|class| Some((size.key(class.word()), self.of_class(class, 0)?)))
            .collect()
    }

    /// Where its size is written, within the table of the family.
    pub fn size_path(&self, family: &Path) -> Path {
        let member = family.key(self.kind());
        match self {
            BufferSpec::PerOutput(_) | BufferSpec::PerClass(_) | BufferSpec::PerVc(_) => member,
            BufferSpec::Shared(_) => member.key("size"),
        }
    }

    fn size(&self) -> BufferSize {
        match self {
            BufferSpec::PerOutput(buffer) => buffer.0,
            BufferSpec::PerVc(buffer) => buffer.0,
            BufferSpec::PerClass(buffers) => {
                let sizes = Class::ALL.map(|class| buffers.of_class(class));
                let sizes = sizes.into_iter().flatten();
                BufferSize::Cells(sizes.map(|size| cells(size, CELL_OCTETS)).sum())
            }
            BufferSpec::Shared(buffer) => buffer.size,
        }
    }

    fn octets_per_cell(&self) -> u64 {
        match self {
            BufferSpec::PerOutput(_) | BufferSpec::PerClass(_) | BufferSpec::PerVc(_) => {
                CELL_OCTETS
            }
            BufferSpec::Shared(buffer) => buffer.counted.octets(),
        }
    }
}

/// Cells of `each` octets that fit into a buffer.
fn cells(size: BufferSize, each: u64) -> u64 {
    match size {
        BufferSize::Cells(cells) => cells,
        BufferSize::Bytes(octets) => octets / each,
    }
}
