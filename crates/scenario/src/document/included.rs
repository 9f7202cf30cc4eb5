//! Files that a scenario names: traces, captures and tables of distributions.
//!
//! The content of each file is put into the scenario beside the name of the file, so a resolved
//! scenario is complete and needs no file, and its key covers the content.

use std::collections::BTreeMap;

use models::traffic::PacketFilter;
use models::traffic::pcap::CapturedLength;
use parameters::path::PathStep;
use parameters::{
    Field, FileContent, LineFormat, Parameter, Path, Problem, Problems, Shape, SourceId, Span,
    Value, ValueTable, Written,
};

use super::assign::entry_shape;
use super::replay::{self, LARGEST_CAPTURE};
use super::source::{LARGEST, Sources};

/// Reads a file by its name in the scenario, of at most so many octets, or returns the reason for its
/// failure.
pub type FileReader<'a> = &'a dyn Fn(&str, usize) -> Result<Vec<u8>, String>;

/// Refuses every file.
///
/// # Errors
/// Always.
pub fn nowhere(_name: &str, _most: usize) -> Result<Vec<u8>, String> {
    Err("the scenario has no folder to look in".into())
}

/// A file as a table uses it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Use {
    content: FileContent,
    file: String,
    /// What the source selects from the file, as it is written.
    selection: [Option<String>; 2],
}

/// Parameters that select from a file.
const SELECTION: [&str; 2] = ["filter", "length"];

impl Use {
    /// The use of the file that a parameter of a table names; none if it names no file, or if the
    /// table has the content already.
    fn by(parameter: &Field, table: &ValueTable) -> Option<Use> {
        let Shape::File(content) = parameter.shape else {
            return None;
        };
        if table.get("text").is_some() {
            return None;
        }
        Some(Use {
            content,
            file: table.get(parameter.name)?.value.text()?.to_string(),
            selection: SELECTION.map(|name| Some(table.get(name)?.value.to_string())),
        })
    }
}

/// The files read so far, as values of a scenario; for a file with problems the problems, which every
/// point of a sweep has that uses the file.
#[derive(Clone, Debug)]
pub struct Included {
    /// The shape of the scenario, whose parameters state which of them name files.
    shape: &'static Shape,
    read: BTreeMap<Use, Result<Value, Problems>>,
}

impl Included {
    /// No file has been read; scenarios have this shape.
    pub fn new(shape: &'static Shape) -> Included {
        Included {
            shape,
            read: BTreeMap::new(),
        }
    }

    /// Puts the contents of the files that `root` names into `root`, and reads files that have not
    /// been read.
    pub fn read(
        &mut self,
        root: &mut Written,
        open: FileReader<'_>,
        sources: &mut Sources,
        problems: &mut Problems,
    ) {
        for (at, wanted, source) in uses(root, self.shape) {
            let read = || {
                let mut found = Problems::default();
                let content = match wanted.content {
                    FileContent::Capture => capture(&at, &wanted.file, source, open, &mut found),
                    FileContent::Lines(format) => {
                        lines(&at, &wanted.file, format, open, sources, &mut found)
                    }
                };
                content.ok_or(found)
            };
            if let Err(found) = self.read.entry(wanted.clone()).or_insert_with(read) {
                problems.extend(found.clone());
            }
        }
        self.put(root);
    }

    /// Puts the contents of the files read so far into `root`.
    pub fn put(&self, root: &mut Written) {
        let found = uses(root, self.shape)
            .into_iter()
            .filter_map(|(at, wanted, _)| {
                let content = self.read.get(&wanted)?.clone().ok()?;
                Some((at, content))
            });
        let found: Vec<(Path, Value)> = found.collect();
        for (at, content) in found {
            let (_, table) = at.steps().split_last().expect("the name of a file");
            if let Some(Value::Table(table)) = within(root, table).map(|one| &mut one.value) {
                table.push_new("text", None, content.into());
            }
        }
    }
}

