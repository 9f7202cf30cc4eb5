//! The number of random cases in which a law is tested.

use proptest::prelude::*;

/// The configuration of a law: `quick` cases, fifty times as many in `make soak`, or the number in
/// `PROPTEST_CASES` if it is set.
///
/// Failing cases are not kept as seeds in a file, because each new choice changes the meaning of
/// every seed. Write the smallest failing case as a script instead.
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
