//! Typed indices: the compiler rejects an index of one table as an index of another.
//!
//! The pattern is that of the crates `la-arena` and `ruff_index`.

/// Declares an index type for one kind of table.
#[macro_export]
macro_rules! define_index {
    ($(#[doc = $doc:expr])* pub struct $name:ident;) => {
        $(#[doc = $doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub u32);

        impl $name {
            /// The number as an index.
            #[inline]
            pub const fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}
