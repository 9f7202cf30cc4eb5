//! Whatever is in a file or on the command line, it is understood or refused with places and hints.
#![no_main]

use libfuzzer_sys::arbitrary::{self, Arbitrary};
use libfuzzer_sys::fuzz_target;
use scenario::Scenario;
use scenario::scenario::Surroundings;

/// A scenario without mistakes, with something of everything.
const BASE: &str = include_str!("base.toml");

#[derive(Arbitrary, Debug)]
enum Input<'a> {
    /// A file.
    File(&'a [u8]),
    /// The scenario with parts replaced: where, how many bytes, by what.
    Edited(Vec<(u16, u8, &'a str)>),
    /// The scenario with settings over it.
    Set(Vec<(&'a str, &'a str)>),
}

fuzz_target!(|input: Input<'_>| {
    match input {
        Input::File(bytes) => read(bytes, &[]),
        Input::Edited(edits) => {
            let mut bytes = BASE.as_bytes().to_vec();
            for (start, length, text) in edits {
                let start = usize::from(start) % (bytes.len() + 1);
                let end = bytes.len().min(start + usize::from(length));
                bytes.splice(start..end, text.bytes());
            }
            read(&bytes, &[]);
        }
        Input::Set(settings) => {
            let owned = |(path, value): (&str, &str)| (path.to_string(), value.to_string());
            let settings: Vec<(String, String)> = settings.into_iter().map(owned).collect();
            read(BASE.as_bytes(), &settings);
        }
    }
});

/// Reads a scenario as a user would, and looks at what is told if it is refused.
fn read(bytes: &[u8], settings: &[(String, String)]) {
    let surroundings = Surroundings {
        settings,
        // Larger networks are right but keep the fuzzer from trying anything else.
        most_nodes: Some(1000),
        ..Surroundings::default()
    };
    match Scenario::read_bytes(bytes, "x.toml", &surroundings) {
        Ok(scenario) => {
            let resolved = scenario.resolved();
            let again = Scenario::read(&resolved, "resolved", &[]);
            assert!(again.is_ok(), "{}\n{resolved}", again.unwrap_err());
        }
        Err(error) => {
            for fault in &error.faults {
                assert!(fault.location.is_some() && fault.hint.is_some(), "{fault}");
            }
        }
    }
}
