//! A buffer of its own for each service class of each output, so that a class that overflows harms no
//! other.

use parameters::{BufferSize, parameters};

use crate::class::Class;

parameters! {
    /// Each output has a buffer for each service class. A class without one must not come here.
    pub struct PerClass {
        /// Constant bit rate.
        pub cbr: Option<BufferSize>,
        /// Variable bit rate, for what cannot wait.
        pub rt_vbr: Option<BufferSize>,
        /// Variable bit rate, for what can.
        pub nrt_vbr: Option<BufferSize>,
        /// Available bit rate.
        pub abr: Option<BufferSize>,
        /// Unspecified bit rate.
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
