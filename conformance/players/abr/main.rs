//! Scripts for the rules of ABR end systems (TM 4.0, section 5.10): events, and the cells that must
//! follow.
//!
//! The first line of a script that is not a comment, `contract`, has the parameters by name; rates
//! are in cells per second, times in milliseconds. Every other line has a time and one of these:
//! ```text
//! data 10                      the number of cells that wait from now on
//! arrives frm ci er=500        a forward RM cell of the other end arrives, to be turned around
//! arrives efci                 a data cell of the other end arrives with EFCI set; `data`: one
//!                              without EFCI
//! arrives brm ci ni bn er=500  a backward RM cell arrives
//! sends frm ccr=100            a forward RM cell leaves at this instant, with these fields
//! sends brm ci er=500          a backward RM cell leaves, with these fields
//! sends data x3 every 10       three data cells leave, ten milliseconds apart
//! acr 100                      the allowed cell rate (ACR) is 100 cells per second
//! ```
//!
//! A flag that is not named must not be set; a field that is not named may have any value. A cell
//! that leaves without a line for it is a failure, and so is a line without its cell.

#![allow(missing_docs)]

mod script;

use std::path::Path;

/// Folder of the scripts.
const SCRIPTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/abr");

/// Folder of the code, which cites the rules.
const CODE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../crates/models/src/abr");

#[test]
fn every_script_comes_out_as_written() {
    let entries = std::fs::read_dir(SCRIPTS).expect("a folder of scripts");
    let mut failures = Vec::new();
    let mut scripts = 0;
    for entry in entries {
        let path = entry.expect("a file").path();
        let text = std::fs::read_to_string(&path).expect("a script is text");
        scripts += 1;
        if let Err(failure) = script::play(&text) {
            failures.push(format!("{}: {failure}", path.display()));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert!(scripts >= 20, "only {scripts} scripts were found");
}

/// The rules that a text names: `rule 3a`, `rules 3 and 4`, `Rule 12.`
fn rules(text: &str) -> Vec<u32> {
    let number = |word: &str| -> Option<u32> {
        let digits: String = word.chars().take_while(char::is_ascii_digit).collect();
        digits.parse().ok()
    };
    let text = text.to_lowercase();
    let mentions = text.split("rule").skip(1);
    let numbers = mentions.flat_map(|after| {
        let words = after.trim_start_matches('s').split_whitespace();
        words.take_while(|word| *word == "and" || number(word).is_some())
    });
    numbers.filter_map(number).collect()
}

#[test]
fn every_rule_is_cited_in_the_code_and_has_a_script() {
    for (file, prefix, rules_of_it) in [
        ("source.rs", "rule", 13),
        ("destination.rs", "destination", 6),
    ] {
        let code = std::fs::read_to_string(Path::new(CODE).join(file)).expect("code");
        let cited = rules(&code);
        let scripts = std::fs::read_dir(SCRIPTS).expect("scripts");
        let names: Vec<String> = scripts
            .map(|entry| {
                entry
                    .expect("a file")
                    .file_name()
                    .into_string()
                    .expect("a name")
            })
            .collect();
        for rule in 1..=rules_of_it {
            assert!(
                cited.contains(&rule),
                "{file} does not say where rule {rule} is followed"
            );
            let has_script = names.iter().any(|name| {
                let number = name.strip_prefix(&format!("{prefix}-"));
                let digits = number.map(|rest| rest.chars().take_while(char::is_ascii_digit));
                digits.is_some_and(|digits| digits.collect::<String>().parse() == Ok(rule))
            });
            assert!(has_script, "no script plays {prefix} {rule}");
        }
    }
}

#[test]
fn a_script_that_expects_something_else_fails() {
    let contract = "contract pcr=1000 icr=100";
    for (wrong, failure) in [
        ("0 data 1\n0 sends data", "line 3: frm"),
        ("0 data 1\n1 sends frm", "line 3: frm at 0 ms"),
        ("0 data 1\n0 sends frm ccr=50", "line 3: ccr is 100"),
        ("0 data 1\n0 sends frm ci", "line 3: ci is not set"),
        ("0 data 1\n0 sends frm\n30 acr 100", "line 4: data at 10 ms"),
        ("0 sends frm", "line 2: nothing left"),
        ("0 acr 99", "line 2: the rate is 100"),
    ] {
        let told = script::play(&format!("{contract}\n{wrong}")).expect_err(wrong);
        assert!(told.starts_with(failure), "{told}");
    }
}
