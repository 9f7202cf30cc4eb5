//! The messages about mistakes in scenarios: the cases of `mistakes.md`.
//!
//! Each case edits the scenario at the head of that page, and shows the whole message. Run with
//! `UPDATE_GOLDEN=1` to write the messages anew, and read the difference.

use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;

use scenario::Scenario;
use scenario::scenario::Surroundings;

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
fn edited(base: &str, edit: &str) -> String {
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
fn block<'a>(text: &'a str, kind: &str) -> Option<(&'a str, &'a str)> {
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
