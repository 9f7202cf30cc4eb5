//! A trace: messages with times and lengths from a file.
//!
//! A trace is a text: a line for each message, with its time in seconds from the start and its
//! length in octets of user data. Text after a `#` and empty lines are ignored. Our own format: two
//! columns, which can be cut from traces of packets and of video frames.

use std::fmt::Write as _;
use std::sync::Arc;

use kernel::time::PS_PER_SECOND;
use kernel::{Duration, Time};
use parameters::quantity::parse;
use parameters::{
    BadLine, Conflict, Parameter, Path, Problems, RandomTime, Shape, Value, Written, parameters,
};

use super::{
    Application, Demand, FileLines, OnLink, PacketSizes, Source, SourceKind, Spacing, StatedLoad,
    TextFile, Write, Wrong, ends_after,
};

/// Largest message in octets; parsing reports a longer one.
const LONGEST: u64 = 1 << 30;

/// Hint for a line that cannot be read.
const LINE: &str = "write a time in seconds and a length in octets, for example `0.04 1500`";

parameters! {
    /// Sends the messages of a text file, which has a line for each message with its time in
    /// seconds and its length in octets.
    #[check(conflict)]
    pub struct Trace {
        /// Path of the trace file, relative to the folder of the scenario and inside it.
        pub file: Option<TextFile<Writes>>,
        /// Text of the trace; if given, the file is not read.
        pub text: Option<Writes>,
        /// Time after which the trace is played again; if not given, it is played once.
        pub period: Option<Duration>,
        /// Start of the trace; drawn for each member of a group.
        pub start: RandomTime = "0 s",
    }
}

impl Trace {
    /// The source of one flow.
    pub fn build(&self, application: &Application) -> Box<dyn Source> {
        let start = self.start.draw(&mut application.stream("start"));
        Box::new(self.replay(Time::ZERO + start))
    }

    /// The messages of the trace, which begins at `begin`.
    pub fn replay(&self, begin: Time) -> Replay {
        Replay::new(self.messages().into(), begin, self.period)
    }

    /// Mean load on a link in bit/s, if the trace repeats; `bits` gives the bits on the link for
    /// the octets of a message.
    fn mean_load(&self, bits: impl Fn(u64) -> f64) -> Option<f64> {
        let period = self.period?;
        let bits = self.messages().iter().map(|(_, octets)| bits(*octets));
        Some(bits.sum::<f64>() / period.seconds())
    }

    fn messages(&self) -> &[(Duration, u64)] {
        self.text.as_ref().map_or(&[], Writes::messages)
    }

    fn conflict(&self) -> Option<Conflict> {
        let last = self.messages().last().map(|(at, _)| *at);
        let conflict = |name, problem: String, hint: String| {
            Some(Conflict {
                name,
                problem,
                hint,
            })
        };
        match self.period {
            _ if self.file.is_none() && self.text.is_none() => conflict(
                "file",
                "`file` is missing".into(),
                "write for example `file = \"frames.txt\"`".to_string(),
            ),
            Some(period) if period <= last.unwrap_or_default() => conflict(
                "period",
                format!("a period of `{period}` ends before the trace, or with its last message"),
                ends_after(last.unwrap_or_default(), "message"),
            ),
            _ => None,
        }
    }
}

impl SourceKind for Trace {
    fn start(&self) -> RandomTime {
        self.start
    }

    fn demand(&self) -> Demand<'_> {
        Demand::Open
    }

    fn spacing(&self, _packets: &PacketSizes) -> Option<Spacing> {
        None
    }

    fn load(&self, link: &OnLink) -> Option<(&'static str, f64)> {
        Some(("period", self.mean_load(|octets| link.bits(octets))?))
    }

    fn stated_load(&self) -> Option<StatedLoad> {
        self.period.map(RandomTime::Constant).map(StatedLoad::Time)
    }
}

/// The messages of a trace, which all its flows share.
#[derive(Clone, Debug, PartialEq)]
pub struct Writes(Arc<[(Duration, u64)]>);

impl Writes {
    /// These messages, in order of time.
    pub fn of(messages: Vec<(Duration, u64)>) -> Writes {
        Writes(messages.into())
    }

    /// The messages, each with its time and its octets.
    pub fn messages(&self) -> &[(Duration, u64)] {
        &self.0
    }
}

impl FileLines for Writes {
    fn parse(text: &str) -> Result<Writes, Vec<BadLine>> {
        let messages = super::rows(text, LINE, |columns, rows: &[(Duration, u64)]| {
            let before = rows.last().map_or(Duration::ZERO, |(at, _)| *at);
            message(columns, before)
        })?;
        if messages.is_empty() {
            return Err(vec![BadLine {
                line: 1,
                start: 0,
                problem: "the trace has no messages".into(),
                hint: LINE.into(),
            }]);
        }
        Ok(Writes(messages.into()))
    }
}

