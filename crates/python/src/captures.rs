//! Captures, written into a folder while a run goes on.

use std::collections::BTreeSet;
use std::error::Error;
use std::fmt;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use pyo3::exceptions::PyOSError;
use pyo3::{PyErr, pyclass, pymethods};
use scenario::capture::{Append, CaptureOptions};

/// Where the packets of a run go: a folder that exists, with a file for each point at which packets
/// pass.
#[pyclass(frozen, module = "cellrelay._core")]
pub struct Capture {
    folder: PathBuf,
    /// What is captured.
    pub options: CaptureOptions,
}

#[pymethods]
impl Capture {
    /// `origin` stands at the head of each file, and `snaplen` octets of each packet are kept, or
    /// its headers.
    #[new]
    #[pyo3(signature = (folder, origin = String::new(), snaplen = None))]
    fn new(folder: PathBuf, origin: String, snaplen: Option<u32>) -> Capture {
        let options = CaptureOptions { origin, snaplen };
        Capture { folder, options }
    }
}

impl Capture {
    /// Appends to files of the folder; what they held before is forgotten.
    ///
    /// No file stays open, since a network may have more points than a process may have files.
    pub fn append(&self) -> Append<'_> {
        let mut begun = BTreeSet::new();
        Box::new(move |name, octets| {
            let path = self.folder.join(name);
            let is_new = begun.insert(name.to_string());
            write(&path, is_new, octets)
                .map_err(|error| io::Error::new(error.kind(), Unwritten { path, error }))
        })
    }
}

fn write(path: &Path, is_new: bool, octets: &[u8]) -> io::Result<()> {
    let mut file = if is_new {
        File::create(path)?
    } else {
        OpenOptions::new().append(true).open(path)?
    };
    file.write_all(octets)
}

/// A file that could not be written, and why.
#[derive(Debug)]
struct Unwritten {
    path: PathBuf,
    error: io::Error,
}

impl fmt::Display for Unwritten {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}: {}", self.path.display(), self.error)
    }
}

impl Error for Unwritten {}

/// The exception for what could not be written, with number, reason and file as Python has them.
pub fn unwritten(error: io::Error) -> PyErr {
    match error.downcast::<Unwritten>() {
        Ok(Unwritten { path, error }) => {
            let reason = error.to_string();
            let reason = reason.split(" (os error").next().unwrap_or_default();
            PyOSError::new_err((error.raw_os_error(), reason.to_string(), path))
        }
        Err(error) => error.into(),
    }
}
