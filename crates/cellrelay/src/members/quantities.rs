//! Types of parameters with a unit, for the fields of [`parameters!`](crate::members::parameters).
//!
//! Numbers, `bool`, `String` and [`Duration`](crate::Duration) are types of parameters too, and so
//! are words that [`choices!`](crate::members::choices) lists.

#[doc(inline)]
pub use kernel::Rate;
#[doc(inline)]
pub use parameters::{Amount, Bytes, Fraction, RandomTime};
