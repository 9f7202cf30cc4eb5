//! Lines of text files that a scenario names, with their mistakes. The format is ours: two columns
//! between white space, commas or semicolons, and text after a `#` is ignored.

use std::any;
use std::marker::PhantomData;

use parameters::{
    BadLine, FileContent, LineFormat, Parameter, Path, Problem, Problems, Shape, Value, Written,
    read_text,
};

/// Content of a text file.
pub trait FileLines: Parameter {
    /// The content of a text.
    ///
    /// # Errors
    /// All lines with a mistake.
    fn parse(text: &str) -> Result<Self, Vec<BadLine>>;
}

/// Path of a text file that holds a `T`, relative to the folder of the scenario and inside it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextFile<T>(pub String, PhantomData<T>);

impl<T: FileLines> Parameter for TextFile<T> {
    fn shape() -> Shape {
        Shape::File(FileContent::Lines(LineFormat {
            name: any::type_name::<T>(),
            normalise: |text| T::parse(text).map(|content| content.write()),
        }))
    }

    fn read(written: &Written, at: &Path, problems: &mut Problems) -> Option<TextFile<T>> {
        let path = String::read(written, at, problems)?;
        Some(TextFile(path, PhantomData))
    }

    fn write(&self) -> Value {
        self.0.write()
    }
}

/// The problem of a line, and a hint.
pub type Wrong = (String, String);

/// The rows of a text, in order; `row` reads the two columns of a line after the rows before it.
///
/// # Errors
/// All lines with a mistake; `hint` is for lines that have not two columns.
pub fn rows<R>(
    text: &str,
    hint: &str,
    row: impl Fn([&str; 2], &[R]) -> Result<R, Wrong>,
) -> Result<Vec<R>, Vec<BadLine>> {
    let mut rows = Vec::new();
    let mut bad = Vec::new();
    let mut start = 0;
    for (index, line) in text.split('\n').enumerate() {
        let read = columns(line, hint)
            .and_then(|columns| columns.map(|columns| row(columns, &rows)).transpose());
        match read {
            Ok(row) => rows.extend(row),
            Err((problem, hint)) => bad.push(BadLine {
                line: index + 1,
                start: start + (line.len() - line.trim_start().len()),
                problem,
                hint,
            }),
        }
        start += line.len() + 1;
    }
    if bad.is_empty() { Ok(rows) } else { Err(bad) }
}

/// Reads the content of such a file from a parameter; `example` is a valid text.
pub fn read_lines<T: FileLines>(
    written: &Written,
    at: &Path,
    problems: &mut Problems,
    example: &str,
) -> Option<T> {
    let is_valid = |text: &str| T::parse(text).is_ok();
    let text = read_text(written, at, problems, is_valid, example)?;
    let bad = match T::parse(&text) {
        Ok(content) => return Some(content),
        Err(bad) => bad,
    };
    for BadLine {
        line,
        problem,
        hint,
        ..
    } in bad
    {
        let problem = format!("line {line}: {problem}");
        problems.add(Problem::new(at, written.place, problem).hint(hint));
    }
    None
}

/// The two columns of a line; none if the line is empty.
fn columns<'a>(line: &'a str, hint: &str) -> Result<Option<[&'a str; 2]>, Wrong> {
    let content = line.split('#').next().unwrap_or_default();
    let between = |one: char| one.is_whitespace() || one == ',' || one == ';';
    let mut columns = content.split(between).filter(|column| !column.is_empty());
    match (columns.next(), columns.next(), columns.next()) {
        (None, ..) => Ok(None),
        (Some(one), Some(other), None) => Ok(Some([one, other])),
        _ => Err((
            format!(
                "{} is not two numbers",
                Value::from(content.trim()).quoted()
            ),
            hint.into(),
        )),
    }
}
