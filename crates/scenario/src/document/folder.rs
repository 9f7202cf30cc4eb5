//! The folder of a scenario, from which it may name files.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};

/// The content of a file that a scenario in `folder` names, of at most `most` octets.
///
/// # Errors
/// The reason why the file cannot be read.
pub fn read(folder: &Path, file: &str, most: usize) -> Result<Vec<u8>, String> {
    let path = within(folder, file)?;
    // Reading a pipe or a device might never end.
    if !fs::metadata(&path)
        .map_err(|error| reason(&error).to_lowercase())?
        .is_file()
    {
        return Err("it is no file".into());
    }
    let mut content = Vec::new();
    let limited = File::open(&path).map_err(|error| reason(&error).to_lowercase())?;
    let mut limited = limited.take(most as u64 + 1);
    limited
        .read_to_end(&mut content)
        .map_err(|error| reason(&error).to_lowercase())?;
    if content.len() > most {
        return Err(format!("it is larger than `{} MiB`", most >> 20));
    }
    Ok(content)
}

/// The path of a file that a scenario names, which must be inside its folder after links are
/// resolved. A scenario may come from a stranger, and messages quote files.
fn within(folder: &Path, file: &str) -> Result<PathBuf, String> {
    let file = Path::new(file);
    let outside = || "it is outside the folder of the scenario".to_string();
    let leads_down = |part| matches!(part, Component::Normal(_) | Component::CurDir);
    // The message does not reveal whether such a file exists.
    if !file.components().all(leads_down) {
        return Err(outside());
    }
    let folder = Path::new(".")
        .join(folder)
        .canonicalize()
        .map_err(|error| reason(&error).to_lowercase())?;
    let path = folder
        .join(file)
        .canonicalize()
        .map_err(|error| reason(&error).to_lowercase())?;
    path.starts_with(&folder)
        .then_some(path)
        .ok_or_else(outside)
}

/// The reason for an error, without the number that Rust adds to those of the operating system.
pub fn reason(error: &io::Error) -> String {
    let mut reason = error.to_string();
    if let Some(number) = error.raw_os_error() {
        let added = format!(" (os error {number})");
        reason.truncate(reason.strip_suffix(&added).map_or(reason.len(), str::len));
    }
    reason
}
