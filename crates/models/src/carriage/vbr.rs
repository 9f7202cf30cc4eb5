//! VBR: packets as AAL5 PDUs in cells that leave evenly spaced while there are any, at a peak; and in
//! the long run no faster than what is sustained, if that is given.
//!
//! ATM Forum, "Traffic Management Specification 4.0", af-tm-0056.000, 1996, sections 2.2 and 2.3.

use kernel::{Duration, Rate};
use parameters::{Bytes, Cells, Conflict, parameters};

use super::abr::Abr;
use super::{Bearer, Form, Links, StatedRate, Wrapping};
use crate::class::Class;
use crate::gcra::{self, Descriptor, Sustained};

parameters! {
    /// AAL5 over a variable-bit-rate ATM virtual channel.
    #[check(conflict)]
    pub struct Vbr {
        /// Peak cell rate, in bits of cells, headers included: cells leave a host no closer.
        pub peak: Rate,
        /// How much too early for the peak a cell may leave (CDVT).
        #[range("0 s", "1 s")]
        pub cdvt: Duration = "0 s",
        /// Sustainable cell rate (SCR), in bits of cells: no more leave in the long run.
        pub sustained: Option<Rate>,
        /// Cells that may leave at the peak (MBS), before the sustained rate holds them back.
        #[range("1 cell", "1000000 cells")]
        pub burst: Option<Cells>,
        /// Whether it is for what cannot wait (rt-VBR), or for what can (nrt-VBR).
        pub realtime: bool = true,
        /// Octets added to each packet before AAL5; LLC/SNAP takes 8.
        #[range("0 B", "1 KiB")]
        pub encapsulation: Bytes = "0 B",
    }
}

impl Vbr {
    fn conflict(&self) -> Option<Conflict> {
        gcra::conflict(Some(self.peak), self.sustained, self.burst)
    }
}

impl Bearer for Vbr {
    fn wrapping(&self) -> Wrapping {
        Wrapping::new(self.encapsulation, Form::Cells)
    }

    fn class(&self) -> Class {
        if self.realtime {
            Class::RtVbr
        } else {
            Class::NrtVbr
        }
    }

    fn descriptor(&self) -> Option<Descriptor> {
        let sustained = self.sustained.zip(self.burst);
        Some(Descriptor {
            peak: self.peak,
            cdvt: self.cdvt,
            sustained: sustained.map(|(rate, Cells(burst))| Sustained { rate, burst }),
        })
    }

    fn rate_control(&self) -> Option<&Abr> {
        None
    }

    fn rates(&self) -> Vec<StatedRate> {
        vec![StatedRate {
            parameter: "peak",
            rate: Some(self.peak),
            over: Links::All,
        }]
    }
}
