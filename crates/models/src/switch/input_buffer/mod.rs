//! The memory of the inputs of a switch: its size, and who shares it.
//!
//! Queues at inputs without a limit are those of Karol, Hluchyj and Morgan, "Input Versus Output
//! Queueing on a Space-Division Packet Switch", IEEE Transactions on Communications 35(12), 1987.
//! The limits, and the discard policies that outputs have too, are our own addition.

use parameters::{BufferSize, parameters};

use crate::output::discard::{Buffer, DiscardSpec};
use crate::wire::format::CellFormat;

parameters::registry! {
    /// Layout of the memory at the inputs of a switch: per input, or per queue.
    pub enum InputBufferSpec, answers dyn InputBufferKind {
        per_input => PerInput,
        per_queue => PerQueue,
    }
}

/// The properties of a layout, stated in the file of each member.
pub trait InputBufferKind {
    /// The size of a buffer.
    fn size(&self) -> BufferSize;

    /// True if each queue of an input has a buffer of its own.
    fn is_per_queue(&self) -> bool;
}

parameters! {
    /// The memory of the inputs of a switch, and the cells that are dropped there.
    pub struct InputSpec {
        /// Layout of the memory.
        pub buffer: InputBufferSpec,
        /// Discard policy, which decides about a cell at the end of the slot in which it arrived.
        pub discard: DiscardSpec = default,
    }
}

impl InputSpec {
    /// A buffer for `vcs` virtual channels, counted in cells.
    pub fn buffer_for(&self, vcs: usize, cells: CellFormat) -> Buffer {
        let each = cells.octets();
        let capacity = match self.buffer.size() {
            BufferSize::Cells(cells) => cells,
            BufferSize::Bytes(octets) => octets / each,
        };
        Buffer::of_cells(capacity, each, vcs).among(cells)
    }
}
