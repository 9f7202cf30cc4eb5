//! Parses one line of a script into events.

use std::ops::Range;

use kernel::{Duration, Time};
use models::transport::{Following, Segment};
use parameters::suggest;
use parameters::{Problem, SourceId, Span, Value, understand};

use crate::parse::problem;
use crate::script::{
    Action, Event, EventTime, Expected, Property, PropertyValue, ScriptedSegment, Start, TestedEnd,
    TestedProtocol,
};

/// Largest number of segments in a line, more than any window of a script holds.
const MOST_SEGMENTS: u64 = 10_000;

const VERBS: [&str; 6] = ["write", "push", "read", "<", ">", "nothing"];

/// The events of the application, each with the end that it uses.
const OF_THE_APPLICATION: [(&str, TestedEnd); 3] = [
    ("write", TestedEnd::Sender),
    ("push", TestedEnd::Sender),
    ("read", TestedEnd::Receiver),
];

/// The words of a line that is being parsed.
pub struct ScriptLine<'a> {
    source: SourceId,
    /// Unread words with their offsets in the file, in reverse order.
    words: Vec<(usize, &'a str)>,
    /// Offset of the end of the line in the file.
    stop: usize,
    protocol: TestedProtocol,
    end: TestedEnd,
}

pub type Result<T> = std::result::Result<T, Problem>;

