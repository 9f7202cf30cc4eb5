//! How often a law is tried.

use proptest::prelude::*;

/// How often a law is tried: as often as `PROPTEST_CASES` says, if it is set, and fifty times as often
/// in `make soak`.
///
/// Failures are not kept in a file of seeds: a seed means something else as soon as there is one more
/// choice. Make the smallest case a script instead.
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
