//! Buffer layouts: the division of the memory of a switch or router among its outputs, service
//! classes or VCs. `docs/concepts/buffers.md` compares them.

use parameters::{BufferLimit, BufferSize, Path};

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

    /// The limit of a buffer; where each class has a buffer, the size of all buffers of an output
    /// together, in which a cell takes `each` octets.
    fn limit(&self, each: u64) -> BufferLimit;

    /// The limit of the buffer of a class; none if the class has no buffer.
    fn limit_for(&self, class: Class) -> Option<BufferLimit>;

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
        Some(self.counted(size(self.limit_for(class)?, memory), vcs, memory))
    }

    /// The buffer of an output with `vcs` virtual channels, counted in cells; where each class has
    /// a buffer, all of them together.
    pub fn in_cells(&self, vcs: usize, memory: Memory) -> Buffer {
        self.counted(size(self.limit(self.each(memory)), memory), vcs, memory)
    }

    /// The most packets of any length that a buffer holds; none if its size is in bytes or cells.
    pub fn most_packets(&self) -> Option<u64> {
        match self.limit(1) {
            BufferLimit::Size(_) => None,
            BufferLimit::Packets(packets) => Some(packets),
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
    pub fn in_octets(&self, vcs: usize, memory: Memory) -> Buffer {
        let each = self.each(memory);
        let capacity = match size(self.limit(each), memory) {
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
        let in_bytes = |limit| matches!(limit, BufferLimit::Size(BufferSize::Bytes(_)));
        let mut classes = Class::ALL.into_iter();
        classes.any(|class| self.limit_for(class).is_some_and(in_bytes))
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

/// The size of a buffer in a memory. One that counts packets has the octets of as many of the longest
/// that pass, so that shares of it have a meaning.
fn size(limit: BufferLimit, memory: Memory) -> BufferSize {
    match limit {
        BufferLimit::Size(size) => size,
        BufferLimit::Packets(packets) => {
            BufferSize::Bytes(packets * memory.for_packets().space(memory.longest))
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

#[cfg(test)]
mod tests {
    use super::per_output::PerOutput;
    use super::*;

    /// The octets of a buffer of packets are those of the longest that pass, and of no other length.
    #[test]
    fn a_buffer_of_packets_is_as_large_as_so_many_of_the_longest_that_pass() {
        let spec = BufferSpec::PerOutput(PerOutput(BufferLimit::Packets(20)));
        assert_eq!(spec.limit_for(Class::Ubr), Some(BufferLimit::Packets(20)));
        assert_eq!(spec.most_packets(), Some(20));
        assert!(!spec.has_size_in_bytes());
        let memory = Memory::new(None, CellFormat::ATM).passed_by(1500);
        let buffer = spec.in_octets(1, memory);
        assert_eq!((buffer.capacity, buffer.packets), (30_000, Some(20)));
        let of_class = spec.of_class(Class::Ubr, 1, memory).expect("a buffer");
        assert_eq!(of_class.capacity, 30_000 / CellFormat::ATM.octets());
    }
}
