//! UBR: packets as AAL5 PDUs in cells, with no guarantee and no feedback.

use parameters::{Bytes, parameters};

use crate::aal5;

parameters! {
    /// AAL5 over an unspecified-bit-rate ATM virtual channel.
    pub struct Ubr {
        /// Octets added to each packet before AAL5; LLC/SNAP takes 8.
        #[range("0 B", "1 KiB")]
        pub encapsulation: Bytes = "0 B",
    }
}

impl Ubr {
    /// Octets of the PDU and the cells it makes.
    pub fn wrap(&self, octets: u64) -> (u64, u32) {
        let pdu = octets + self.encapsulation.0;
        (pdu, aal5::cells(pdu))
    }
}
