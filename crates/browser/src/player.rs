//! The player: the opened scenario, the session of its present run, and the commands of the page.

use std::collections::VecDeque;

use kernel::Seed;
use live::command::Command;
use live::limits::{MOST_NODES, MOST_REPLICATIONS, MOST_TEXT, too_large, too_many};
use live::pace::{Pace, first_rate};
use live::points;
use live::problems;
use scenario::scenario::{Scenario, Surroundings};
use scenario::watch::KeptPdu;
use serde_json::{Value, json};

use crate::session::{Advanced, Request, Session};
use crate::table;

/// A message to the page.
#[derive(Clone, Debug, PartialEq)]
pub enum Message {
    /// An object in JSON, whose key is the kind of the message.
    Text(String),
    /// A snapshot, as [`live::snapshot::Shown::packed`] writes it.
    Snapshot(Vec<u8>),
}

/// A scenario that the page can open.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Source {
    /// Name in messages, and the title of a scenario that has none.
    pub name: String,
    /// Text in the editor.
    pub text: String,
}

/// A run of a scenario that a link or a list names.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Choice {
    /// Number of the point of the sweep.
    pub point: u64,
    /// Number of the replication.
    pub replication: u64,
    /// Seed, if it is not that of the scenario.
    pub seed: Option<u64>,
    /// A PDU that is kept although a policy drops it.
    pub kept: Option<KeptPdu>,
}

/// An opened scenario.
struct Opened {
    source: Source,
    scenario: Scenario,
    /// Number in the catalogue, if the scenario is an item of it.
    item: Option<usize>,
    choice: Choice,
}

/// A scenario or a command is rejected.
struct Rejected {
    reason: String,
    problems: Vec<Value>,
}

impl<T: Into<String>> From<T> for Rejected {
    fn from(reason: T) -> Rejected {
        Rejected {
            reason: reason.into(),
            problems: Vec::new(),
        }
    }
}

/// Plays one run at a time to the page, and opens other scenarios on command.
#[derive(Default)]
pub struct Player {
    items: Vec<Source>,
    current: Option<(Opened, Session)>,
    epoch: u64,
    messages: VecDeque<Message>,
    /// The latest time of the clock.
    clock: f64,
}

impl Player {
    /// A player with a catalogue.
    pub fn new(items: Vec<Source>) -> Player {
        Player {
            items,
            ..Player::default()
        }
    }

    /// Removes and returns the next message to the page.
    pub fn message(&mut self) -> Option<Message> {
        self.messages.pop_front()
    }

    /// Opens an item of the catalogue, or a text.
    pub fn begin(&mut self, item: Option<usize>, text: Option<String>, choice: Choice) {
        let source = match (item, text) {
            (Some(item), None) => self.items.get(item).cloned().ok_or("there is no such item"),
            (_, text) => Ok(written(text.unwrap_or_default())),
        };
        let opened = source.map_err(Rejected::from);
        let opened = opened.and_then(|source| self.open(source, item, choice, None));
        self.answer(opened);
    }

    /// Handles a command of the page, an object in JSON.
    pub fn handle(&mut self, command: &str) {
        let handled = Command::read(command).map_err(Rejected::from);
        let handled = handled.and_then(|command| self.obey(command));
        self.answer(handled);
    }

    /// The problems of the text of a scenario, as a list in JSON.
    pub fn problems(text: String) -> String {
        let problems = match read(&written(text)) {
            Ok(_) => Vec::new(),
            Err(Rejected { reason, problems }) if problems.is_empty() => {
                vec![problems::about(&reason)]
            }
            Err(rejected) => rejected.problems,
        };
        Value::from(problems).to_string()
    }

    /// The numbers of the present run as CSV; none before its end.
    pub fn table(&self) -> Option<String> {
        let (opened, session) = self.current.as_ref()?;
        let point = &opened.scenario.points[opened.choice.point as usize];
        Some(table::csv(
            point,
            session.request.seed,
            session.report.as_ref()?,
        ))
    }

    /// Advances the run for a few milliseconds of computing at most; `clock` is the time in seconds.
    /// Returns the seconds after which it shall be called again: zero, or infinite if only a command
    /// makes the run go on.
    pub fn advance(&mut self, clock: f64) -> f64 {
        self.clock = clock;
        let Some((_, session)) = &mut self.current else {
            return f64::INFINITY;
        };
        let left = match session.advance(clock) {
            Advanced::Wait(left) if left.is_finite() => return left,
            // The run may have reached the instant to which it jumped.
            Advanced::Wait(left) => left,
            Advanced::Snapshot(packed) => {
                self.messages.push_back(Message::Snapshot(packed));
                0.0
            }
            Advanced::Ended => f64::INFINITY,
        };
        self.tell("state", &session_state(self.current.as_ref()));
        left
    }

    /// Tells the page what became of a command.
    fn answer(&mut self, handled: Result<(), Rejected>) {
        match handled {
            Ok(()) => self.tell("state", &session_state(self.current.as_ref())),
            Err(Rejected { reason, problems }) => {
                let answer = json!({"problems": problems, "rejected": reason});
                self.messages.push_back(Message::Text(answer.to_string()));
            }
        }
    }

