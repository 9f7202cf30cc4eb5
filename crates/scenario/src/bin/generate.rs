//! Writes the files that are generated from the statement of the parameters; run it in the root of
//! the repository. With `--check` it writes nothing and lists the stale files.

use std::path::Path;
use std::process::ExitCode;
use std::{env, fs, io};

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let done = match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => write(),
        ["--check"] => return check(),
        _ => Err(io::Error::other("usage: generate [--check]")),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(2)
        }
    }
}

/// Writes the stale files.
fn write() -> io::Result<()> {
    for (path, text) in stale() {
        if let Some(folder) = Path::new(path).parent() {
            fs::create_dir_all(folder)?;
        }
        fs::write(path, text)?;
        println!("wrote {path}");
    }
    Ok(())
}

/// Fails if a file is stale.
fn check() -> ExitCode {
    let stale = stale();
    for (path, _) in &stale {
        eprintln!("{path} is stale: run `make generate`");
    }
    ExitCode::from(u8::from(!stale.is_empty()))
}

/// Files whose text differs from the generated text.
fn stale() -> Vec<(&'static str, String)> {
    let mut files = cellrelay_scenario::generate::files();
    files.retain(|(path, text)| fs::read_to_string(path).ok().as_ref() != Some(text));
    files
}
