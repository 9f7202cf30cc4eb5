//! Buffer layouts: the division of the memory of a switch or router among its outputs, service
//! classes or VCs. `docs/concepts/buffers.md` compares them.

use parameters::{BufferSize, Path};

use crate::output::decision::Buffer;
use crate::output::memory::Memory;
use crate::wire::class::Class;
use crate::wire::format::CellFormat;

parameters::registry! {
    /// Layout of the buffer memory: per output, per class, per VC or shared.
    pub enum BufferSpec, answers dyn BufferKind {
        per_output => PerOutput,
        per_class => PerClass,
        per_vc => PerVc,
        shared => Shared,
    }
}

/// The properties of a buffer layout, stated in the file of each member.
pub trait BufferKind {
    /// The owner of a buffer.
    fn buffer_per(&self) -> BufferPer;

    /// The size of a buffer; where each class has a buffer, the size of all buffers of an output
    /// together, in which a cell takes `each` octets.
    fn size(&self, each: u64) -> BufferSize;

    /// The size of the buffer of a class; none if the class has no buffer.
    fn size_for(&self, class: Class) -> Option<BufferSize>;

    /// The most packets of any length that a buffer holds; none if its size is in bytes or cells.
    fn most_packets(&self) -> Option<u64> {
        None
    }

    /// The parameter that states the size; none if the size is the only parameter of the member.
    fn size_parameter(&self) -> Option<&'static str> {
        None
    }

    /// The parameter that states how cells count in a buffer whose size is given in bytes, if it is not at
    /// its default.
    fn counting(&self) -> Option<&'static str> {
        None
    }

    /// Octets that a cell of this format takes in a buffer whose size is given in bytes.
    fn octets_per_cell(&self, cells: CellFormat) -> u64 {
        cells.octets()
    }
}

/// The owner of a buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BufferPer {
    /// The node, whose outputs share the memory.
    Node,
    /// An output.
    Output,
    /// A service class of an output.
    Class,
    /// A virtual channel of an output.
    Vc,
}

impl BufferSpec {
    /// True if all outputs share one buffer.
    pub fn is_shared(&self) -> bool {
        self.buffer_per() == BufferPer::Node
    }

    /// True if each service class has a buffer of its own.
    pub fn is_per_class(&self) -> bool {
        self.buffer_per() == BufferPer::Class
    }

    /// True if each virtual channel has a buffer of its own.
    pub fn is_per_vc(&self) -> bool {
        self.buffer_per() == BufferPer::Vc
    }

    /// The buffer of a class at an output with `vcs` virtual channels, counted in cells; none if
    /// the class has no buffer.
    pub fn of_class(&self, class: Class, vcs: usize, memory: Memory) -> Option<Buffer> {
        Some(self.counted(self.size_for(class)?, vcs, memory))
    }

    /// The buffer of an output with `vcs` virtual channels, counted in cells; where each class has
    /// a buffer, all of them together.
    pub fn in_cells(&self, vcs: usize, memory: Memory) -> Buffer {
        self.counted(self.size_in(memory), vcs, memory)
    }

    /// The size of a buffer in a memory.
    fn size_in(&self, memory: Memory) -> BufferSize {
        match self.most_packets() {
            Some(packets) => {
                BufferSize::Bytes(packets * memory.for_packets().space(memory.longest))
            }
            None => self.size(self.each(memory)),
        }
    }

    /// Octets that a cell takes in a memory.
    fn each(&self, memory: Memory) -> u64 {
        memory
            .own
            .unwrap_or_else(|| self.octets_per_cell(memory.cells))
    }

    fn counted(&self, size: BufferSize, vcs: usize, memory: Memory) -> Buffer {
        let each = self.each(memory);
        Buffer::of_cells(cells(size, each), each, vcs).among(memory.cells)
    }

    /// The buffer of an output with `vcs` virtual channels, counted in octets, as in a router.
    ///
    /// A buffer of a number of packets has as many octets as so many of the longest packets that pass,
    /// so that shares of it have a meaning.
    pub fn in_octets(&self, vcs: usize, memory: Memory) -> Buffer {
        let each = self.each(memory);
        let capacity = match self.size_in(memory) {
            BufferSize::Cells(cells) => cells * each,
            // No packet takes a part of a cell.
            BufferSize::Bytes(octets) if memory.own.is_some() => octets / each * each,
            BufferSize::Bytes(octets) => octets,
        };
        Buffer {
            packets: self.most_packets(),
            ..Buffer::of_octets(capacity, each, vcs).among(memory.cells)
        }
    }

    /// The buffers of an output, each with the path of its size in the scenario; `family` is the
    /// path of the layout.
    pub fn sizes(&self, family: &Path, memory: Memory) -> Vec<(Path, Buffer)> {
        let size = self.size_path(family);
        if !self.is_per_class() {
            return vec![(size, self.in_cells(0, memory))];
        }
        let classes = Class::ALL.into_iter();
        classes
            .filter_map(|class| Some((size.key(class.word()), self.of_class(class, 0, memory)?)))
            .collect()
    }

    /// True if the size of a buffer is a number of bytes.
    pub fn has_size_in_bytes(&self) -> bool {
        let classes = Class::ALL.into_iter();
        let sizes = classes.filter_map(|class| self.size_for(class));
        sizes
            .into_iter()
            .any(|size| matches!(size, BufferSize::Bytes(_)))
    }

    /// The path of the parameter that states how cells count in bytes, in the layout at the path `family`;
    /// none if it is at its default.
    pub fn counted_parameter(&self, family: &Path) -> Option<Path> {
        Some(family.key(self.kind()).key(BufferKind::counting(&**self)?))
    }

    /// The path of the size, in the layout at the path `family`.
    pub fn size_path(&self, family: &Path) -> Path {
        let member = family.key(self.kind());
        match self.size_parameter() {
            Some(parameter) => member.key(parameter),
            None => member,
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
