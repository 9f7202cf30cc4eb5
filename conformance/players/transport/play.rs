//! Plays a script: passes its events to one end of a connection, and compares what the end sends.

mod show;

use std::collections::VecDeque;
use std::fmt;

use kernel::{Seed, Time};
use models::bearer::BearerSpec;
use models::connections::{self, IdlePath};
use models::traffic::connections::Calls;
use models::transport::{Connection, Following, Receiver, Segment, Sender, StateValue, Transmit};
use models::wire::format::CellFormat;

pub use show::show;

use crate::script::{
    Action, Event, EventTime, Expected, Property, PropertyValue, Script, ScriptedSegment, Seconds,
    Start, TestedEnd, WrittenSegment,
};

/// The first difference between a script and the behaviour of the tested end.
#[derive(Debug)]
pub struct Mismatch {
    /// Line of the script, counted from one.
    pub line: usize,
    pub expected: String,
    pub seen: String,
    /// All events before the difference.
    pub past: Vec<String>,
}

impl fmt::Display for Mismatch {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(out, "  expected  {}", self.expected)?;
        writeln!(out, "  seen      {}", self.seen)?;
        write!(out, "  after")?;
        let mut lines = self.past.iter();
        lines.try_for_each(|line| write!(out, "\n            {line}"))
    }
}

/// Plays `script` from beginning to end.
///
/// # Errors
/// The first line that the tested end violates.
pub fn play(script: &Script) -> Result<(), Mismatch> {
    let mut play = Play::new(script);
    for event in &script.events {
        play.event(event).map_err(|disagreement| Mismatch {
            line: event.line,
            expected: disagreement.expected,
            seen: disagreement.seen,
            past: std::mem::take(&mut play.past),
        })?;
    }
    let last = script.events.last().map_or(0, |event| event.line);
    play.expect_silence().map_err(|disagreement| Mismatch {
        line: last,
        expected: "the end of the script".into(),
        seen: disagreement.seen,
        past: play.past,
    })
}

/// A path on which no script measures a slowdown.
const IDLE: IdlePath = IdlePath {
    propagation: 1.0,
    octet_on_all: 0.0,
    octet_on_slowest: 0.0,
    payload: 1,
};

struct Disagreement {
    expected: String,
    seen: String,
}

/// The tested end, with the segments it has sent that no line of the script has matched yet.
struct Play {
    end: Tested,
    now: Time,
    unclaimed: Unclaimed,
    /// All events so far, for the message of a failure.
    past: Vec<String>,
}

enum Tested {
    Sender(Box<dyn Sender>),
    Receiver {
        receiver: Box<dyn Receiver>,
        received: u64,
    },
}

#[derive(Default)]
struct Unclaimed(VecDeque<(Time, Segment, u64)>);

impl Transmit for Unclaimed {
    fn transmit(&mut self, now: Time, segment: Segment, octets: u64) {
        self.0.push_back((now, segment.without_arrival(), octets));
    }
}

impl Play {
    fn new(script: &Script) -> Play {
        let connection = Connection {
            name: "script".into(),
            seed: Seed {
                seed: 1,
                replication: 0,
            },
            over: BearerSpec::default().wrapping(CellFormat::ATM),
        };
        let ends = if script.come_and_go {
            let calls = Calls::by_writes();
            connections::ends(&script.transport, &connection, calls, IDLE)
        } else {
            script.transport.build(&connection)
        };
        let end = match script.end {
            TestedEnd::Sender => Tested::Sender(ends.sender),
            TestedEnd::Receiver => Tested::Receiver {
                receiver: ends.receiver,
                received: 0,
            },
        };
        Play {
            end,
            now: Time::ZERO,
            unclaimed: Unclaimed::default(),
            past: Vec::new(),
        }
    }

    fn event(&mut self, event: &Event) -> Result<(), Disagreement> {
        let due = match event.when.start {
            Start::At(time) => time,
            Start::After(span) => self.now + span,
        };
        if let Action::Send(sent) = &event.action {
            return self.expect_sending(due, event.when, sent);
        }
        let is_later = due > self.now;
        self.advance(due);
        // The segments that an event causes follow it in the script, before the next event or time.
        if is_later || !matches!(event.action, Action::Hold(..)) {
            self.expect_silence()?;
        }
        match &event.action {
            Action::Write(octets, what) => self.write(*octets, *what),
            Action::Push => self.push(),
            Action::Read(octets) => self.read(*octets),
            Action::Arrive { segments, marked } => return self.arrive(segments, *marked),
            Action::Hold(property, expected) => return self.hold(*property, *expected),
            Action::Nothing | Action::Send(_) => {}
        }
        Ok(())
    }

    /// Advances time up to and including `until`.
    fn advance(&mut self, until: Time) {
        while self.next_wake() <= until {
            self.wake();
        }
        self.now = self.now.max(until);
    }

    fn next_wake(&self) -> Time {
        match &self.end {
            Tested::Sender(sender) => sender.next_wake(),
            Tested::Receiver { receiver, .. } => receiver.next_wake(),
        }
    }

    /// Advances time to the expiry of the next timer.
    fn wake(&mut self) {
        let now = self.next_wake();
        match &mut self.end {
            Tested::Sender(sender) => sender.wake(now, &mut self.unclaimed),
            Tested::Receiver { receiver, .. } => receiver.wake(now, &mut self.unclaimed),
        }
        assert!(
            self.next_wake() > now,
            "a timer expired twice at the same instant"
        );
        self.now = self.now.max(now);
        self.note("a timer expires");
    }

