//! Random networks of everything there is: nothing panics, and all runners report the same.

#[path = "../common/mod.rs"]
mod common;

use std::fs;
use std::path::Path;

use common::{by_every_runner, plan};

/// Each file is the smallest scenario that showed a defect.
#[test]
fn what_was_found_is_mended() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/random_networks/found");
    for entry in fs::read_dir(folder).expect("a folder of scenarios") {
        let path = entry.expect("a scenario").path();
        let text = fs::read_to_string(&path).expect("a text");
        println!("{}", path.display());
        by_every_runner(&plan(&text, &[]));
    }
}
