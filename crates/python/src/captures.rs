//! The places of captures.

use std::io;
use std::path::PathBuf;

use pyo3::exceptions::PyOSError;
use pyo3::{PyErr, pyclass, pymethods};
use scenario::capture::CaptureOptions;
use scenario::capture::files::Unwritten;
use scenario::document::folder;

/// The capture of a run: a file for each host and output, in a folder that exists.
#[pyclass(frozen, name = "Capture", module = "cellrelay._core")]
pub struct PyCapture {
    /// The folder.
    pub folder: PathBuf,
    /// Length of the captured part of packets, and origin of the files.
    pub options: CaptureOptions,
}

#[pymethods]
impl PyCapture {
    /// `origin` is written at the head of each file. `snaplen` is the number of octets to keep of
    /// each packet; without it, its headers are kept.
    #[new]
    #[pyo3(signature = (folder, origin = String::new(), snaplen = None))]
    fn new(folder: PathBuf, origin: String, snaplen: Option<u32>) -> PyCapture {
        let options = CaptureOptions { origin, snaplen };
        PyCapture { folder, options }
    }
}

/// The `OSError` for a file that could not be written, with number, reason and path.
pub fn unwritten(error: io::Error) -> PyErr {
    match error.downcast::<Unwritten>() {
        Ok(Unwritten { path, error }) => {
            PyOSError::new_err((error.raw_os_error(), folder::reason(&error), path))
        }
        Err(error) => error.into(),
    }
}
