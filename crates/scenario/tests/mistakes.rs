//! The messages about mistakes in scenarios: the cases of `mistakes.md`.
//!
//! Each case edits the scenario at the head of that page, and shows the whole message. Run with
//! `UPDATE_GOLDEN=1` to write the messages anew, and read the difference.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;

use parameters::{Parameter, Path, Problems};
use scenario::Scenario;
use scenario::document;
use scenario::document::Sources;
use scenario::scenario::Surroundings;
use scenario::spec::ScenarioSpec;

/// The message about the mistakes in `text`; empty without mistakes.
fn message(text: &[u8]) -> String {
    match Scenario::read_bytes(text, "x.toml", &Surroundings::default()) {
        Ok(_) => String::new(),
        Err(error) => error.to_string() + "\n",
    }
}

/// `base` with the lines of `edit` that begin with `-` replaced by those that begin with `+`.
///
/// The beginning of a replaced line is enough; further lines are added at the end.
pub fn edited(base: &str, edit: &str) -> String {
    let mut lines: Vec<String> = base.lines().map(str::to_string).collect();
    let mut position = lines.len();
    for line in edit.lines() {
        match line.split_at(1) {
            ("-", old) => {
                position = lines
                    .iter()
                    .position(|line| line.starts_with(old))
                    .unwrap_or_else(|| panic!("no line of the scenario begins with `{old}`"));
                lines.remove(position);
            }
            ("+", new) => {
                lines.insert(position, new.to_string());
                position += 1;
            }
            _ => panic!("`{line}` is no edit"),
        }
    }
    lines.join("\n") + "\n"
}

/// The text of the first block of this kind in `text`, and what follows it.
pub fn block<'a>(text: &'a str, kind: &str) -> Option<(&'a str, &'a str)> {
    let (_, rest) = text.split_once(&format!("```{kind}\n"))?;
    rest.split_once("```\n")
}

#[test]
fn every_mistake_is_told_with_its_place_and_a_hint() {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/mistakes.md");
    let page = fs::read_to_string(&path).unwrap();
    let (base, _) = block(&page, "toml").unwrap();
    assert_eq!(
        message(base.as_bytes()),
        "",
        "the scenario that is edited has no mistakes"
    );

    let mut sections = page.split("\n## ");
    let mut told = sections.next().unwrap().to_string();
    let mut count = 0;
    for section in sections {
        let title = section.lines().next().unwrap();
        let (edit, _) = block(section, "diff").unwrap_or_else(|| panic!("{title}: no edit"));
        let message = message(edited(base, edit).as_bytes());
        assert!(!message.is_empty(), "{title}: nothing was wrong");
        let is_located = |line: &str| line.starts_with("x.toml:");
        let places = message.lines().filter(|line| is_located(line)).count();
        let hints = message
            .lines()
            .filter(|line| line.starts_with("  hint: "))
            .count();
        assert!(
            places == hints && places * 2 == message.lines().count(),
            "{title}:\n{message}"
        );
        let _ = write!(
            told,
            "\n## {title}\n\n```diff\n{edit}```\n\n```text\n{message}```\n"
        );
        count += 1;
    }
    assert!(count >= 60, "{count} mistakes");
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        return fs::write(&path, &told).unwrap();
    }
    assert!(
        told == page,
        "messages have changed: run with UPDATE_GOLDEN=1 and read the difference"
    );
}

/// The problems of a scenario, each with its path and without its line.
fn problems(text: &str) -> BTreeSet<String> {
    let message = message(text.as_bytes());
    let lines = message.lines();
    let told = lines.filter_map(|line| line.strip_prefix("x.toml:"));
    let told =
        told.map(|line| line.trim_start_matches(|one: char| one.is_ascii_digit() || one == ':'));
    told.map(|line| line.trim().to_string()).collect()
}

/// Mistakes in names of nodes and flows, as edits.
const NAMES: [&str; 6] = [
    "-to = \"receiver\"\n+to = \"reciever\"\n",
    "-from = \"sender\"\n+from = \"s1\"\n",
    "-from = \"sender\"\n+from = \"sender[12]\"\n",
    "-between = [\"s1\"\n+between = [\"s1\", \"reciever\"]\n",
    "-between = [\"sender\"\n+between = [\"sender\", \"s1\", \"receiver\"]\n",
    "-until\n+until = { metric = \"flow bluk goodput\", half_width = \"2 %\" }\n",
];

/// A refused value does not hide a mistake in a name, and is not taken for one: beside the problems
/// of the value, a message has all problems of the name, or none if the value may itself be meant
/// as a name.
#[test]
fn names_are_checked_beside_refused_values_and_tell_no_consequences() {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/mistakes.md");
    let page = fs::read_to_string(&path).unwrap();
    let (base, _) = block(&page, "toml").unwrap();
    let (mut beside, mut withheld) = (0, 0);
    for section in page.split("\n## ").skip(1) {
        let title = section.lines().next().unwrap();
        let (edit, _) = block(section, "diff").unwrap();
        let refused = edited(base, edit);
        if is_understood(&refused) {
            continue;
        }
        let of_value = problems(&refused);
        for name in NAMES {
            let replaced = name[1..].lines().next().unwrap();
            let mut removed = edit.lines().filter_map(|line| line.strip_prefix('-'));
            let overlaps = |line: &str| line.starts_with(replaced) || replaced.starts_with(line);
            if removed.any(overlaps) || !refused.lines().any(|line| line.starts_with(replaced)) {
                continue;
            }
            let of_name = problems(&edited(base, name));
            assert!(!of_name.is_empty(), "{name}");
            let told = problems(&edited(&refused, name));
            let apart: BTreeSet<_> = of_value.union(&of_name).cloned().collect();
            assert!(
                told == apart || told == of_value,
                "{title} and {name}: {told:#?}, where each alone has {apart:#?}"
            );
            if told == apart {
                beside += 1;
            } else {
                withheld += 1;
            }
        }
    }
    assert!(beside > 4 * withheld, "{beside} of {}", beside + withheld);
}

/// True if every key and value of a scenario is understood by itself.
fn is_understood(text: &str) -> bool {
    let file = Sources::default().add("x.toml", text);
    let mut found = Problems::default();
    let root = document::parse(file, text);
    let spec = root
        .ok()
        .and_then(|root| ScenarioSpec::read(&root, &Path::root(), &mut found));
    spec.is_some() && found.is_empty()
}

#[test]
fn files_that_are_no_scenarios_at_all_are_told_too() {
    let nested = "x = ".to_string() + &"[".repeat(100_000);
    let begins = |text: &[u8], expected: &str| {
        let message = message(text);
        assert!(
            message.starts_with(expected) && message.contains("  hint: "),
            "{message}"
        );
    };
    begins(b"", "x.toml:1:1: duration: `duration` is missing");
    begins(&vec![b' '; 100 << 20], "x.toml:1:1: larger than `4 MiB`");
    begins(b"\x89PNG\r\n\x1a\n", "x.toml:1:1: byte 0x89 is not UTF-8");
    begins(b"{\"duration\": \"1 s\"}", "x.toml:1:1: not TOML");
    begins(b"duration: 1 s\n", "x.toml:1:");
    begins(nested.as_bytes(), "x.toml:1:");
    begins(&[0; 1000], "x.toml:1:1: ");
}
