//! The output of each example equals the file beside it; `UPDATE_GOLDEN=1` writes the files anew.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

const EXAMPLES: [&str; 4] = [
    "event_loop",
    "first_run",
    "own_congestion_control",
    "own_policy",
];

#[test]
fn every_example_prints_what_the_file_beside_it_holds() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples");
    for name in EXAMPLES {
        let golden = folder.join(format!("{name}.txt"));
        let printed = run(name);
        if env::var_os("UPDATE_GOLDEN").is_some() {
            fs::write(&golden, &printed).expect("the file can be written");
        }
        let expected = fs::read_to_string(&golden).unwrap_or_default();
        assert_eq!(printed, expected, "{name} prints something else");
    }
}

#[test]
fn every_example_is_run() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples");
    let entries = fs::read_dir(folder).expect("the folder of the examples");
    let files = entries.map(|entry| entry.expect("its entries").path());
    let mut names: Vec<String> = files
        .filter(|path| path.extension().is_some_and(|ending| ending == "rs"))
        .map(|path| path.file_stem().unwrap().to_string_lossy().into_owned())
        .collect();
    names.sort();
    assert_eq!(names, EXAMPLES);
}

#[test]
fn the_guide_shows_what_the_examples_print() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let guide = guide();
    for name in EXAMPLES {
        let printed = root.join(format!("examples/{name}.txt"));
        let printed = fs::read_to_string(printed).expect("a file beside the example");
        assert!(
            guide.contains(&format!("```text\n{printed}```")),
            "{name}:\n{printed}"
        );
    }
}

#[test]
fn the_guide_shows_the_whole_program_of_a_policy() {
    let whole = include_str!("../../examples/own_policy.rs");
    assert!(guide().contains(&format!("```rust\n{whole}```")));
}

#[test]
fn the_guide_explains_every_property_of_a_policy() {
    let source = include_str!("../../../models/src/output/discard/mod.rs");
    let after = source.split_once("pub trait DiscardKind {").expect("it").1;
    let body = after.split_once("\n}").expect("its end").0;
    let methods = body.lines().filter_map(|line| {
        let name = line.strip_prefix("    fn ")?.split_once('(')?.0;
        Some((name, line.ends_with(';')))
    });
    let methods: Vec<_> = methods.collect();
    assert!(methods.contains(&("doubt", false)), "{methods:?}");
    let guide = guide();
    for (name, is_required) in methods {
        let row = guide
            .lines()
            .find(|l| l.starts_with(&format!("| `{name}` |")));
        let row = row.unwrap_or_else(|| panic!("no row for `{name}`"));
        assert_eq!(row.contains("| required; "), is_required, "{row}");
    }
}

#[test]
fn a_package_with_the_manifest_of_the_guide_can_hold_the_policy() {
    let folder = env::temp_dir().join(format!("cellrelay-package-{}", std::process::id()));
    write_package(&folder);
    let packages = cargo(&folder, &["metadata", "--offline", "--format-version", "1"]);
    assert!(packages.contains("\"name\":\"cellrelay\""));
    // The compiler finds the library by its own name and not the crates below it, as in a package
    // of this manifest, for which cargo would build all of them again.
    let built = build_library();
    let compiler = env::var_os("RUSTC").unwrap_or("rustc".into());
    let done = Command::new(compiler)
        .args(["--edition", "2024", "--emit", "metadata", "-o"])
        .arg(folder.join("program.rmeta"))
        .arg(folder.join("src/main.rs"))
        .arg("--extern")
        .arg(format!("cellrelay={}", built.display()))
        .arg("-L")
        .arg(format!(
            "dependency={}",
            built.with_file_name("deps").display()
        ))
        .output()
        .expect("the compiler can be run");
    let told = String::from_utf8_lossy(&done.stderr);
    fs::remove_dir_all(&folder).unwrap();
    assert!(done.status.success(), "{told}");
}

fn write_package(folder: &Path) {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let guide = guide();
    let after = guide
        .split_once("```toml\n# Cargo.toml\n")
        .expect("a manifest")
        .1;
    let manifest = after.split_once("```").expect("its end").0;
    let shown = "../cellrelay/crates/cellrelay";
    assert!(manifest.contains(shown), "{manifest}");
    let program = include_str!("../../examples/own_policy.rs");
    let program = program.replace(
        "include_str!(\"own_policy.rs\")",
        "include_str!(\"main.rs\")",
    );
    fs::create_dir_all(folder.join("src")).unwrap();
    let manifest = manifest.replace(shown, &here.display().to_string());
    fs::write(folder.join("Cargo.toml"), manifest).unwrap();
    fs::copy(here.join("../../Cargo.lock"), folder.join("Cargo.lock")).unwrap();
    fs::write(folder.join("src/main.rs"), program).unwrap();
    let scenario = include_str!("../../examples/two-senders.toml");
    fs::write(folder.join("src/two-senders.toml"), scenario).unwrap();
}

/// The library of the crate, built with the profile of this test.
fn build_library() -> PathBuf {
    let (profile, target) = profile();
    let target = target.to_string_lossy();
    let build = ["build", "--lib", "--offline", "--message-format", "json"];
    let options = ["--profile", &profile, "--target-dir", &target];
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let messages = cargo(folder, &[&build[..], &options[..]].concat());
    let library = messages
        .split('"')
        .find(|part| part.ends_with("/libcellrelay.rlib"));
    PathBuf::from(library.expect("the library of the crate"))
}

fn guide() -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    fs::read_to_string(root.join("../../docs/guides/embed-the-simulator.md")).expect("the guide")
}

/// The output of an example that is built with the profile of this test.
fn run(name: &str) -> String {
    let (profile, target) = profile();
    let target = target.to_string_lossy();
    let run = ["run", "--quiet", "--offline", "--example", name];
    let options = ["--profile", &profile, "--target-dir", &target];
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    cargo(folder, &[&run[..], &options[..]].concat())
}

/// The profile of this test, and the folder of all profiles.
fn profile() -> (String, PathBuf) {
    let here: PathBuf = env::current_exe().expect("this test has a file");
    // The executable of this test is `target/PROFILE/deps/NAME`.
    let profile = here.ancestors().nth(2).expect("the folder of the profile");
    let built = profile.file_name().expect("its name").to_string_lossy();
    let target = profile.parent().expect("the folder of all profiles");
    let name = if built == "debug" { "dev" } else { &built };
    (name.to_string(), target.to_path_buf())
}

/// The output of cargo in a folder.
fn cargo(folder: &Path, arguments: &[&str]) -> String {
    let done = Command::new(env!("CARGO"))
        .args(arguments)
        .current_dir(folder)
        .output()
        .expect("cargo can be run");
    let told = String::from_utf8_lossy(&done.stderr);
    assert!(done.status.success(), "{arguments:?}: {told}");
    String::from_utf8_lossy(&done.stdout).into_owned()
}
