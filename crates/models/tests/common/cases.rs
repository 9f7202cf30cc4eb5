//! How often a law is tried.

use proptest::prelude::*;

/// How often a law is tried: as often as `PROPTEST_CASES` says, if it says anything.
///
/// Failures are not kept in a file of seeds: a seed means something else as soon as there is one more
/// choice. Make the smallest case a script instead.
pub fn cases(quick: u32) -> ProptestConfig {
    let default = ProptestConfig::default();
    let many = if cfg!(debug_assertions) { 1 } else { 50 };
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