    fn tell(&mut self, kind: &str, content: &Value) {
        let message = json!({kind: content}).to_string();
        self.messages.push_back(Message::Text(message));
    }

    fn obey(&mut self, command: Command) -> Result<(), Rejected> {
        match command {
            Command::Open(item) => {
                let number = item as usize;
                let source = self.items.get(number).ok_or("there is no such item")?;
                self.open(source.clone(), Some(number), Choice::default(), None)
            }
            Command::Run(text) => {
                let source = written(text);
                self.open(source, None, Choice::default(), None)
            }
            Command::Steer(steering) => {
                let (_, session) = self.current.as_mut().ok_or("no scenario is open")?;
                steering.steer(&mut session.pace);
                Ok(())
            }
            Command::Restart => self.restart(true),
            Command::GoTo(seconds) => {
                let (_, session) = self.current.as_ref().ok_or("no scenario is open")?;
                if seconds < session.now || session.has_ended() {
                    // A run cannot go back: it is started again, and passes through the same states.
                    self.restart(false)?;
                }
                if let Some((_, session)) = &mut self.current {
                    session.pace.go_to(seconds);
                }
                Ok(())
            }
            Command::Point { point, replication } => {
                let (opened, _) = self.current.as_ref().ok_or("no scenario is open")?;
                let choice = Choice {
                    point,
                    replication,
                    kept: None,
                    ..opened.choice
                };
                let (source, item) = (opened.source.clone(), opened.item);
                let scenario = opened.scenario.clone();
                self.open(source, item, choice, Some(scenario))
            }
        }
    }

    /// Opens a scenario, which is read unless it is known.
    fn open(
        &mut self,
        source: Source,
        item: Option<usize>,
        choice: Choice,
        known: Option<Scenario>,
    ) -> Result<(), Rejected> {
        let scenario = match known {
            Some(scenario) => scenario,
            None => read(&source)?,
        };
        if choice.point as usize >= scenario.points.len() {
            return Err("there is no such point".into());
        }
        if choice.replication >= MOST_REPLICATIONS {
            return Err("there is no such replication of this point".into());
        }
        let at_point = scenario.point(choice.point as usize);
        if let Some(reason) = too_large(at_point.plan()) {
            return Err(reason.into());
        }
        let request = Request {
            plan: at_point.plan().clone(),
            seed: Seed {
                seed: choice.seed.unwrap_or(at_point.spec.seed),
                replication: choice.replication,
            },
            kept: choice.kept,
        };
        let opened = Opened {
            source,
            scenario,
            item,
            choice,
        };
        let duration = request.plan.spec.duration.seconds();
        let pace = Pace::new(duration, first_rate(duration), true, self.clock);
        self.start(opened, request, pace);
        Ok(())
    }

    /// Starts the present run again, at its rate.
    fn restart(&mut self, playing: bool) -> Result<(), Rejected> {
        let (opened, session) = self.current.take().ok_or("no scenario is open")?;
        let duration = session.request.plan.spec.duration.seconds();
        let pace = Pace::new(duration, session.pace.speed().rate, playing, self.clock);
        self.start(opened, session.request, pace);
        Ok(())
    }

    fn start(&mut self, opened: Opened, request: Request, pace: Pace) {
        self.epoch += 1;
        let session = Session::new(self.epoch, request, pace);
        let mut layout = session.layout(&opened.source.name);
        let texts = points::texts(&opened.scenario);
        let choices = [
            ("text", json!(opened.source.text)),
            ("item", json!(opened.item)),
            ("points", json!(texts)),
            ("point", json!(opened.choice.point)),
            ("replication", json!(opened.choice.replication)),
            ("kept", opened.choice.kept.map_or(Value::Null, kept)),
            ("replications", json!(MOST_REPLICATIONS)),
            ("stored", Value::Null),
        ];
        layout.extend(choices.map(|(key, value)| (key.to_string(), value)));
        self.current = Some((opened, session));
        self.tell("layout", &layout.into());
    }
}

fn kept(KeptPdu { hop, flow, pdu }: KeptPdu) -> Value {
    json!({"hop": hop, "flow": flow, "pdu": pdu})
}

fn session_state(current: Option<&(Opened, Session)>) -> Value {
    current.map_or(Value::Null, |(_, session)| session.state())
}

/// The text of a viewer.
fn written(text: String) -> Source {
    Source {
        name: "scenario".into(),
        text,
    }
}

