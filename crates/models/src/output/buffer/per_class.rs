//! A buffer of its own for each service class of each output, so that a class that overflows harms
//! no other.

use parameters::{BufferSize, parameters};

use crate::class::Class;

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

impl PerClass {
    /// The size of the buffer for a class, if there is one.
    pub fn of_class(&self, class: Class) -> Option<BufferSize> {
        match class {
            Class::Cbr => self.cbr,
            Class::RtVbr => self.rt_vbr,
            Class::NrtVbr => self.nrt_vbr,
            Class::Abr => self.abr,
            Class::Ubr => self.ubr,
        }
    }
}
