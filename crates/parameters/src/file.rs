//! Files that a scenario names: the contents of each, which its parameter states.

use std::cmp::Ordering;

use crate::value::Value;

/// The content of a file whose name is the value of a parameter. A parameter `text` beside it takes
/// the content.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FileContent {
    /// Lines of text.
    Lines(LineFormat),
    /// Captured packets.
    Capture,
}

/// A format of lines.
#[derive(Clone, Copy, Debug)]
pub struct LineFormat {
    /// Name of the format, by which formats are compared.
    pub name: &'static str,
    /// Brings a text into the normal form, or returns all lines with a mistake.
    pub normalise: fn(&str) -> Result<Value, Vec<BadLine>>,
}

impl PartialEq for LineFormat {
    fn eq(&self, other: &LineFormat) -> bool {
        self.name == other.name
    }
}

impl Eq for LineFormat {}

impl PartialOrd for LineFormat {
    fn partial_cmp(&self, other: &LineFormat) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for LineFormat {
    fn cmp(&self, other: &LineFormat) -> Ordering {
        self.name.cmp(other.name)
    }
}

/// A line of a file with a mistake.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadLine {
    /// Line number, from one.
    pub line: usize,
    /// Offset of the first wrong byte of the text.
    pub start: usize,
    /// Description of the problem.
    pub problem: String,
    /// Advice how to mend the line.
    pub hint: String,
}
