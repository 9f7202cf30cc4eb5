//! The rules of ABR end systems, each by itself: scripts of what happens and what must follow.
//!
//! A script is a file of lines. The first that counts, `contract`, has the parameters by name; rates
//! are in cells per second, times in milliseconds. Each of the others has a time and one of these:
//!
//! ```text
//! data 10                      so many cells wait from now on
//! arrives frm ci er=500        a forward RM cell of the other end arrives, to be turned around
//! arrives efci                 a data cell of the other end arrives that met congestion; `data`: one
//!                              that did not
//! arrives brm ci ni bn er=500  a backward RM cell arrives
//! sends frm ccr=100            a forward RM cell leaves just now, with such fields
//! sends brm ci er=500          a backward one
//! sends data x3 every 10       three data cells leave, ten milliseconds apart
//! acr 100                      that is the allowed rate now
//! ```
//!
//! Flags that are not named are not set, and fields that are not named do not matter. All that leaves
//! until the last line has to be there: what is missing or too much is a failure.

#![allow(missing_docs)]

mod properties;
mod runs;
mod script;

use std::path::Path;

#[test]
fn every_script_comes_out_as_written() {
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/abr/scripts"));
    let entries = std::fs::read_dir(folder).expect("a folder of scripts");
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
