//! Lines of text files that a scenario names, with their mistakes. The format is ours: two columns
//! between white space, commas or semicolons, and text after a `#` is ignored.

use parameters::{Parameter, Path, Problem, Problems, Value, Written};

/// A line of a file with a mistake.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadLine {
    /// Line number, from one.
    pub line: usize,
    /// Offset of the first wrong byte of the text.
    pub start: usize,
    /// Description of the problem.
    pub problem: String,
    /// What to write instead.
    pub hint: String,
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

/// A parameter whose text is the lines of such a file; `parse` reads the text.
pub fn read_lines<T>(
    written: &Written,
    at: &Path,
    problems: &mut Problems,
    parse: impl Fn(&str) -> Result<T, Vec<BadLine>>,
) -> Option<T> {
    let text = String::read(written, at, problems)?;
    let bad = match parse(&text) {
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
