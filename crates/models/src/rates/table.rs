//! Changes of the rate of a link from a text: a line for each change, with a time in seconds and a
//! rate in bit/s. The format is ours: two columns, as in a table of comma-separated values.

use std::fmt::Write as _;
use std::sync::Arc;

use kernel::{Duration, Rate};
use parameters::{
    BadLine, Conflict, Parameter, Path, Problems, RateOrZero, Shape, Value, Written, parameters,
};

use super::{Change, Schedule, mistake};
use crate::traffic::{FileLines, TextFile, Wrong, read_lines, rows};

/// Hint for a line that cannot be read.
const LINE: &str = "write a time in seconds and a rate in bit/s, for example `0.5, 20000000`";

/// Largest time of a change, in seconds: 1000 hours.
const LATEST: f64 = 3.6e6;

/// Largest rate, in bit/s, which is that of links.
const FASTEST: f64 = 1e13;

parameters! {
    /// Changes of the rate from a table, with a line for each change.
    #[check(check)]
    pub struct TableRateChanges {
        /// Path of a file with a line for each change: its time in seconds and the rate in bit/s;
        /// relative to the folder of the scenario and inside it.
        pub file: Option<TextFile<RateTable>>,
        /// Text of the table; if given, the file is not read.
        pub text: Option<RateTable>,
        /// Time after which the table begins again, counted from the start of the run; if not
        /// given, the last rate stays.
        #[range("1 ns", "1000 h")]
        pub repeat: Option<Duration>,
    }
}

impl TableRateChanges {
    /// The changes of a link with the rate `first` before them.
    pub fn build(&self, first: &Rate) -> Schedule {
        Schedule::new(*first, self.changes().to_vec(), self.repeat)
    }

    fn changes(&self) -> &[Change] {
        self.text.as_ref().map_or(&[], |table| &table.0)
    }

    fn check(&self) -> Option<Conflict> {
        if self.file.is_none() && self.text.is_none() {
            return Some(Conflict {
                name: "file",
                problem: "the table is missing".to_string(),
                hint: "write for example `file = \"rates.csv\"`".to_string(),
            });
        }
        let text = if self.file.is_some() { "file" } else { "text" };
        mistake(self.changes(), self.repeat, text)
    }
}

/// Changes of a rate, in order of time, which all links of a group share.
#[derive(Clone, Debug, PartialEq)]
pub struct RateTable(Arc<[Change]>);

impl FileLines for RateTable {
    fn parse(text: &str) -> Result<RateTable, Vec<BadLine>> {
        let changes = rows(text, LINE, |columns, rows| change(columns, rows.last()))?;
        if changes.is_empty() {
            return Err(vec![BadLine {
                line: 1,
                start: 0,
                problem: "the table is empty".to_string(),
                hint: LINE.to_string(),
            }]);
        }
        Ok(RateTable(changes.into()))
    }
}

/// The change of a line, which must come after the change `before`.
fn change([at, rate]: [&str; 2], before: Option<&Change>) -> Result<Change, Wrong> {
    let quoted = |text: &str| Value::from(text).quoted();
    let number = |text: &str, most: f64, what: &str| {
        let number = text.parse::<f64>().ok();
        let number = number.filter(|number| (0.0..=most).contains(number));
        number.ok_or_else(|| {
            (
                format!("{} is not {what} from 0 to {most}", quoted(text)),
                LINE.to_string(),
            )
        })
    };
    let at = Duration::from_seconds_f64(number(at, LATEST, "a time in seconds")?);
    let rate = number(rate, FASTEST, "a rate in bit/s")?;
    if before.is_some_and(|(before, _)| at <= *before) {
        let problem = "the time is not after that of the line above".to_string();
        return Err((problem, "sort the lines by time, one for each time".into()));
    }
    Ok((at, RateOrZero(rate.round() as u64)))
}

impl Parameter for RateTable {
    fn shape() -> Shape {
        Shape::Text
    }

    fn read(written: &Written, at: &Path, problems: &mut Problems) -> Option<RateTable> {
        read_lines(written, at, problems, "0.5, 20000000")
    }

    fn write(&self) -> Value {
        let mut text = String::new();
        for (at, rate) in self.0.iter() {
            writeln!(text, "{}, {}", at.seconds(), rate.0).expect("a string can be written to");
        }
        Value::Text(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_is_read_and_written_in_seconds_and_bits_per_second() {
        let text = "# time, rate\n0, 20e6\n0.25,0\n1.5 5000000 # radio\n";
        let table = RateTable::parse(text).expect("a table");
        let ms = Duration::from_ms;
        let rates = [20_000_000, 0, 5_000_000].map(RateOrZero);
        assert_eq!(
            table.0[..],
            [(ms(0), rates[0]), (ms(250), rates[1]), (ms(1500), rates[2])]
        );
        let Value::Text(written) = table.write() else {
            panic!("a text");
        };
        assert_eq!(RateTable::parse(&written), Ok(table));
    }

    #[test]
    fn lines_are_refused_that_fall_or_are_no_rates() {
        let problems = |text| {
            let bad = RateTable::parse(text).expect_err("a mistake");
            let lines: Vec<usize> = bad.iter().map(|line| line.line).collect();
            lines
        };
        assert_eq!(problems("1, 5\n1, 6\n"), [2]);
        assert_eq!(
            problems("2, 5\n1, 6\n3, -1\n4, 2e13\nx, 1\n5, 1\n"),
            [2, 3, 4, 5]
        );
        assert_eq!(problems(""), [1]);
    }
}
