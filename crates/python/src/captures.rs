//! Where captures go.

use std::io;
use std::path::PathBuf;

use pyo3::exceptions::PyOSError;
use pyo3::{PyErr, pyclass, pymethods};
use scenario::capture::CaptureOptions;
use scenario::capture::files::Unwritten;

/// Where the packets of a run go: a folder that exists, with a file for each point at which packets
/// pass.
#[pyclass(frozen, module = "cellrelay._core")]
pub struct Capture {
    /// The folder.
    pub folder: PathBuf,
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
