//! The error of this crate.

use std::fmt::{self, Display, Formatter};
use std::io;
use std::path::PathBuf;

use scenario::ScenarioError;
use scenario::document::folder;

/// Every error of this crate; its text is the one that the command line prints.
///
/// A problem of a scenario has its path, its place in the file, and a hint:
///
/// ```
/// let error = cellrelay::Scenario::parse("duration = \"5 parsecs\"").unwrap_err();
/// let text = error.to_string();
/// let problem = "scenario:1:12: duration: `5 parsecs` is not a duration: unknown unit `parsecs`";
/// assert!(text.starts_with(problem), "{text}");
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// All mistakes of a scenario, in the order of the text.
    Scenario(ScenarioError),
    /// A file cannot be read.
    File {
        /// The file.
        path: PathBuf,
        /// Error of the operating system.
        error: io::Error,
    },
    /// A name or a text that the scenario, the run or its report does not have.
    Unknown {
        /// Description of the problem.
        problem: String,
        /// What to write instead.
        hint: String,
    },
    /// The caller cancelled the run.
    Cancelled,
}

impl Error {
    pub(crate) fn unknown((problem, hint): (String, String)) -> Error {
        Error::Unknown { problem, hint }
    }
}

impl Display for Error {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Error::Scenario(error) => write!(out, "{error}"),
            Error::File { path, error } => {
                let reason = folder::reason(error).to_lowercase();
                write!(out, "{}: {reason}", path.display())?;
                match error.kind() {
                    io::ErrorKind::NotFound => {
                        write!(out, "\n  hint: check the path, and that its folder exists")
                    }
                    _ => Ok(()),
                }
            }
            Error::Unknown { problem, hint } => write!(out, "{problem}\n  hint: {hint}"),
            Error::Cancelled => write!(out, "the run was cancelled"),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Error::Scenario(error) => Some(error),
            Error::File { error, .. } => Some(error),
            Error::Unknown { .. } | Error::Cancelled => None,
        }
    }
}

impl From<ScenarioError> for Error {
    fn from(error: ScenarioError) -> Error {
        Error::Scenario(error)
    }
}
