//! The macros by which components state their parameters.

mod choices;
mod family;
mod parameters;
mod presets;
mod value;

/// `Some` of the argument, if there is one.
#[doc(hidden)]
#[macro_export]
macro_rules! optional {
    () => {
        ::std::option::Option::None
    };
    ($given:expr) => {
        ::std::option::Option::Some($given)
    };
}