/// The value at a path of keys.
fn within<'a>(root: &'a mut Written, steps: &[PathStep]) -> Option<&'a mut Written> {
    steps
        .iter()
        .try_fold(root, |written, step| match (&mut written.value, step) {
            (Value::Table(table), PathStep::Key(name)) => table.get_mut(name),
            _ => None,
        })
}

/// The files to read, with the path of their name and the table that uses them.
fn uses<'a>(root: &'a Written, shape: &Shape) -> Vec<(Path, Use, &'a Written)> {
    let mut found = Vec::new();
    add_uses(root, shape, &Path::root(), &mut found);
    found
}

/// Adds the files that the tables within `written` name.
fn add_uses<'a>(
    written: &'a Written,
    shape: &Shape,
    at: &Path,
    found: &mut Vec<(Path, Use, &'a Written)>,
) {
    let Some(table) = written.value.table() else {
        return;
    };
    if let Shape::Record(record) = shape {
        for parameter in &record.fields {
            if let Some(wanted) = Use::by(parameter, table) {
                found.push((at.key(parameter.name), wanted, written));
            }
        }
    }
    for entry in table {
        if let Some(shape) = entry_shape(shape, &entry.name) {
            add_uses(&entry.written, shape, &at.key(&entry.name), found);
        }
    }
}

/// The content of a text file, in its normal form, unless it has problems.
fn lines(
    at: &Path,
    name: &str,
    format: LineFormat,
    open: FileReader<'_>,
    sources: &mut Sources,
    problems: &mut Problems,
) -> Option<Value> {
    let text = open(name, LARGEST)
        .and_then(|text| String::from_utf8(text).map_err(|_| "it is not UTF-8 text".into()));
    let text = match text {
        Ok(text) => text,
        Err(reason) => {
            problems.add(unreadable(at, name, &reason, "a text file"));
            return None;
        }
    };
    match (format.normalise)(&text) {
        Ok(content) => Some(content),
        Err(bad) => {
            let source: SourceId = sources.add(name, &text);
            for bad in bad {
                let place = Span {
                    source,
                    start: bad.start,
                    end: bad.start + 1,
                };
                problems.add(Problem::new(at, Some(place), bad.problem).hint(bad.hint));
            }
            None
        }
    }
}

/// The packets that a source selects from a capture, as a trace, unless it has problems.
fn capture(
    at: &Path,
    name: &str,
    source: &Written,
    open: FileReader<'_>,
    problems: &mut Problems,
) -> Option<Value> {
    // A selection that cannot be read is reported with the scenario.
    let mut unread = Problems::default();
    let [filter, length] = SELECTION.map(|name| source.value.table()?.get(name));
    let filter = match filter {
        Some(filter) => Some(PacketFilter::read(filter, at, &mut unread)?),
        None => None,
    };
    let length = match length {
        Some(length) => CapturedLength::read(length, at, &mut unread)?,
        None => CapturedLength::default(),
    };
    let content = match open(name, LARGEST_CAPTURE) {
        Ok(content) => content,
        Err(reason) => {
            problems.add(unreadable(at, name, &reason, "a capture"));
            return None;
        }
    };
    match replay::messages(&content, filter.as_ref(), length) {
        Ok(writes) => Some(writes.write()),
        Err(refusal) => {
            let name = Value::from(name).quoted();
            let problem = format!("{name} cannot be replayed: {}", refusal.problem);
            problems.add(Problem::new(at, None, problem).hint(refusal.hint));
            None
        }
    }
}

/// The problem of a file that cannot be read.
fn unreadable(at: &Path, name: &str, reason: &str, what: &str) -> Problem {
    let problem = format!("{} cannot be read: {reason}", Value::from(name).quoted());
    let hint =
        format!("write the path of {what} in the folder of the scenario, relative to that folder");
    Problem::new(at, None, problem).hint(hint)
}

