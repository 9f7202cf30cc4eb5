//! The texts of a scenario, and places in them.

use parameters::printable::{printable, shortened};
use parameters::{Path, Problem, SourceId, Span};

/// Largest size in octets of a scenario file, and of each text that a scenario names.
pub const LARGEST: usize = 4 << 20;

/// The byte order mark, which some editors put before the text.
const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// Largest length of a file name in messages, in characters: no path that can be opened is longer.
const LONGEST_NAME: usize = 4096;

/// A file, or an option of the command line.
#[derive(Clone, Debug)]
pub struct SourceText {
    /// Name in messages.
    pub name: String,
    /// Text of the source.
    pub text: String,
}

/// All texts of one scenario.
#[derive(Clone, Debug, Default)]
pub struct Sources(Vec<SourceText>);

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
        self.0.push(SourceText {
            name: name.to_string(),
            text: text.to_string(),
        });
        SourceId(id)
    }

    /// The line and column of `place`.
    pub fn location(&self, place: Span) -> Location {
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

/// The text of a scenario file, without the byte order mark that it may begin with.
///
/// # Errors
/// The file is too large, or is not UTF-8.
pub fn decode(bytes: &[u8]) -> Result<&str, Problem> {
    if let Some(problem) = too_large(bytes.len()) {
        return Err(problem);
    }
    let bytes = bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(bytes);
    std::str::from_utf8(bytes).map_err(|error| {
        let start = error.valid_up_to();
        let problem = format!("byte 0x{:02x} is not UTF-8 text", bytes[start]);
        let problem = Problem::new(&Path::root(), Some(first(start, start + 1)), problem);
        problem.hint("a scenario is a TOML file, in the encoding UTF-8")
    })
}

/// The part of a file that messages can show: its text up to the first octet that is not UTF-8.
pub fn readable(bytes: &[u8]) -> &str {
    let bytes = bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(bytes);
    bytes.utf8_chunks().next().map_or("", |chunk| chunk.valid())
}

/// The problem of a text of `size` octets, if it is longer than [`LARGEST`].
pub fn too_large(size: usize) -> Option<Problem> {
    let problem = format!("larger than `{} MiB`", LARGEST >> 20);
    (size > LARGEST).then(|| {
        let problem = Problem::new(&Path::root(), Some(first(0, 0)), problem);
        problem.hint("name a scenario file, in TOML")
    })
}

/// A span of the first source.
fn first(start: usize, end: usize) -> Span {
    Span {
        source: SourceId(0),
        start,
        end,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_characters_and_both_count_from_one() {
        let mut sources = Sources::default();
        let source = sources.add("x.toml", "a = 1\n\u{b5}s = \"\u{3bc}\" # end\n");
        let locate = |start| {
            let location = sources.location(Span {
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
        let problem = decode(b"ab\nx\xffcd").unwrap_err();
        assert_eq!(problem.problem, "byte 0xff is not UTF-8 text");
        assert_eq!(problem.place.map(|place| place.start), Some(4));
        assert_eq!(readable(b"ab\nx\xffcd"), "ab\nx");
        assert_eq!(decode(b"\xef\xbb\xbfa = 1"), Ok("a = 1"));
    }

    #[test]
    fn what_is_too_large_is_not_looked_at() {
        assert!(too_large(LARGEST).is_none());
        let problem = decode(&vec![0xff; LARGEST + 1]).unwrap_err();
        assert_eq!(problem.problem, "larger than `4 MiB`");
    }
}
