//! Parses scripts; `docs/reference/tcp-scripts.md` and `xtp-scripts.md` describe the language.

use kernel::Time;
use models::transport::TransportSpec;
use models::transport::tcp::Tcp;
use models::transport::xtp::Xtp;
use parameters::{Parameter, Path, Problem, Problems, SourceId, Span, Value};
use scenario::document::Sources;
use scenario::{ScenarioError, document};

use crate::line::ScriptLine;
use crate::script::{Event, Script, TestedEnd, TestedProtocol};

/// Default parameters: segments and packets carry a thousand octets, and without FASTNAK an XTP
/// sender sends a packet every millisecond.
fn defaults(protocol: TestedProtocol) -> Vec<(&'static str, Value)> {
    match protocol {
        TestedProtocol::Tcp => vec![("packet", "1040 B".into())],
        TestedProtocol::Xtp => vec![
            ("packet", "1032 B".into()),
            ("rate", "8.256 Mbit/s".into()),
            ("rate_counts", "packets".into()),
            ("fast_nak", false.into()),
        ],
    }
}

/// The line between parameters and events.
const RULE: &str = "---";

/// The word before the end of connections that come and go.
const CONNECTIONS: &str = "connections ";

/// Parses a script that messages call `name`.
///
/// # Errors
/// All mistakes of the script, with lines and columns.
pub fn parse(name: &str, text: &str) -> Result<Script, ScenarioError> {
    let mut sources = Sources::default();
    let source = sources.add(name, text);
    let mut problems = Problems::default();
    let protocol = TestedProtocol::of(name);
    let script = understand(source, protocol, text, &mut problems);
    let script = problems.or(script);
    script.map_err(|problems| ScenarioError::new(problems, &sources))
}

fn understand(
    source: SourceId,
    protocol: TestedProtocol,
    text: &str,
    problems: &mut Problems,
) -> Option<Script> {
    let head = head(text);
    if head.is_none() {
        let here = Span {
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
        let here = Span {
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
    let place = Span {
        source,
        start,
        end: start + rule_line.len(),
    };
    let named = rule_line[RULE.len()..].trim();
    let of_connections = named.strip_prefix(CONNECTIONS);
    let end = end(place, of_connections.unwrap_or(named).trim(), problems);
    let transport = parameters(source, protocol, &text[..start], problems);
    let lines = Lines {
        source,
        text,
        start: start + rule_line.len(),
    };
    let events = lines.events(protocol, end?, problems);
    let (rule, source, judge) = head?;
    Some(Script {
        rule,
        source,
        judge,
        transport: transport?,
        end: end?,
        come_and_go: of_connections.is_some(),
        events,
    })
}

/// The rule, its source and, if the script names one, its judge, from the comment at the top.
fn head(text: &str) -> Option<(String, String, Option<String>)> {
    let comment = text.lines().map_while(|line| line.strip_prefix('#'));
    let words: Vec<&str> = comment.flat_map(str::split_whitespace).collect();
    let divide = words.iter().position(|word| *word == "Source:")?;
    let (rule, rest) = (words[..divide].join(" "), &words[divide + 1..]);
    let mut parts = rest.split(|word| *word == "Judge:");
    let source = parts.next()?.join(" ");
    let judge = parts.next().map(|words| words.join(" "));
    (!rule.is_empty() && !source.is_empty()).then_some((rule, source, judge))
}

/// The line between parameters and events, with its offset.
fn divide(text: &str) -> Option<(&str, usize)> {
    let mut start = 0;
    text.split_inclusive('\n').find_map(|line| {
        let here = start;
        start += line.len();
        line.starts_with(RULE).then(|| (line.trim_end(), here))
    })
}

fn end(place: Span, named: &str, problems: &mut Problems) -> Option<TestedEnd> {
    match named {
        "sender" => Some(TestedEnd::Sender),
        "receiver" => Some(TestedEnd::Receiver),
        other => {
            let what = format!("`{other}` is not an end of a connection");
            problems.add(problem(place, what).hint("write `--- sender` or `--- receiver`"));
            None
        }
    }
}

fn parameters(
    source: SourceId,
    protocol: TestedProtocol,
    text: &str,
    problems: &mut Problems,
) -> Option<TransportSpec> {
    let mut written = match document::parse(source, text) {
        Ok(written) => written,
        Err(wrong) => {
            wrong.into_iter().for_each(|problem| problems.add(problem));
            return None;
        }
    };
    if let Value::Table(table) = &mut written.value {
        for (name, value) in defaults(protocol) {
            if table.get(name).is_none() {
                table.set(name, None, value.into());
            }
        }
    }
    let root = Path::root();
    match protocol {
        TestedProtocol::Tcp => Tcp::read(&written, &root, problems).map(TransportSpec::Tcp),
        TestedProtocol::Xtp => Xtp::read(&written, &root, problems).map(TransportSpec::Xtp),
    }
}

/// The part of a script with its events.
struct Lines<'a> {
    source: SourceId,
    text: &'a str,
    start: usize,
}

impl Lines<'_> {
    fn events(
        &self,
        protocol: TestedProtocol,
        end: TestedEnd,
        problems: &mut Problems,
    ) -> Vec<Event> {
        let mut events = Vec::new();
        let mut earliest = Time::ZERO;
        let mut offset = self.start;
        let first = self.text[..self.start].matches('\n').count();
        for (index, line) in self.text[self.start..].split_inclusive('\n').enumerate() {
            let number = first + index + 1;
            let read = ScriptLine::new(self.source, offset, line, (protocol, end));
            let read = read.events(number, &mut earliest);
            offset += line.len();
            match read {
                Ok(read) => events.extend(read),
                Err(problem) => problems.add(problem),
            }
        }
        events
    }
}

/// A problem with the text at `place`.
pub fn problem(place: Span, what: impl Into<String>) -> Problem {
    Problem::new(&Path::root(), Some(place), what)
}