#[cfg(test)]
mod tests {
    use crate::Scenario;
    use crate::scenario::Surroundings;

    const SCENARIO: &str = r#"
duration = "1 s"
[host.a]
[host.b]
[link.ab]
between = ["a", "b"]
rate = "10 Mbit/s"
[flow.video]
from = "a"
to = "b"
source.trace = { file = "frames.txt" }
transport.datagram = {}
over.packet = {}
"#;

    fn read(text: &str) -> Result<Scenario, String> {
        let open = |name: &str, _most| match name {
            "frames.txt" => Ok(b"0 1000\n0.04 500\n".to_vec()),
            "other.txt" => Ok(b"0 7\n".to_vec()),
            "sizes.txt" => Ok(b"100 0\n1000 1\n".to_vec()),
            "bad.txt" => Ok(b"0 1000\nframe 500\n".to_vec()),
            _ => Err("no such file".to_string()),
        };
        let surroundings = Surroundings {
            open: &open,
            ..Surroundings::default()
        };
        Scenario::read_bytes(text.as_bytes(), "x.toml", &surroundings)
            .map_err(|error| error.to_string())
    }

    #[test]
    fn a_resolved_scenario_says_what_was_in_the_file() {
        let scenario = read(SCENARIO).expect("no mistakes");
        let resolved = scenario.resolved();
        assert!(resolved.contains("0.04 500"), "{resolved}");
        let again = Scenario::read(&resolved, "again", &[]).expect("it needs no file");
        assert_eq!(again.resolved(), resolved);
    }

    #[test]
    fn files_may_vary_along_a_sweep() {
        let sweep = "[sweep]\n\"flow.video.source.trace.file\" = [\"frames.txt\", \"other.txt\"]\n";
        let scenario = read(&format!("{SCENARIO}{sweep}")).expect("no mistakes");
        assert!(scenario.point(0).resolved().contains("0.04 500"));
        assert!(scenario.point(1).resolved().contains("0 7"));
    }

    #[test]
    fn files_are_found_within_the_tables_of_a_source() {
        let connections = |arrivals: &str| {
            let text = SCENARIO
                .replace("source.trace = { file = \"frames.txt\" }", arrivals)
                .replace("transport.datagram", "transport.tcp");
            read(&text).expect("no mistakes").resolved()
        };
        let traced = "source.connections.arrivals.trace = { file = \"frames.txt\" }";
        assert!(connections(traced).contains("0.04 500"));
        let sized = "source.connections.arrivals.poisson.load = \"10 %\"\n\
                     source.connections.size.empirical.file = \"sizes.txt\"";
        assert!(connections(sized).contains("1000 1"));
    }

    #[test]
    fn problems_are_reported_with_their_file_and_line() {
        let error = |name| read(&SCENARIO.replace("frames.txt", name)).expect_err("a mistake");
        assert_eq!(
            error("bad.txt"),
            "bad.txt:2:1: flow.video.source.trace.file: `frame` is not a time in seconds\n  hint: \
             write a time in seconds and a length in octets, for example `0.04 1500`"
        );
        assert_eq!(
            error("none.txt"),
            "x.toml:11:25: flow.video.source.trace.file: `none.txt` cannot be read: no such \
             file\n  \
             hint: write the path of a text file in the folder of the scenario, relative to that folder"
        );
    }

    #[test]
    fn a_capture_that_cannot_be_read_is_a_problem_of_its_name() {
        let replays = SCENARIO.replace(
            "trace = { file = \"frames.txt\"",
            "pcap = { file = \"a.pcapng\"",
        );
        assert_eq!(
            read(&replays).expect_err("a mistake"),
            "x.toml:11:24: flow.video.source.pcap.file: `a.pcapng` cannot be read: no such file\n  \
             hint: write the path of a capture in the folder of the scenario, relative to that folder"
        );
    }
}
