//! Names the model and the commit of a build: results of two builds may be mixed only if their
//! models are the same, and the commit is where the sources of their numbers are found.

mod commit;

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs};

use sha2::{Digest, Sha256};

fn main() {
    // Read at run time, because the checkout may have moved since this script was compiled.
    let here = env::var_os("CARGO_MANIFEST_DIR").expect("cargo says where the crate is");
    let crates = Path::new(&here).join("..");
    name_model(&crates);
    name_commit(&crates.join(".."));
}

/// The version, and a hash of the sources of the simulator.
fn name_model(crates: &Path) {
    let mut digest = Sha256::new();
    for name in ["kernel", "parameters", "models", "scenario"] {
        let folder = crates.join(name).join("src");
        println!("cargo::rerun-if-changed={}", folder.display());
        for file in sources(&folder) {
            let relative = file.strip_prefix(crates).expect("a file of a crate");
            digest.update(relative.to_string_lossy().as_bytes());
            digest.update(fs::read(&file).expect("a source file can be read"));
        }
    }
    let hex = digest
        .finalize()
        .iter()
        .take(6)
        .fold(String::new(), |mut hex, byte| {
            write!(hex, "{byte:02x}").expect("a string can be written to");
            hex
        });
    println!(
        "cargo::rustc-env=CELLRELAY_MODEL={}+{hex}",
        env!("CARGO_PKG_VERSION")
    );
}

/// The commit of the checkout, as text, which is empty if there is none.
fn name_commit(tree: &Path) {
    let name = commit::of(tree).map_or_else(String::new, |commit| {
        for path in &commit.watched {
            println!("cargo::rerun-if-changed={}", path.display());
        }
        commit.name
    });
    println!("cargo::rustc-env=CELLRELAY_COMMIT={name}");
}

/// The source files under a folder, in order.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut entries: Vec<PathBuf> = fs::read_dir(folder)
        .expect("a folder of sources can be read")
        .map(|entry| entry.expect("an entry can be read").path())
        .collect();
    entries.sort();
    let below = entries.into_iter().flat_map(|path| {
        if path.is_dir() {
            sources(&path)
        } else {
            vec![path]
        }
    });
    below
        .filter(|path| path.extension().is_some_and(|end| end == "rs"))
        .collect()
}
