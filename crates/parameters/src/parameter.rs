//! What every type of parameter can do.

use crate::path::Path;
use crate::problem::Problems;
use crate::quantity::Amount;
use crate::shape::{Field, Shape};
use crate::table::Table;
use crate::value::{Value, Written};

/// A type that users give values of.
pub trait Parameter: Sized {
    /// What may be written, for the schema, the reference and the Python types.
    fn shape() -> Shape;

    /// What it means, from its doc comment; empty where the parameter that has this type says it.
    fn help() -> String {
        String::new()
    }

    /// Understands what was written at `at`, or reports everything that is wrong with it.
    fn read(written: &Written, at: &Path, problems: &mut Problems) -> Option<Self>;

    /// The normalised form, which reads back as the same value.
    fn write(&self) -> Value;

    /// The value where nothing is written and no default is stated.
    fn absent() -> Option<Self> {
        None
    }

    /// Whether there is anything to write.
    fn is_given(&self) -> bool {
        true
    }

    /// Adds the levels in a buffer that this parameter, written at `at`, and those within it state.
    fn levels(&self, _at: &Path, _levels: &mut Vec<(Path, Amount)>) {}
}

/// A table of parameters with fixed names: what `parameters!` makes.
pub trait Record: Parameter {
    /// The parameters, in the order in which they were stated.
    fn fields() -> Vec<Field>;

    /// The record with every parameter at its default.
    ///
    /// # Panics
    /// If a parameter has no default.
    fn defaults() -> Self {
        understand(&Table::default().into())
            .unwrap_or_else(|problems| panic!("not every parameter has a default: {problems}"))
    }
}

/// The parameter that `value` stands for.
///
/// # Errors
/// Everything that is wrong with it.
pub fn understand<T: Parameter>(value: &Value) -> Result<T, Problems> {
    let mut problems = Problems::default();
    let read = T::read(&value.clone().into(), &Path::root(), &mut problems);
    problems.or(read)
}