    fn write(&mut self, octets: u64, what: Option<Following>) {
        let then = match what {
            None => "",
            Some(Following::More) => " more",
            Some(Following::Message) => " end",
        };
        self.note(&format!("write {octets}{then}"));
        if let Tested::Sender(sender) = &mut self.end {
            match what {
                None => sender.write(self.now, octets, &mut self.unclaimed),
                Some(what) => sender.write_before(self.now, octets, what, &mut self.unclaimed),
            }
        }
    }

    fn push(&mut self) {
        self.note("push");
        if let Tested::Sender(sender) = &mut self.end {
            sender.push(self.now, &mut self.unclaimed);
        }
    }

    fn read(&mut self, octets: u64) {
        self.note(&format!("read {octets}"));
        if let Tested::Receiver { receiver, .. } = &mut self.end {
            receiver.read(self.now, octets, &mut self.unclaimed);
        }
    }

    fn arrive(&mut self, segments: &[Segment], marked: bool) -> Result<(), Disagreement> {
        for segment in segments {
            // The end may answer only the last of these segments.
            self.expect_silence()?;
            self.take(segment, marked);
        }
        Ok(())
    }

    fn take(&mut self, segment: &Segment, marked: bool) {
        let mark = if marked { " ce" } else { "" };
        let written = WrittenSegment(segment);
        self.note(&format!("< {written}{mark}"));
        let (now, out) = (self.now, &mut self.unclaimed);
        match &mut self.end {
            Tested::Sender(sender) => sender.receive(now, segment, out),
            Tested::Receiver { receiver, received } => {
                *received += receiver.receive(now, segment, marked, out);
            }
        }
    }

    /// Advances time until the end sends a segment, at `due` or within the tolerance of `when`.
    fn expect_sending(
        &mut self,
        due: Time,
        when: EventTime,
        sent: &ScriptedSegment,
    ) -> Result<(), Disagreement> {
        let latest = due + when.tolerance;
        while self.unclaimed.0.is_empty() && self.next_wake() <= latest {
            self.wake();
        }
        let expected = Told(due, sent.segment, sent.octets);
        let Some((time, segment, octets)) = self.unclaimed.0.front().copied() else {
            let timer = match self.next_wake() {
                Time::NEVER => "no timer is running".to_string(),
                time => format!("the next timer expires at {}", at(time)),
            };
            return Err(Disagreement {
                expected: expected.to_string(),
                seen: format!("nothing, and {timer}"),
            });
        };
        let is_expected = due.since(time).max(time.since(due)) <= when.tolerance
            && segment == sent.segment
            && sent.octets.is_none_or(|expected| expected == octets);
        if !is_expected {
            return Err(Disagreement {
                expected: expected.to_string(),
                seen: Told(time, segment, sent.octets.and(Some(octets))).to_string(),
            });
        }
        self.unclaimed.0.pop_front();
        self.now = self.now.max(time);
        self.past.push(Told(time, segment, None).to_string());
        Ok(())
    }

    /// Fails if the end has sent a segment that no line matches.
    fn expect_silence(&mut self) -> Result<(), Disagreement> {
        match self.unclaimed.0.front() {
            None => Ok(()),
            Some((time, segment, _)) => Err(Disagreement {
                expected: "nothing more is sent before this line".into(),
                seen: Told(*time, *segment, None).to_string(),
            }),
        }
    }

    fn hold(&mut self, property: Property, expected: Expected) -> Result<(), Disagreement> {
        let seen = self.value(property);
        if expected.allows(seen) {
            return Ok(());
        }
        let name = property.name();
        Err(Disagreement {
            expected: format!("{} {name} {expected}", at(self.now)),
            seen: format!("{} {name} {seen}", at(self.now)),
        })
    }

    fn value(&mut self, property: Property) -> PropertyValue {
        let until = match self.next_wake() {
            Time::NEVER => PropertyValue::Off,
            time => PropertyValue::Time(time.since(self.now)),
        };
        match &mut self.end {
            Tested::Sender(sender) => match property {
                Property::Timeouts => PropertyValue::Number(sender.meter().timeouts.into()),
                Property::FastRetransmits => {
                    PropertyValue::Number(sender.meter().fast_retransmits.into())
                }
                Property::SpuriousRetransmits => {
                    PropertyValue::Number(sender.meter().spurious.into())
                }
                Property::GivenUp => PropertyValue::Number(sender.meter().gave_up.into()),
                _ => match sender
                    .state(self.now)
                    .and_then(|state| state.get(property.name()))
                {
                    Some(StateValue::Octets(octets)) => PropertyValue::Number(octets),
                    Some(StateValue::Time(span)) => PropertyValue::Time(span),
                    None => until,
                },
            },
            Tested::Receiver { received, .. } => match property {
                Property::Received => PropertyValue::Number(*received),
                _ => until,
            },
        }
    }

    fn note(&mut self, what: &str) {
        self.past.push(format!("{} {what}", at(self.now)));
    }
}

fn at(time: Time) -> Seconds {
    Seconds(time.since(Time::ZERO))
}

/// A segment that the end sent, as a line of a script.
struct Told(Time, Segment, Option<u64>);

impl fmt::Display for Told {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} > {}", at(self.0), WrittenSegment(&self.1))?;
        match self.2 {
            Some(octets) => write!(out, " octets {octets}"),
            None => Ok(()),
        }
    }
}
