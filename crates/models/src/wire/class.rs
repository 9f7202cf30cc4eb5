//! Service classes of ATM.
//!
//! ATM Forum, "Traffic Management Specification 4.0", af-tm-0056.000, 1996, section 2.

/// The service class of a virtual channel, in the order of priority.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Class {
    /// Constant bit rate.
    Cbr,
    /// Real-time variable bit rate.
    RtVbr,
    /// Non-real-time variable bit rate.
    NrtVbr,
    /// Available bit rate: the network controls the rate of the source.
    Abr,
    /// Unspecified bit rate: no guarantee.
    Ubr,
}

/// A value for each class, by [`Class::index`].
pub type ByClass<T> = [T; Class::ALL.len()];

impl Class {
    /// All classes, in the order of priority.
    pub const ALL: [Class; 5] = [
        Class::Cbr,
        Class::RtVbr,
        Class::NrtVbr,
        Class::Abr,
        Class::Ubr,
    ];

    /// Index of the class in [`Class::ALL`].
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The word for the class in scenarios and results.
    pub const fn word(self) -> &'static str {
        match self {
            Class::Cbr => "cbr",
            Class::RtVbr => "rt_vbr",
            Class::NrtVbr => "nrt_vbr",
            Class::Abr => "abr",
            Class::Ubr => "ubr",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_of_the_list_is_that_of_the_numbers() {
        assert!(Class::ALL.is_sorted());
        for (place, class) in Class::ALL.iter().enumerate() {
            assert_eq!(class.index(), place);
        }
    }
}
