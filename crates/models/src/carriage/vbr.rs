//! VBR: packets as AAL5 PDUs in cells that leave evenly spaced while there are any.
//!
//! How long a source may go on at its peak is its own business here: the sustained rate and the
//! burst that a contract also names are not enforced. ATM Forum, "Traffic Management Specification
//! 4.0", af-tm-0056.000, 1996, sections 2.2 and 2.3.

use kernel::Rate;
use parameters::{Bytes, parameters};

use crate::aal5;

parameters! {
    /// AAL5 over a variable-bit-rate ATM virtual channel.
    pub struct Vbr {
        /// Peak cell rate, in bits of cells, headers included: cells leave a host no closer.
        pub peak: Rate,
        /// Whether it is for what cannot wait (rt-VBR), or for what can (nrt-VBR).
        pub realtime: bool = true,
        /// Octets added to each packet before AAL5; LLC/SNAP takes 8.
        #[range("0 B", "1 KiB")]
        pub encapsulation: Bytes = "0 B",
    }
}

impl Vbr {
    /// Octets of the PDU and the cells it makes.
    pub fn wrap(&self, octets: u64) -> (u64, u32) {
        let pdu = octets + self.encapsulation.0;
        (pdu, aal5::cells(pdu))
    }
}
