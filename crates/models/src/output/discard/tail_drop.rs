//! Tail drop: drop the cells that do not fit. For switches it is the "plain ATM" of Romanow and
//! Floyd, "Dynamics of TCP Traffic over ATM Networks", IEEE JSAC 13(4), 1995, section 3.

use parameters::parameters;

use super::{Buffer, Discard, DiscardKind};
use crate::output::decision::fit::AcceptIfFits;

parameters! {
    /// Drops a cell or packet that does not fit into the buffer.
    #[alias("drop_tail")]
    #[alias("taildrop")]
    #[alias("droptail")]
    pub struct TailDrop {}
}

impl TailDrop {
    /// The policy for one buffer.
    pub fn build(&self, _buffer: &Buffer) -> Box<dyn Discard> {
        Box::new(AcceptIfFits)
    }
}

impl DiscardKind for TailDrop {
    fn needs_shared_queue(&self) -> bool {
        false
    }

    fn drop_levels(&self, _buffer: &Buffer) -> Vec<(&'static str, u64)> {
        Vec::new()
    }

    fn drops_whole_packets(&self) -> bool {
        false
    }
}

#[cfg(test)]
mod tests {
    use super::super::script::decisions;
    use super::*;

    #[test]
    fn drops_exactly_the_cells_that_do_not_fit() {
        assert_eq!(decisions(&mut AcceptIfFits, "0 9 10 9. 10. 0"), "++-+-+");
    }
}
