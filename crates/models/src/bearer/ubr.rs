//! UBR: packets as AAL5 PDUs in cells, with no guarantee and no feedback.
//!
//! A host with a peak rate shapes its cells: no cell leaves before it conforms to the rate. ATM
//! Forum, "Traffic Management Specification 4.0", af-tm-0056.000, 1996, section 2.5.

use kernel::{Duration, Rate};
use parameters::{Conflict, parameters};

use super::{Aal5Bearer, Encapsulation, OverAal5, ShapedBearer};
use super::{AbrParameters, Bearer, Form, Links, Stack, StatedRate, Wrapping};
use crate::gcra::Descriptor;
use crate::wire::class::Class;

parameters! {
    /// AAL5 over an unspecified-bit-rate (UBR) ATM virtual channel.
    #[alias("atm")]
    #[check(conflict)]
    pub struct Ubr {
        /// Peak cell rate (PCR) to which hosts shape their cells, in bits of cells, headers
        /// included; if not given, cells are not shaped.
        #[alias("pcr")]
        pub peak: Option<Rate>,
        #[as_in(ShapedBearer)]
        pub cdvt: Duration,
        #[as_in(Aal5Bearer)]
        pub encapsulation: Encapsulation<OverAal5>,
        #[as_in(Aal5Bearer)]
        pub reassembly_timeout: Option<Duration>,
    }
}

impl Ubr {
    fn conflict(&self) -> Option<Conflict> {
        (self.peak.is_none() && self.cdvt > Duration::ZERO).then(|| Conflict {
            name: "cdvt",
            problem: "`peak` is missing".to_string(),
            hint:
                "write for example `peak = \"50 Mbit/s\"`: `cdvt` is a tolerance of the peak rate"
                    .to_string(),
        })
    }
}

impl Bearer for Ubr {
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
        Class::Ubr
    }

    fn descriptor(&self) -> Option<Descriptor> {
        Some(Descriptor {
            peak: self.peak?,
            cdvt: self.cdvt,
            sustained: None,
        })
    }

    fn rate_control(&self) -> Option<&AbrParameters> {
        None
    }

    fn rates(&self) -> Vec<StatedRate> {
        vec![StatedRate {
            parameter: "peak",
            rate: self.peak,
            over: Links::First,
        }]
    }
}
