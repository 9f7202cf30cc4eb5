//! Service classes of ATM: what a virtual channel was promised.
//!
//! ATM Forum, "Traffic Management Specification 4.0", af-tm-0056.000, 1996, section 2.

/// The service class of a virtual channel, in the order of priority.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Class {
    /// Constant bit rate.
    Cbr,
    /// Variable bit rate, for what cannot wait.
    RtVbr,
    /// Variable bit rate, for what can.
    NrtVbr,
    /// Available bit rate: what the others leave, as the network tells the source.
    Abr,
    /// Unspecified bit rate: nothing was promised.
    Ubr,
}

/// A value for each class, by [`Class::index`].
pub type ByClass<T> = [T; Class::ALL.len()];

impl Class {
    /// All classes, the first in the order of priority first.
    pub const ALL: [Class; 5] = [
        Class::Cbr,
        Class::RtVbr,
        Class::NrtVbr,
        Class::Abr,
        Class::Ubr,
    ];

    /// Its place in that order.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The word for it in scenarios and results.
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
