//! Files that a scenario names: traces.
//!
//! The content of each file is put into the scenario beside the name of the file, so a resolved
//! scenario is complete and needs no file.

use std::collections::BTreeMap;

use models::traffic::trace::Writes;
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

/// The files read so far, as values of a scenario; `None` for a file with problems.
#[derive(Clone, Debug, Default)]
pub struct Included(BTreeMap<String, Option<Value>>);

impl Included {
    /// Puts the contents of the traces that `root` names into `root`, and reads files that have not
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
            self.0.entry(name.clone()).or_insert_with(read);
        }
        self.put(root);
    }

    /// Puts the contents of the files read so far into `root`.
    pub fn put(&self, root: &mut Written) {
        for trace in traces(root) {
            let Value::Table(table) = &mut trace.value else {
                continue;
            };
            let name = table.get("file").and_then(|file| file.value.text());
            let content = name.and_then(|name| self.0.get(name));
            if let Some(Some(content)) = content
                && table.get("text").is_none()
            {
                let content = content.clone();
                table.push_new("text", None, content.into());
            }
        }
    }
}

/// The traces of all flows.
fn traces(root: &mut Written) -> Vec<&mut Written> {
    fn within<'a>(written: &'a mut Written, name: &str) -> Option<&'a mut Written> {
        match &mut written.value {
            Value::Table(table) => table.get_mut(name),
            _ => None,
        }
    }
    let Some(Value::Table(flows)) = within(root, "flow").map(|flows| &mut flows.value) else {
        return Vec::new();
    };
    let traces = flows.values_mut().filter_map(|flow| {
        let source = within(flow, "source")?;
        within(source, "trace")
    });
    traces.collect()
}

/// Paths and names of the files to read.
fn named(root: &Written) -> Vec<(Path, String)> {
    let at = Path::root().key("flow");
    let Some(flows) = at.find_in(root).and_then(|flows| flows.value.table()) else {
        return Vec::new();
    };
    let named = flows.names().filter_map(|flow| {
        let at = at.key(flow).key("source").key("trace");
        if at.key("text").find_in(root).is_some() {
            return None;
        }
        let at = at.key("file");
        let name = at.find_in(root)?.value.text()?.to_string();
        Some((at, name))
    });
    named.collect()
}

/// The content of a trace, in its normalised form, unless it has problems.
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
    match Writes::parse(&text) {
        Ok(writes) => Some(writes.write()),
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
