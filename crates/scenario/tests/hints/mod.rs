//! The law of hints: what a hint proposes is accepted.
//!
//! Each hint is read as a user reads it, its change is made in the scenario, and the scenario is
//! read again: the complaint must be gone, and there must be no other at that place.

mod apply;
mod proposed;
mod wrong;

use std::fs;
use std::path::PathBuf;

use parameters::{Parameter, Path, Problem, Problems, SourceId, Written};
use scenario::document::{self, render};
use scenario::{Fault, Scenario, ScenarioSpec};

use crate::mistakes::{block, edited};
use proposed::{ProposedEdit, changes, proposes};

/// The mistakes of `mistakes.md`: title, and text of the scenario.
fn mistakes() -> Vec<(String, String)> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/mistakes.md");
    let page = fs::read_to_string(path).unwrap();
    let (base, _) = block(&page, "toml").unwrap();
    let cases = page.split("\n## ").skip(1);
    cases
        .map(|section| {
            let title = section.lines().next().unwrap().to_string();
            let (edit, _) = block(section, "diff").unwrap();
            (title, edited(base, edit))
        })
        .collect()
}

fn faults(text: &str) -> Vec<Fault> {
    match Scenario::read(text, "x.toml", &[]) {
        Ok(_) => Vec::new(),
        Err(error) => error.faults,
    }
}

/// True if `other` is the place of a path, or within it.
fn is_at(place: &Path, other: &Path) -> bool {
    other.steps().starts_with(place.steps())
}

/// The path of a fault; the root if it has none.
fn path_of(fault: &Fault) -> Path {
    Path::parse(&fault.path).unwrap_or_default()
}

/// Hints that ask for something which only the user can give, each with the reason.
const FOR_THE_USER: &[(&str, &str)] = &[
    (
        "write lengths in bytes",
        "a length in cells has no equal in bytes",
    ),
    (
        "write the lengths in cells",
        "a length in bytes has no equal in cells",
    ),
    (
        "write the flows that end at",
        "only the user knows which flows are awaited",
    ),
    (
        "write the nodes of one path",
        "only the user knows which path",
    ),
    (
        "write a length in octets and the probability",
        "it is about a line of a file",
    ),
    (
        "write a time in seconds and a length",
        "it is about a line of a file",
    ),
    (
        "write the largest length on the last line",
        "it is about a line of a file",
    ),
    (
        "nothing here counts packets",
        "only the user knows the size of a packet",
    ),
    ("write a table `[", "the user chooses the name"),
    ("write less", "several parameters state the load"),
];

fn is_for_the_user(hint: &str) -> bool {
    FOR_THE_USER
        .iter()
        .any(|(words, _)| hint.starts_with(words))
}

/// True if a text has a blank to fill in.
fn has_blank(text: &str) -> bool {
    ["...", "NAME", "KIND", "PARAMETER"]
        .iter()
        .any(|blank| text.contains(blank))
}

/// Problems of reading alone, without those that a network or another parameter causes.
fn unread(root: &Written) -> Vec<Problem> {
    let mut found = Problems::default();
    ScenarioSpec::read(root, &Path::root(), &mut found);
    found.into_iter().collect()
}

/// The reason why a change does not mend a fault; none if it does.
fn unmended(root: &Written, fault: &Fault, change: &ProposedEdit) -> Option<String> {
    let path = path_of(fault);
    let complaint = apply::Complaint {
        path: &path,
        problem: &fault.problem,
    };
    let is_limit = fault.hint.as_deref().is_some_and(|hint| {
        hint.starts_with("write at most") || hint.starts_with("write at least")
    });
    let before = unread(root);
    let mut reason = "nothing to change".to_string();
    for (root, at) in apply::made(root, ScenarioSpec::known_shape(), complaint, change) {
        let after = faults(&render::render(
            root.value.table().expect("a scenario is a table"),
        ));
        // A limit is exact: what is written there is accepted by the whole network.
        let left = after.iter().find(|other| {
            (&other.path, &other.problem) == (&fault.path, &fault.problem)
                || is_limit && is_at(&at, &path_of(other))
        });
        let unread = unread(&root);
        let new = unread
            .iter()
            .find(|other| !before.contains(other) && is_at(&at, &other.path));
        let new = new.filter(|_| !matches!(change, ProposedEdit::Bound(_)));
        match (left, new) {
            (None, None) => return None,
            (Some(left), _) => reason = left.to_string(),
            (_, Some(new)) => reason = new.to_string(),
        }
    }
    Some(reason)
}

#[test]
fn what_the_hint_about_a_mistake_proposes_is_accepted() {
    let mut refused = Vec::new();
    let mut made = 0;
    for (title, text) in mistakes() {
        let Ok(root) = document::parse(SourceId(0), &text) else {
            continue;
        };
        let before = faults(&text);
        for fault in &before {
            let hint = fault.hint.as_deref().unwrap_or_default();
            let changes = changes(hint);
            if changes.is_empty() && proposes(hint) && !is_for_the_user(hint) {
                refused.push(format!("{title}: {fault}\n    -> nothing to apply"));
            }
            for change in changes {
                made += 1;
                if has_blank(change.text()) || is_for_the_user(hint) {
                    continue;
                }
                // Points of a sweep have limits of their own; the lowest of them holds at all.
                let others = before.iter().filter(|other| other.path == fault.path);
                let lowest = others.flat_map(|other| {
                    let hint = other.hint.as_deref().unwrap_or_default();
                    proposed::changes(hint)
                });
                let mut all = std::iter::once(change.clone()).chain(lowest);
                let mends = |change: ProposedEdit| unmended(&root, fault, &change).is_none();
                if all.any(mends) {
                    continue;
                }
                if let Some(reason) = unmended(&root, fault, &change) {
                    refused.push(format!("{title}: {fault}\n    {change:?}\n    -> {reason}"));
                }
            }
        }
    }
    assert!(
        refused.is_empty(),
        "{} of {made}:\n{}",
        refused.len(),
        refused.join("\n")
    );
}
