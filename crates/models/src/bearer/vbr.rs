//! VBR: packets as AAL5 PDUs in cells that leave at most at a peak rate, and in the long run at
//! most at the sustainable rate, if one is given.
//!
//! ATM Forum, "Traffic Management Specification 4.0", af-tm-0056.000, 1996, sections 2.2 and 2.3.

use kernel::{Duration, Rate};
use parameters::{CellCount, Conflict, parameters};

use super::{Aal5Bearer, Encapsulation, OverAal5, ShapedBearer};
use super::{AbrParameters, Bearer, Form, Links, Stack, StatedRate, Wrapping};
use crate::gcra::{self, Descriptor, Sustained};
use crate::wire::class::Class;

parameters! {
    /// AAL5 over a variable-bit-rate (VBR) ATM virtual channel.
    #[check(conflict)]
    pub struct Vbr {
        /// Peak cell rate (PCR), in bits of cells, headers included, to which hosts shape their
        /// cells.
        #[alias("pcr")]
        pub peak: Rate,
        #[as_in(ShapedBearer)]
        pub cdvt: Duration,
        /// Sustainable cell rate (SCR), in bits of cells: upper bound of the rate in the long run.
        #[alias("scr")]
        pub sustained: Option<Rate>,
        /// Maximum burst size (MBS): cells that may leave at the peak rate before the sustainable
        /// rate applies.
        #[alias("mbs")]
        #[range("1 cell", "1000000 cells")]
        pub burst: Option<CellCount>,
        /// True for real-time VBR (rt-VBR), false for non-real-time VBR (nrt-VBR).
        pub realtime: bool = true,
        #[as_in(Aal5Bearer)]
        pub encapsulation: Encapsulation<OverAal5>,
        #[as_in(Aal5Bearer)]
        pub reassembly_timeout: Option<Duration>,
    }
}

impl Vbr {
    fn conflict(&self) -> Option<Conflict> {
        gcra::conflict(Some(self.peak), self.sustained, self.burst)
    }
}

impl Bearer for Vbr {
    fn wrapping(&self) -> Wrapping {
        Wrapping::new(self.encapsulation.octets(), Form::Cells)
    }

    fn named_headers(&self) -> Option<(&'static str, &'static Stack)> {
        Some(("encapsulation", self.encapsulation.stack()?))
    }

    fn reassembly_timeout(&self) -> Option<Duration> {
        self.reassembly_timeout
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
            sustained: sustained.map(|(rate, CellCount(burst))| Sustained { rate, burst }),
        })
    }

    fn rate_control(&self) -> Option<&AbrParameters> {
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
