//! Any file is either read or refused with places and hints; reading never panics.

use proptest::prelude::*;
use proptest::sample::Index;
use scenario::Scenario;

/// Reads `text`, and checks the problems if it is refused.
fn read(text: &str, settings: &[(String, String)]) -> Result<(), TestCaseError> {
    match Scenario::read(text, "x.toml", settings) {
        Ok(scenario) => {
            let resolved = scenario.resolved();
            let again = Scenario::read(&resolved, "resolved", &[]);
            prop_assert!(again.is_ok(), "{}\n{resolved}", again.unwrap_err());
        }
        Err(error) => {
            for fault in &error.faults {
                prop_assert!(fault.location.is_some(), "no place: {fault}");
                prop_assert!(fault.hint.is_some(), "no hint: {fault}");
            }
        }
    }
    Ok(())
}

/// The scenario without mistakes of `mistakes.md`.
fn base() -> &'static str {
    let page = include_str!("mistakes.md");
    let (_, rest) = page.split_once("```toml\n").unwrap();
    rest.split_once("```\n").unwrap().0
}

/// A random fragment of scenario text.
fn scraps() -> impl Strategy<Value = String> {
    let words: Vec<&str> = base().split_inclusive([' ', '\n', '.', '=', ',']).collect();
    prop_oneof![
        4 => prop::sample::select(words).prop_map(str::to_string),
        1 => prop::sample::select(vec!["[", "]", "{", "}", "\"", "'''", "\n", "#", "=", ".", "-1", "1e400", "nan"])
            .prop_map(str::to_string),
        1 => ".{0,3}",
    ]
}

/// The scenario with random parts removed and fragments inserted.
fn damaged() -> impl Strategy<Value = String> {
    let edits = prop::collection::vec((any::<Index>(), 0..30usize, scraps()), 1..4);
    edits.prop_map(|edits| {
        let mut text: Vec<char> = base().chars().collect();
        for (start, length, scrap) in edits {
            let start = start.index(text.len());
            let end = text.len().min(start + length);
            text.splice(start..end, scrap.chars());
        }
        text.into_iter().collect()
    })
}

/// Settings whose paths exist, nearly exist, or do not exist.
fn settings() -> impl Strategy<Value = Vec<(String, String)>> {
    let paths = vec![
        "seed",
        "duration",
        "host.sender.count",
        "switch.s1.buffer.per_output",
        "switch.s1.discard",
        "switch.s1.discard.partial_packet",
        "flow.bulk.over.packet",
        "flow.bulk.from",
        "sweep",
        "link.exit.between[1]",
        "link.exit.between[9]",
        "flow.bulk.transport.tcp.congestion",
        "a..b",
        "sweep.\"seed\"",
        "replications.until",
        "record.every",
    ];
    let values = vec![
        "1",
        "1 ms",
        "1000 cells",
        "{}",
        "{ tail_drop = {} }",
        "[1, 2]",
        "s1",
        "\"",
        "true",
        "-1",
        "",
    ];
    let setting = (prop::sample::select(paths), prop::sample::select(values));
    let setting = setting.prop_map(|(path, value)| (path.to_string(), value.to_string()));
    prop::collection::vec(setting, 0..4)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn a_damaged_scenario_is_understood_or_refused(text in damaged()) {
        read(&text, &[])?;
    }

    #[test]
    fn any_text_is_understood_or_refused(text in "(.{0,20}\n){0,5}") {
        read(&text, &[])?;
    }

    #[test]
    fn any_settings_are_understood_or_refused(settings in settings()) {
        read(base(), &settings)?;
    }
}

#[test]
fn a_resolved_scenario_resolves_to_itself() {
    let resolved = |text: &str| Scenario::read(text, "x", &[]).unwrap().resolved();
    let once = resolved(base());
    assert_eq!(resolved(&once), once);
}