/// Reads a scenario, and all points of its sweep.
fn read(source: &Source) -> Result<Scenario, Rejected> {
    if source.text.len() > MOST_TEXT {
        let largest = MOST_TEXT >> 10;
        return Err(format!("the scenario is larger than {largest} KiB").into());
    }
    let open = |_: &str, _| Err("a page in the browser has no files".to_string());
    let surroundings = Surroundings {
        open: &open,
        most_nodes: Some(MOST_NODES as u64),
        ..Surroundings::default()
    };
    let bytes = source.text.as_bytes();
    let read = Scenario::read_bytes(bytes, "scenario", &surroundings);
    let scenario = read.map_err(|error| Rejected {
        reason: problems::summary(&error),
        problems: problems::of(&error),
    })?;
    match too_many(scenario.points.len()) {
        Some(reason) => Err(reason.into()),
        None => Ok(scenario),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const EXAMPLE: &str = include_str!("../../../examples/epd-threshold.toml");

    const LINK: &str = r#"
        duration = "1 ms"
        [host.a]
        [host.b]
        [link.l]
        between = ["a", "b"]
        rate = "10 Mbit/s"
        delay = "1 us"
        [flow.f]
        from = "a"
        to = "b"
        transport.tcp = {}
        over.packet = {}
    "#;

    fn items() -> Vec<Source> {
        vec![Source {
            name: "epd-threshold".into(),
            text: EXAMPLE.into(),
        }]
    }

    /// The contents of all messages of a kind.
    fn told(player: &mut Player, kind: &str) -> Vec<Value> {
        let mut told = Vec::new();
        while let Some(message) = player.message() {
            if let Message::Text(text) = message {
                let mut read: Value = serde_json::from_str(&text).expect("it is JSON");
                told.extend(read.get_mut(kind).map(Value::take));
            }
        }
        told
    }

    /// The outcome of the present run at full speed.
    fn outcome(player: &mut Player) -> Value {
        player.handle(r#"{"do": "play"}"#);
        player.handle(r#"{"do": "rate", "rate": 1000}"#);
        let mut clock = player.clock;
        loop {
            let left = player.advance(clock);
            if left.is_infinite() {
                let last = told(player, "state").pop().expect("there is a state");
                return last["outcome"].clone();
            }
            told(player, "state");
            clock += left + 1e-4;
        }
    }

    fn digest(seed: Seed) -> String {
        let scenario = Scenario::read(EXAMPLE, "example", &[]).expect("it has no mistakes");
        let scenario = scenario.point(0);
        let steps = scenario::run::SteppedRun::new(scenario.plan().clone(), seed);
        steps.finish().digest()
    }

    #[test]
    fn a_played_run_has_the_digest_of_a_run() {
        let mut player = Player::new(items());
        let choice = Choice {
            seed: Some(5),
            replication: 2,
            ..Choice::default()
        };
        player.begin(Some(0), None, choice);
        let layouts = told(&mut player, "layout");
        assert_eq!(layouts[0]["item"], 0);
        assert_eq!(layouts[0]["text"], EXAMPLE);
        let seed = Seed {
            seed: 5,
            replication: 2,
        };
        assert_eq!(outcome(&mut player)["digest"], digest(seed));
        let table = player.table().expect("the run has ended");
        assert!(
            table.contains(",replication,seed,scope,metric,value,unit\n"),
            "{}",
            &table[..80]
        );
    }

    #[test]
    fn a_run_that_jumps_back_passes_through_the_same_states() {
        let mut player = Player::new(items());
        player.begin(Some(0), None, Choice::default());
        let first = outcome(&mut player);
        assert!(player.table().is_some());
        player.handle(r#"{"do": "go to", "seconds": 0.1}"#);
        let mut clock = 10.0;
        loop {
            let left = player.advance(clock);
            if left.is_infinite() {
                break;
            }
            clock += left + 1e-4;
        }
        let state = told(&mut player, "state").pop().expect("there is a state");
        assert!(
            (state["now"].as_f64().expect("a number") - 0.1).abs() < 1e-9,
            "{state}"
        );
        assert!(player.table().is_none());
        assert_eq!(outcome(&mut player), first);
    }

    #[test]
    fn a_mistake_is_told_with_its_place_and_changes_nothing() {
        let mut player = Player::new(items());
        player.begin(Some(0), None, Choice::default());
        told(&mut player, "layout");
        let wrong = EXAMPLE.replacen("duration", "duratoin", 1);
        let problems: Value = serde_json::from_str(&Player::problems(wrong.clone())).expect("JSON");
        assert!(problems[0]["line"].as_u64().is_some(), "{problems}");
        player.handle(&json!({"do": "run", "text": wrong}).to_string());
        assert_eq!(told(&mut player, "problems"), [problems]);
        assert_eq!(Player::problems(EXAMPLE.into()), "[]");
        player.handle(r#"{"do": "point", "point": 999, "replication": 0}"#);
        assert_eq!(told(&mut player, "rejected"), ["there is no such point"]);
        assert!(outcome(&mut player)["digest"].is_string());
    }

    #[test]
    fn a_sweep_of_more_points_than_the_page_lists_is_refused() {
        let of = |points: usize| {
            let seeds: Vec<String> = (0..points).map(|seed| seed.to_string()).collect();
            Player::problems(format!("{LINK}[sweep]\nseed = [{}]\n", seeds.join(", ")))
        };
        assert_eq!(of(2), "[]");
        assert!(of(2001).contains("the sweep has more than 2000 points"));
    }
}
