//! Conformance of TCP and XTP: scripts, one file for each behaviour, test one end of a connection.
//!
//! The test plays every file `tcp/TOPIC/BEHAVIOUR.tcp` and `xtp/TOPIC/BEHAVIOUR.xtp`. Each segment
//! that the end sends, and its time to the picosecond, must be as in the script.
//! `docs/reference/tcp-scripts.md` describes the language, `docs/reference/xtp-scripts.md` its
//! differences for XTP; each page lists the scripts. `SCRIPT=new_reno` plays only the scripts whose
//! path contains `new_reno`; with `SHOW=1` it also prints what the tested end does.

mod line;
mod mistakes;
mod page;
mod parse;
mod play;
mod rules;
mod script;
mod segments;
mod xtp;

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use script::{Script, TestedProtocol};

/// The entries of a folder in the order of their names.
fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("the folder can be read");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}

/// Every script of a protocol, by its path `TOPIC/BEHAVIOUR.PROTOCOL` and with its text.
fn scripts_of(protocol: TestedProtocol) -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(protocol.name());
    let topics = entries(&folder);
    let files = topics.iter().flat_map(|topic| entries(topic));
    let read = |file: PathBuf| {
        let name = file.strip_prefix(&folder).unwrap().to_str().unwrap();
        (name.to_string(), fs::read_to_string(&file).unwrap())
    };
    files.map(read).collect()
}

/// Every script of every protocol.
fn scripts() -> Vec<(String, String)> {
    let protocols = TestedProtocol::ALL.into_iter();
    protocols.flat_map(scripts_of).collect()
}

/// The message about a mistake in a script, or about a failure of the tested end.
fn disagreement(name: &str, text: &str) -> Option<String> {
    let script: Script = match parse::parse(name, text) {
        Ok(script) => script,
        Err(error) => return Some(error.to_string()),
    };
    let failure = play::play(&script).err()?;
    let line = text.lines().nth(failure.line.saturating_sub(1));
    Some(format!(
        "{name}:{}: {}\n{failure}",
        failure.line,
        line.unwrap_or_default().trim()
    ))
}

#[test]
fn transports_behave_as_the_scripts_say() {
    let wanted = std::env::var("SCRIPT").unwrap_or_default();
    let scripts = scripts();
    let chosen = scripts.iter().filter(|(name, _)| name.contains(&wanted));
    if std::env::var_os("SHOW").is_some() {
        for (name, text) in chosen.clone() {
            let script = parse::parse(name, text).unwrap_or_else(|error| panic!("{error}"));
            // Not by a macro, whose output a test that passes keeps to itself.
            let shown = format!("\n{name}\n{}\n", play::show(&script).join("\n"));
            std::io::stdout()
                .write_all(shown.as_bytes())
                .expect("an output");
        }
    }
    let wrong: Vec<String> = chosen
        .filter_map(|(name, text)| disagreement(name, text))
        .collect();
    assert!(
        wrong.is_empty(),
        "\n{}\n\n{} scripts failed",
        wrong.join("\n\n"),
        wrong.len()
    );
}
