//! The number of cases of a law.

use proptest::prelude::*;

/// The configuration for `quick` cases, fifty times as many in `make soak`, or the number in
/// `PROPTEST_CASES` if it is set.
///
/// Failures are not kept in a file of seeds, because a new choice changes the meaning of every
/// seed. Turn the smallest failing case into a script instead.
pub fn cases(quick: u32) -> ProptestConfig {
    let default = ProptestConfig::default();
    let many = if std::env::var_os("SOAK").is_some() {
        50
    } else {
        1
    };
    ProptestConfig {
        cases: if std::env::var_os("PROPTEST_CASES").is_some() {
            default.cases
        } else {
            quick * many
        },
        failure_persistence: None,
        ..default
    }
}
