//! Every family that takes members from outside has a module of `cellrelay::members`, and the
//! documentation of the module registers and runs a member.

use std::fs;
use std::path::{Path, PathBuf};

#[test]
fn every_open_family_has_a_module_with_a_whole_member() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let sources = texts(&crates.join("models/src"));
    let mut open: Vec<&str> = sources
        .iter()
        .flat_map(|text| open_families(text))
        .collect();
    let modules = texts(&crates.join("cellrelay/src/members"));
    let mut offered = Vec::new();
    for text in &modules {
        let Some((before, _)) = text.split_once(" as Family") else {
            continue;
        };
        offered.push(before.rsplit([' ', '{', '\n', ':']).next().unwrap());
        for needed in ["//! ```\n", "Family::register::<", ".run(1)", "assert"] {
            assert!(text.contains(needed), "{needed} is missing:\n{text}");
        }
    }
    open.sort_unstable();
    offered.sort_unstable();
    assert_eq!(open.len(), 8);
    assert_eq!(open, offered);
}

/// The names of the families of a file that other programs may extend.
fn open_families(text: &str) -> impl Iterator<Item = &str> {
    let registries = text.split("pub enum ").skip(1);
    registries.filter_map(|after| {
        let (registry, _) = after.split_once("\n    }")?;
        let rest = &after[registry.len()..];
        let line = rest.lines().nth(1)?;
        line.contains("open to").then(|| after.split(' ').next())?
    })
}

/// The Rust files in a folder and below.
fn texts(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("a folder");
    let paths = entries.map(|entry| entry.expect("its entries").path());
    paths
        .flat_map(|path: PathBuf| {
            if path.is_dir() {
                texts(&path)
            } else if path.extension().is_some_and(|ending| ending == "rs") {
                vec![fs::read_to_string(path).expect("a file")]
            } else {
                Vec::new()
            }
        })
        .collect()
}
