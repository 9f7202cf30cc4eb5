//! CBR: packets as AAL5 PDUs in cells that leave evenly spaced, at a guaranteed rate.
//!
//! ATM Forum, "Traffic Management Specification 4.0", af-tm-0056.000, 1996, section 2.1.

use kernel::{Duration, Rate};
use parameters::parameters;

use super::{Aal5Bearer, Encapsulation, OverAal5, ShapedBearer};
use super::{AbrParameters, Bearer, Form, Links, Stack, StatedRate, Wrapping};
use crate::gcra::Descriptor;
use crate::wire::class::Class;

parameters! {
    /// AAL5 over a constant-bit-rate (CBR) ATM virtual channel.
    pub struct Cbr {
        /// Peak cell rate (PCR), in bits of cells, headers included, at which a host spaces its
        /// cells.
        #[alias("pcr")]
        pub rate: Rate,
        /// Cell delay variation tolerance (CDVT): how early a cell may leave; delayed cells may
        /// catch up by this much.
        #[as_in(ShapedBearer)]
        pub cdvt: Duration,
        #[as_in(Aal5Bearer)]
        pub encapsulation: Encapsulation<OverAal5>,
        #[as_in(Aal5Bearer)]
        pub reassembly_timeout: Option<Duration>,
    }
}

impl Bearer for Cbr {
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
        Class::Cbr
    }

    fn descriptor(&self) -> Option<Descriptor> {
        Some(Descriptor {
            peak: self.rate,
            cdvt: self.cdvt,
            sustained: None,
        })
    }

    fn rate_control(&self) -> Option<&AbrParameters> {
        None
    }

    fn rates(&self) -> Vec<StatedRate> {
        vec![StatedRate {
            parameter: "rate",
            rate: Some(self.rate),
            over: Links::All,
        }]
    }
}