/// The message of a line. Its time must not be before `before`.
fn message([at, octets]: [&str; 2], before: Duration) -> Result<(Duration, u64), Wrong> {
    let quoted = |text: &str| Value::from(text).quoted();
    let time = parse::<Duration>(&format!("{at} s"));
    let time = time.map_err(|_| {
        (
            format!("{} is not a time in seconds", quoted(at)),
            LINE.into(),
        )
    })?;
    let length = octets
        .parse()
        .ok()
        .filter(|octets| (1..=LONGEST).contains(octets));
    let length = length.ok_or_else(|| {
        let problem = format!(
            "{} is not a number of octets from 1 to 2^30",
            quoted(octets)
        );
        (problem, LINE.to_string())
    })?;
    if time < before {
        let problem = format!("`{time}` comes before the `{before}` of the line above");
        return Err((problem, "sort the lines by time".into()));
    }
    Ok((time, length))
}

impl Parameter for Writes {
    fn shape() -> Shape {
        Shape::Text
    }

    fn read(written: &Written, at: &Path, problems: &mut Problems) -> Option<Writes> {
        super::read_lines(written, at, problems, "0.04 1500")
    }

    fn write(&self) -> Value {
        let mut text = String::new();
        for (at, octets) in self.0.iter() {
            let (seconds, rest) = (at.ps() / PS_PER_SECOND, at.ps() % PS_PER_SECOND);
            let time = format!("{seconds}.{rest:012}");
            let time = time.trim_end_matches('0').trim_end_matches('.');
            writeln!(text, "{time} {octets}").expect("a string can be written to");
        }
        Value::Text(text)
    }
}

/// Messages one after another, from the beginning again after each period.
pub struct Replay {
    messages: Arc<[(Duration, u64)]>,
    next: usize,
    /// Time at which the trace was last started.
    begin: Time,
    period: Option<Duration>,
}

impl Replay {
    /// The messages from `begin` on. They repeat every `period`, which ends after the last of them.
    pub fn new(messages: Arc<[(Duration, u64)]>, begin: Time, period: Option<Duration>) -> Replay {
        Replay {
            messages,
            next: 0,
            begin,
            period,
        }
    }
}

impl Source for Replay {
    fn next(&mut self) -> Option<Write> {
        if self.next == self.messages.len() {
            self.begin += self.period?;
            self.next = 0;
        }
        let (after, octets) = *self.messages.get(self.next)?;
        self.next += 1;
        let at = self.begin + after;
        Some(Write { at, octets })
    }
}

#[cfg(test)]
mod tests {
    use parameters::understand;

    use super::*;
    use crate::traffic::tests::application;

    fn trace(text: &str, period: Option<Duration>) -> Trace {
        Trace {
            file: None,
            text: Some(Writes::parse(text).expect("a trace")),
            period,
            start: RandomTime::Constant(Duration::from_ms(1)),
        }
    }

    #[test]
    fn messages_have_the_times_of_the_trace_and_repeat_after_the_period() {
        let text = "# frames\n0 1500\n\n0.002,40 # small\n\t0.002; 7\r\n";
        let take = |period, count| {
            let mut source = trace(text, period).build(&application(1000));
            let writes = std::iter::from_fn(move || source.next()).take(count);
            let writes = writes.map(|write| (write.at.ps() / 1_000_000_000, write.octets));
            writes.collect::<Vec<(u64, u64)>>()
        };
        assert_eq!(take(None, 9), [(1, 1500), (3, 40), (3, 7)]);
        let again = take(Some(Duration::from_ms(5)), 5);
        assert_eq!(again, [(1, 1500), (3, 40), (3, 7), (6, 1500), (8, 40)]);
    }

    #[test]
    fn the_normalised_form_reads_back_as_an_equal_trace() {
        let writes = Writes::parse("0 1\n1e-12 2\n0.040 3\n3600 4").expect("a trace");
        assert_eq!(
            writes.write(),
            Value::from("0 1\n0.000000000001 2\n0.04 3\n3600 4\n")
        );
        assert_eq!(understand::<Writes>(&writes.write()), Ok(writes));
    }

    #[test]
    fn every_malformed_line_is_reported_with_its_place() {
        let bad = Writes::parse("0 1500\n  time size\n1 0\n2 1 3\n3 9\n1 9").unwrap_err();
        let told: Vec<String> = bad
            .iter()
            .map(|bad| format!("{} {} {}", bad.line, bad.start, bad.problem))
            .collect();
        assert_eq!(
            told,
            [
                "2 9 `time` is not a time in seconds",
                "3 19 `0` is not a number of octets from 1 to 2^30",
                "4 23 `2 1 3` is not two numbers",
                "6 33 `1 s` comes before the `3 s` of the line above",
            ]
        );
        assert_eq!(Writes::parse("# nothing").unwrap_err().len(), 1);
    }

    #[test]
    fn a_trace_without_end_has_a_load() {
        let packets = application(100).packets;
        let of = |period| {
            trace("0 100\n0.5 150", period).mean_load(|octets| packets.bits(octets) as f64)
        };
        assert_eq!(of(Some(Duration::from_ms(1000))), Some(2000.0));
        assert_eq!(of(None), None);
    }
}
