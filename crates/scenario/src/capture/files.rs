//! Captures as files of a folder.

use std::collections::BTreeSet;
use std::error::Error;
use std::fmt;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::Append;

/// Appends to the files of an existing folder; their earlier contents are overwritten.
///
/// No file stays open, since a network may have more points than a process may have files. An error
/// holds an [`Unwritten`].
pub fn into_folder(folder: &Path) -> Append<'_> {
    let mut begun = BTreeSet::new();
    Box::new(move |name, octets| {
        let path = folder.join(name);
        let is_new = begun.insert(name.to_string());
        write(&path, is_new, octets)
            .map_err(|error| io::Error::new(error.kind(), Unwritten { path, error }))
    })
}

fn write(path: &Path, is_new: bool, octets: &[u8]) -> io::Result<()> {
    let mut file = if is_new {
        File::create(path)?
    } else {
        OpenOptions::new().append(true).open(path)?
    };
    file.write_all(octets)
}

/// A file that could not be written, and the error.
#[derive(Debug)]
pub struct Unwritten {
    /// The file.
    pub path: PathBuf,
    /// Error of the operating system.
    pub error: io::Error,
}

impl fmt::Display for Unwritten {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}: {}", self.path.display(), self.error)
    }
}

impl Error for Unwritten {}
