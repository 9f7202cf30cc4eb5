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
    let guide = root.join("../../docs/guides/embed-the-simulator.md");
    let guide = fs::read_to_string(guide).expect("the guide");
    for name in EXAMPLES {
        let printed = root.join(format!("examples/{name}.txt"));
        let printed = fs::read_to_string(printed).expect("a file beside the example");
        assert!(
            guide.contains(&format!("```text\n{printed}```")),
            "{name}:\n{printed}"
        );
    }
}

/// The output of an example that is built with the profile of this test.
fn run(name: &str) -> String {
    let here: PathBuf = env::current_exe().expect("this test has a file");
    // The executable of this test is `target/PROFILE/deps/NAME`.
    let profile = here.ancestors().nth(2).expect("the folder of the profile");
    let built = profile.file_name().expect("its name").to_string_lossy();
    let done = Command::new(env!("CARGO"))
        .args(["run", "--quiet", "--offline", "--example", name])
        .args(["--profile", if built == "debug" { "dev" } else { &built }])
        .arg("--target-dir")
        .arg(profile.parent().expect("the folder of all profiles"))
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo can be run");
    let told = String::from_utf8_lossy(&done.stderr);
    assert!(done.status.success(), "{name}: {told}");
    String::from_utf8_lossy(&done.stdout).into_owned()
}
