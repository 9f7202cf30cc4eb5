//! The texts of a scenario, and places in them.

use parameters::printable::{printable, shortened};
use parameters::{Path, Place, Problem, SourceId};

use crate::error::ScenarioError;

/// Largest file in bytes: a scenario is written by people, or by a program for one run.
pub const LARGEST: usize = 4 << 20;

/// Largest length of a file name in messages, in characters: no path that can be opened is longer.
const LONGEST_NAME: usize = 4096;

/// A file, or an option of the command line.
#[derive(Clone, Debug)]
pub struct Source {
    /// Name in messages.
    pub name: String,
    /// Text of the source.
    pub text: String,
}

/// All texts of one scenario.
#[derive(Clone, Debug, Default)]
pub struct Sources(Vec<Source>);

/// A place in lines and columns: both count from one, columns in characters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Location {
    /// Name of the source.
    pub file: String,
    /// Line.
    pub line: usize,
    /// Column.
    pub column: usize,
}

impl Sources {
    /// Adds a text.
    ///
    /// # Panics
    /// If there are more texts than a command line can have.
    pub fn add(&mut self, name: &str, text: &str) -> SourceId {
        let id = u16::try_from(self.0.len()).expect("a scenario has a few sources");
        self.0.push(Source {
            name: name.to_string(),
            text: text.to_string(),
        });
        SourceId(id)
    }

    /// The line and column of `place`.
    pub fn location(&self, place: Place) -> Location {
        let source = &self.0[usize::from(place.source.0)];
        let mut start = place.start.min(source.text.len());
        while !source.text.is_char_boundary(start) {
            start -= 1;
        }
        let before = &source.text[..start];
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        Location {
            file: shortened(&printable(&source.name), LONGEST_NAME).into_owned(),
            line: 1 + before.matches('\n').count(),
            column: 1 + before[line_start..].chars().count(),
        }
    }
}

/// The text in `bytes`, with `name` in messages.
///
/// # Errors
/// If there are too many bytes, or they are not UTF-8.
pub fn decode<'a>(bytes: &'a [u8], name: &str) -> Result<&'a str, ScenarioError> {
    let refuse = |problem: Problem, readable: &[u8]| {
        let mut sources = Sources::default();
        sources.add(name, &String::from_utf8_lossy(readable));
        ScenarioError::new(problem.into(), &sources)
    };
    if let Some(problem) = too_large(bytes.len()) {
        return Err(refuse(problem, b""));
    }
    std::str::from_utf8(bytes).map_err(|error| {
        let start = error.valid_up_to();
        let place = Place {
            source: SourceId(0),
            start,
            end: start + 1,
        };
        let problem = format!("byte 0x{:02x} is not UTF-8", bytes[start]);
        let problem = Problem::new(&Path::root(), Some(place), problem);
        refuse(
            problem.hint("save the file in the encoding UTF-8"),
            &bytes[..start],
        )
    })
}

/// The problem of a text of `size` bytes, if it is too large.
pub fn too_large(size: usize) -> Option<Problem> {
    let place = Place {
        source: SourceId(0),
        start: 0,
        end: 0,
    };
    let most = LARGEST >> 20;
    let problem = format!("the file has {size} bytes, and at most `{most} MiB` are allowed");
    let hint = "check that the file is a scenario; build a large network in Python, for each run \
                only its part";
    (size > LARGEST).then(|| Problem::new(&Path::root(), Some(place), problem).hint(hint))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_characters_and_both_count_from_one() {
        let mut sources = Sources::default();
        let source = sources.add("x.toml", "a = 1\n\u{b5}s = \"\u{3bc}\" # end\n");
        let locate = |start| {
            let location = sources.location(Place {
                source,
                start,
                end: start,
            });
            (location.line, location.column)
        };
        assert_eq!(locate(0), (1, 1));
        assert_eq!(locate(6), (2, 1));
        assert_eq!(locate(8), (2, 2));
        assert_eq!(locate(7), (2, 1));
        assert_eq!(locate(9999), (3, 1));
    }

    #[test]
    fn bytes_that_are_no_text_are_located() {
        assert_eq!(
            decode(b"ab\nx\xffcd", "x.toml").unwrap_err().to_string(),
            "x.toml:2:2: byte 0xff is not UTF-8\n  hint: save the file in the encoding UTF-8"
        );
    }

    #[test]
    fn what_is_too_large_is_not_looked_at() {
        assert!(too_large(LARGEST).is_none());
        let error = decode(&vec![0xff; LARGEST + 1], "x.toml").unwrap_err();
        assert!(
            error
                .to_string()
                .starts_with("x.toml:1:1: the file has 4194305 bytes")
        );
    }
}
