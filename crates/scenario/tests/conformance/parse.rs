//! Reads scripts; `docs/reference/tcp-scripts.md` describes the language.

use kernel::Time;
use models::transport::tcp::Tcp;
use parameters::{Parameter, Path, Place, Problem, Problems, SourceId, Value};
use scenario::source::Sources;
use scenario::{ScenarioError, document};

use crate::line::Line;
use crate::script::{End, Event, Script};

/// Segments carry a thousand octets unless the parameters say otherwise.
const PACKET: &str = "1040 B";

/// The line between parameters and events.
const RULE: &str = "---";

/// Understands a script that messages call `name`.
///
/// # Errors
/// Everything that is wrong with it, with lines and columns.
pub fn parse(name: &str, text: &str) -> Result<Script, ScenarioError> {
    let mut sources = Sources::default();
    let source = sources.add(name, text);
    let mut problems = Problems::default();
    let script = understand(source, text, &mut problems);
    let script = problems.or(script);
    script.map_err(|problems| ScenarioError::new(problems, &sources))
}

fn understand(source: SourceId, text: &str, problems: &mut Problems) -> Option<Script> {
    let head = head(text);
    if head.is_none() {
        let here = Place {
            source,
            start: 0,
            end: 0,
        };
        problems.add(
            problem(
                here,
                "a script begins with its rule and its source, as comments",
            )
            .hint("write `# ` and the rule, then `# Source: ` and where it is written"),
        );
    }
    let Some((rule_line, start)) = divide(text) else {
        let here = Place {
            source,
            start: text.len(),
            end: text.len(),
        };
        problems.add(
            problem(here, "no line divides parameters from events")
                .hint("write `--- sender` or `--- receiver` above the events"),
        );
        return None;
    };
    let place = Place {
        source,
        start,
        end: start + rule_line.len(),
    };
    let end = end(place, rule_line, problems);
    let tcp = parameters(source, &text[..start], problems);
    let events = events(source, text, start + rule_line.len(), end?, problems);
    let (rule, source) = head?;
    Some(Script {
        rule,
        source,
        tcp: tcp?,
        end: end?,
        events,
    })
}

/// The rule and its source: the comment at the top.
fn head(text: &str) -> Option<(String, String)> {
    let comment = text.lines().map_while(|line| line.strip_prefix('#'));
    let words: Vec<&str> = comment.flat_map(str::split_whitespace).collect();
    let divide = words.iter().position(|word| *word == "Source:")?;
    let (rule, source) = (words[..divide].join(" "), words[divide + 1..].join(" "));
    (!rule.is_empty() && !source.is_empty()).then_some((rule, source))
}

/// The line that divides parameters from events, and where it begins.
fn divide(text: &str) -> Option<(&str, usize)> {
    let mut start = 0;
    text.split_inclusive('\n').find_map(|line| {
        let here = start;
        start += line.len();
        line.starts_with(RULE).then(|| (line.trim_end(), here))
    })
}

fn end(place: Place, line: &str, problems: &mut Problems) -> Option<End> {
    match line[RULE.len()..].trim() {
        "sender" => Some(End::Sender),
        "receiver" => Some(End::Receiver),
        other => {
            let what = format!("`{other}` is no end of a connection");
            problems.add(problem(place, what).hint("write `--- sender` or `--- receiver`"));
            None
        }
    }
}

fn parameters(source: SourceId, text: &str, problems: &mut Problems) -> Option<Tcp> {
    let mut written = match document::parse(source, text) {
        Ok(written) => written,
        Err(wrong) => {
            wrong.into_iter().for_each(|problem| problems.add(problem));
            return None;
        }
    };
    if let Value::Table(table) = &mut written.value
        && table.get("packet").is_none()
    {
        table.set("packet", None, Value::from(PACKET).into());
    }
    Tcp::read(&written, &Path::root(), problems)
}

fn events(
    source: SourceId,
    text: &str,
    start: usize,
    end: End,
    problems: &mut Problems,
) -> Vec<Event> {
    let mut events = Vec::new();
    let mut earliest = Time::ZERO;
    let mut offset = start;
    let first = text[..start].matches('\n').count();
    for (index, line) in text[start..].split_inclusive('\n').enumerate() {
        let number = first + index + 1;
        let read = Line::new(source, offset, line, end).events(number, &mut earliest);
        offset += line.len();
        match read {
            Ok(read) => events.extend(read),
            Err(problem) => problems.add(problem),
        }
    }
    events
}

/// A problem with what stands at `place`.
pub fn problem(place: Place, what: impl Into<String>) -> Problem {
    Problem::new(&Path::root(), Some(place), what)
}