impl<'a> ScriptLine<'a> {
    /// Splits the line `text`, which begins at `offset` in its file, into words.
    pub fn new(
        source: SourceId,
        offset: usize,
        text: &'a str,
        (protocol, end): (TestedProtocol, TestedEnd),
    ) -> ScriptLine<'a> {
        let text = text.split('#').next().unwrap_or_default().trim_end();
        let mut words: Vec<(usize, &str)> = text
            .split_whitespace()
            .map(|word| {
                (
                    offset + (word.as_ptr() as usize - text.as_ptr() as usize),
                    word,
                )
            })
            .collect();
        words.reverse();
        ScriptLine {
            source,
            words,
            stop: offset + text.len(),
            protocol,
            end,
        }
    }

    /// The events of the line; none if it is empty. `earliest` is the time of the line before.
    ///
    /// # Errors
    /// The first mistake of the line.
    pub fn events(mut self, line: usize, earliest: &mut Time) -> Result<Vec<Event>> {
        if self.words.is_empty() {
            return Ok(Vec::new());
        }
        let when = self.when(earliest)?;
        let actions = self.actions()?;
        if let Some((place, word)) = self.word() {
            return Err(problem(place, format!("`{word}` is one word too many")));
        }
        let same = EventTime {
            start: Start::After(Duration::ZERO),
            ..when
        };
        let whens = std::iter::once(when).chain(std::iter::repeat(same));
        let event = |(when, action)| Event { line, when, action };
        Ok(whens.zip(actions).map(event).collect())
    }

    fn when(&mut self, earliest: &mut Time) -> Result<EventTime> {
        let is_time = |word: &str| word.starts_with(|first: char| "+0123456789".contains(first));
        let Some((place, word)) = self.word_if(is_time) else {
            return Ok(EventTime {
                start: Start::After(Duration::ZERO),
                tolerance: Duration::ZERO,
            });
        };
        let (time, tolerance) = word.split_once('~').unwrap_or((word, "0s"));
        let tolerance = span(place, tolerance)?;
        let start = match time.strip_prefix('+') {
            Some(after) => Start::After(span(place, after)?),
            None => Start::At(Time::ZERO + span(place, time)?),
        };
        match start {
            Start::After(span) => *earliest += span,
            Start::At(time) if time < *earliest => {
                let what = format!("`{word}` is earlier than the line before");
                return Err(problem(place, what).hint("write the lines in order of time"));
            }
            Start::At(time) => *earliest = time,
        }
        Ok(EventTime { start, tolerance })
    }

    fn actions(&mut self) -> Result<Vec<Action>> {
        let (place, verb) = self.expect("an event")?;
        match verb {
            "write" if self.end == TestedEnd::Sender => self.writing(),
            "push" if self.has(verb) => Ok(vec![Action::Push]),
            "read" if self.has(verb) => Ok(vec![Action::Read(self.number("octets")?)]),
            "nothing" => Ok(vec![Action::Nothing]),
            "<" => self.arrivals().map(|arrivals| vec![arrivals]),
            ">" => self.sendings(),
            other => match Property::of(self.protocol, self.end).find(|(_, name)| *name == other) {
                Some((property, _)) => Ok(vec![Action::Hold(property, self.expected(property)?)]),
                None => Err(self.unknown(place, other)),
            },
        }
    }

    /// True if this end of the protocol has this event of the application.
    fn has(&self, verb: &str) -> bool {
        let is_known = OF_THE_APPLICATION.contains(&(verb, self.end));
        is_known && (verb == "write" || self.protocol == TestedProtocol::Tcp)
    }

    /// Parses `write 1000`, `write 1000 more` or `write 1000 end`.
    fn writing(&mut self) -> Result<Vec<Action>> {
        let octets = self.number("octets")?;
        let Some((place, word)) = self.word() else {
            return Ok(vec![Action::Write(octets, None)]);
        };
        let what = match word {
            "more" => Some(Following::More),
            "end" => Some(Following::Message),
            _ => None,
        };
        if self.protocol == TestedProtocol::Xtp {
            return Err(
                problem(place, "XTP ends no messages, and holds no data back")
                    .hint("write only the number of octets"),
            );
        }
        if what.is_none() {
            let hint = suggest::hint(word, ["more", "end"]);
            return Err(problem(place, format!("`{word}` is not what follows a write")).hint(hint));
        }
        Ok(vec![Action::Write(octets, what)])
    }

    fn unknown(&self, place: Span, word: &str) -> Problem {
        let other = [TestedEnd::Sender, TestedEnd::Receiver]
            .into_iter()
            .find(|end| *end != self.end);
        let of = |end| Property::of(self.protocol, end);
        let elsewhere = other.into_iter().flat_map(of);
        let is_known = OF_THE_APPLICATION.iter().any(|(name, _)| *name == word);
        let is_known = is_known && (word == "write" || self.protocol == TestedProtocol::Tcp);
        if is_known || elsewhere.clone().any(|(_, name)| name == word) {
            let ours = if self.end == TestedEnd::Sender {
                "sender"
            } else {
                "receiver"
            };
            return problem(place, format!("a {ours} has no `{word}`"))
                .hint("the line `---` says which end is tested");
        }
        let is_here = |verb: &&str| {
            let mut events = OF_THE_APPLICATION.iter();
            !events.any(|(name, _)| name == verb) || self.has(verb)
        };
        let verbs = VERBS.into_iter().filter(is_here);
        let known = verbs.chain(of(self.end).map(|(_, name)| name));
        problem(place, format!("`{word}` is not an event")).hint(suggest::hint(word, known))
    }

    fn expected(&mut self, property: Property) -> Result<Expected> {
        let (place, word) = self.expect(if property.is_time() {
            "a time"
        } else {
            "a number"
        })?;
        let (value, tolerance) = word.split_once('~').unwrap_or((word, ""));
        if property == Property::Timer && word == "off" {
            return Ok(Expected {
                value: PropertyValue::Off,
                tolerance: 0,
            });
        }
        let steps = |text: &str| {
            if property.is_time() {
                span(place, text).map(Duration::ps)
            } else {
                number(place, text)
            }
        };
        let tolerance = if tolerance.is_empty() {
            0
        } else {
            steps(tolerance)?
        };
        let value = steps(value)?;
        Ok(Expected {
            value: if property.is_time() {
                PropertyValue::Time(Duration::from_ps(value))
            } else {
                PropertyValue::Number(value)
            },
            tolerance,
        })
    }

    fn arrivals(&mut self) -> Result<Action> {
        let start = self.place();
        let mut segments = self.segments()?;
        if self.end == TestedEnd::Sender && segments.iter().any(|segment| segment.len > 0) {
            return Err(problem(start, "data does not arrive at a sender")
                .hint(format!("write {}, or test the receiver", self.answer("<"))));
        }
        let marked = self.word_if(|word| word == "ce").is_some();
        if let Some((place, word)) = self.word_if(|word| word.starts_with('x')) {
            let times = number(place, &word[1..])?;
            let copies = usize::try_from(times.min(MOST_SEGMENTS)).unwrap_or_default();
            segments = segments.repeat(copies);
        }
        Ok(Action::Arrive { segments, marked })
    }

    fn sendings(&mut self) -> Result<Vec<Action>> {
        let start = self.place();
        let segments = self.segments()?;
        if self.end == TestedEnd::Receiver && segments.iter().any(|segment| segment.len > 0) {
            return Err(problem(start, "a receiver sends no data")
                .hint(format!("write {}, or test the sender", self.answer(">"))));
        }
        let octets = match self.word_if(|word| word == "octets") {
            Some(_) => Some(self.number("octets")?),
            None => None,
        };
        let send = |segment| Action::Send(ScriptedSegment { segment, octets });
        Ok(segments.into_iter().map(send).collect())
    }

    fn segments(&mut self) -> Result<Vec<Segment>> {
        let (place, word) = self.expect("a segment")?;
        match self.protocol {
            TestedProtocol::Tcp => self.segments_of_tcp(place, word),
            TestedProtocol::Xtp => self.packets(place, word),
        }
    }

    /// An example of an answer, for hints.
    fn answer(&self, verb: &str) -> String {
        match self.protocol {
            TestedProtocol::Tcp => format!("`{verb} ack 1000`"),
            TestedProtocol::Xtp => format!("`{verb} cntl 1000 echo 1`"),
        }
    }

    pub fn data(&mut self, octets: &Range<u64>) -> Result<Vec<Segment>> {
        let whole = octets.end - octets.start;
        let (place, size) = match self.word_if(|word| word == "by") {
            Some(_) => (self.place(), self.number("octets")?),
            None => (self.place(), whole),
        };
        if size == 0 || whole.div_ceil(size.max(1)) > MOST_SEGMENTS || size > u64::from(u32::MAX) {
            return Err(problem(
                place,
                format!("`{whole}` octets cannot be cut into segments of `{size}`"),
            ));
        }
        let starts = (octets.start..octets.end).step_by(usize::try_from(size).unwrap_or(1));
        let segment = |start| Segment::data(start, size.min(octets.end - start) as u32);
        Ok(starts.map(segment).collect())
    }

    pub fn number(&mut self, what: &str) -> Result<u64> {
        let (place, word) = self.expect(what)?;
        number(place, word)
    }

    /// Takes the next word.
    fn word(&mut self) -> Option<(Span, &'a str)> {
        self.word_if(|_| true)
    }

    /// Takes the next word if it satisfies the condition.
    pub fn word_if(&mut self, fits: impl Fn(&str) -> bool) -> Option<(Span, &'a str)> {
        let place = self.place();
        let (_, word) = self.words.pop_if(|(_, word)| fits(word))?;
        Some((place, word))
    }

    pub fn expect(&mut self, what: &str) -> Result<(Span, &'a str)> {
        let place = self.place();
        self.word()
            .ok_or_else(|| problem(place, format!("{what} is missing")))
    }

    /// The place of the next word, or of the end of the line.
    pub fn place(&self) -> Span {
        let next = self.words.last();
        let (start, end) = next.map_or((self.stop, self.stop), |(start, word)| {
            (*start, start + word.len())
        });
        Span {
            source: self.source,
            start,
            end,
        }
    }
}

pub fn number(place: Span, word: &str) -> Result<u64> {
    let digits = word.replace('_', "");
    let is_number = digits.bytes().all(|byte| byte.is_ascii_digit());
    let refusal = || {
        problem(place, format!("`{word}` is not a whole number"))
            .hint("write it as `1000` or `64_000`")
    };
    // Limit of octets, far above those of any script, so that sums cannot overflow.
    let number = digits.parse().ok().filter(|number| *number < 1 << 48);
    number.filter(|_| is_number).ok_or_else(refusal)
}

pub fn range(place: Span, word: &str) -> Result<Range<u64>> {
    let (start, end) = word.split_once(':').unwrap_or((word, ""));
    let (start, end) = (number(place, start)?, number(place, end)?);
    if start >= end {
        return Err(problem(place, format!("`{word}` is empty"))
            .hint("write the first octet, and the one after the last"));
    }
    Ok(start..end)
}

pub fn span(place: Span, word: &str) -> Result<Duration> {
    understand(&Value::from(word)).map_err(|_| {
        problem(place, format!("`{word}` is not a time"))
            .hint("write it as `1.5s`, `200ms` or `10us`")
    })
}
