//! A buffer of its own for each service class of each output, so that a class whose buffer
//! overflows takes no space from others.

use parameters::{BufferLimit, BufferSize, parameters};

use super::{BufferKind, BufferPer, cells};
use crate::wire::class::Class;

parameters! {
    /// Each output has a buffer for each service class. A class without a buffer must not use the
    /// output.
    pub struct PerClass {
        /// Buffer of constant bit rate (CBR).
        pub cbr: Option<BufferSize>,
        /// Buffer of real-time variable bit rate (rt-VBR).
        pub rt_vbr: Option<BufferSize>,
        /// Buffer of non-real-time variable bit rate (nrt-VBR).
        pub nrt_vbr: Option<BufferSize>,
        /// Buffer of available bit rate (ABR).
        pub abr: Option<BufferSize>,
        /// Buffer of unspecified bit rate (UBR).
        pub ubr: Option<BufferSize>,
    }
}

impl BufferKind for PerClass {
    fn buffer_per(&self) -> BufferPer {
        BufferPer::Class
    }

    fn limit(&self, each: u64) -> BufferLimit {
        let sizes = Class::ALL.map(|class| self.size_of(class));
        let sizes = sizes.into_iter().flatten();
        BufferLimit::Size(BufferSize::Cells(sizes.map(|size| cells(size, each)).sum()))
    }

    fn limit_for(&self, class: Class) -> Option<BufferLimit> {
        self.size_of(class).map(BufferLimit::Size)
    }
}

impl PerClass {
    fn size_of(&self, class: Class) -> Option<BufferSize> {
        match class {
            Class::Cbr => self.cbr,
            Class::RtVbr => self.rt_vbr,
            Class::NrtVbr => self.nrt_vbr,
            Class::Abr => self.abr,
            Class::Ubr => self.ubr,
        }
    }
}
