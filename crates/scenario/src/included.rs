//! Files that a scenario names: traces, and tables of distributions.
//!
//! The content of each file is put into the scenario beside the name of the file, so a resolved
//! scenario is complete and needs no file.

use std::collections::BTreeMap;

use models::traffic::length::empirical::Cumulative;
use models::traffic::trace::Writes;
use parameters::path::PathStep;
use parameters::{Parameter, Path, Problem, Problems, SourceId, Span, Value, Written};

use crate::source::Sources;

/// Reads a file by its name in the scenario, or returns the reason for its failure.
pub type Open<'a> = &'a dyn Fn(&str) -> Result<String, String>;

/// Refuses every file.
///
/// # Errors
/// Always.
pub fn nowhere(_name: &str) -> Result<String, String> {
    Err("the scenario has no folder to look in".into())
}

/// Name of the tables of a source that name a trace.
const TRACE: &str = "trace";

/// Name of the tables of a source that name a table of a distribution.
const TABLE: &str = "empirical";

/// The files read so far, as values of a scenario; none for a file with problems. A file may be
/// both a trace and a table.
#[derive(Clone, Debug, Default)]
pub struct Included(BTreeMap<(String, bool), Option<Value>>);

impl Included {
    /// Puts the contents of the files that `root` names into `root`, and reads files that have not
    /// been read.
    pub fn read(
        &mut self,
        root: &mut Written,
        open: Open<'_>,
        sources: &mut Sources,
        problems: &mut Problems,
    ) {
        for (path, name) in named(root) {
            let read = || content(&path, &name, open, sources, problems);
            self.0.entry(key(&path, &name)).or_insert_with(read);
        }
        self.put(root);
    }

    /// Puts the contents of the files read so far into `root`.
    pub fn put(&self, root: &mut Written) {
        for (path, name) in named(root) {
            let Some(Some(content)) = self.0.get(&key(&path, &name)) else {
                continue;
            };
            let table = within(root, &path.steps()[..path.steps().len() - 1]);
            if let Some(Value::Table(table)) = table.map(|written| &mut written.value) {
                table.push_new("text", None, content.clone().into());
            }
        }
    }
}

/// A file by its name, and whether it is a table.
fn key(path: &Path, name: &str) -> (String, bool) {
    (name.to_string(), is_table(path))
}

/// True if the path of a file is that of a table of a distribution, false for a trace.
fn is_table(path: &Path) -> bool {
    let steps = path.steps().iter().rev();
    steps
        .take(2)
        .any(|step| matches!(step, PathStep::Key(name) if name == TABLE))
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

/// Paths and names of the files to read.
fn named(root: &Written) -> Vec<(Path, String)> {
    let mut named = Vec::new();
    let at = Path::root().key("flow");
    let flows = at.find_in(root).and_then(|flows| flows.value.table());
    for flow in flows.iter().flat_map(|flows| flows.names()) {
        let at = at.key(flow).key("source");
        if let Some(source) = at.find_in(root) {
            named_within(source, &at, &mut named);
        }
    }
    named
}

/// Adds the files that the tables of a source name, unless their text stands beside.
fn named_within(written: &Written, at: &Path, named: &mut Vec<(Path, String)>) {
    let Value::Table(table) = &written.value else {
        return;
    };
    for entry in table {
        let at = at.key(&entry.name);
        let inner = entry.written.value.table();
        if let Some(inner) = inner.filter(|_| [TRACE, TABLE].contains(&&*entry.name))
            && inner.get("text").is_none()
            && let Some(name) = inner.get("file").and_then(|file| file.value.text())
        {
            named.push((at.key("file"), name.to_string()));
        }
        named_within(&entry.written, &at, named);
    }
}

/// The content of a file, in its normalised form, unless it has problems.
fn content(
    at: &Path,
    name: &str,
    open: Open<'_>,
    sources: &mut Sources,
    problems: &mut Problems,
) -> Option<Value> {
    let text = match open(name) {
        Ok(text) => text,
        Err(reason) => {
            let problem = format!("{} cannot be read: {reason}", Value::from(name).quoted());
            let hint = "write the path of a text file in the folder of the scenario, relative to \
                        that folder";
            problems.add(Problem::new(at, None, problem).hint(hint));
            return None;
        }
    };
    let parsed = if is_table(at) {
        Cumulative::parse(&text).map(|table| table.write())
    } else {
        Writes::parse(&text).map(|writes| writes.write())
    };
    match parsed {
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
        let open = |name: &str| match name {
            "frames.txt" => Ok("0 1000\n0.04 500\n".to_string()),
            "other.txt" => Ok("0 7\n".to_string()),
            "sizes.txt" => Ok("100 0\n1000 1\n".to_string()),
            "bad.txt" => Ok("0 1000\nframe 500\n".to_string()),
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
}
