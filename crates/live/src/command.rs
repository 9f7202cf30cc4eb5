//! The commands of viewers, objects in JSON.

use serde_json::{Map, Value};

use crate::pace::Pace;

/// A command of a viewer.
#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    /// Change the pace.
    Steer(Steering),
    /// Go to an instant, in seconds.
    GoTo(f64),
    /// Start the run again.
    Restart,
    /// Show another run of the scenario.
    Point {
        /// Number of the point of the sweep.
        point: u64,
        /// Number of the replication.
        replication: u64,
    },
    /// Open an item of the catalogue, by its number.
    Open(u64),
    /// Run the text of a scenario.
    Run(String),
}

/// A change of the pace.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Steering {
    /// Continue the run.
    Play,
    /// Hold the run.
    Pause,
    /// Continue for this simulated time in seconds.
    Step(f64),
    /// Proceed at this rate, in simulated seconds per second.
    Rate(f64),
}

impl Steering {
    /// Changes the pace of a run.
    pub fn steer(self, pace: &mut Pace) {
        match self {
            Steering::Play => pace.play(),
            Steering::Pause => pace.pause(),
            Steering::Step(seconds) => pace.step(seconds),
            Steering::Rate(rate) => pace.set_rate(rate),
        }
    }
}

impl Command {
    /// Reads a command.
    ///
    /// # Errors
    /// The reason why the text is no command.
    pub fn read(text: &str) -> Result<Command, &'static str> {
        let read = serde_json::from_str(text);
        let read: Value = read.map_err(|_| "a command is an object in JSON")?;
        let known = read.as_object().and_then(Command::of);
        known.ok_or("the command is unknown")
    }

    fn of(object: &Map<String, Value>) -> Option<Command> {
        let number = |key| object.get(key).and_then(Value::as_f64);
        let index = |key| object.get(key).and_then(Value::as_u64);
        Some(match object.get("do")?.as_str()? {
            "play" => Command::Steer(Steering::Play),
            "pause" => Command::Steer(Steering::Pause),
            "step" => Command::Steer(Steering::Step(number("seconds")?)),
            "rate" => Command::Steer(Steering::Rate(number("rate")?)),
            "go to" => Command::GoTo(number("seconds")?),
            "restart" => Command::Restart,
            "point" => Command::Point {
                point: index("point")?,
                replication: index("replication")?,
            },
            "open" => Command::Open(index("item")?),
            "run" => Command::Run(object.get("text")?.as_str()?.to_string()),
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_commands_and_refuses_others() {
        let read = Command::read(r#"{"do": "step", "seconds": 1e-3}"#);
        assert_eq!(read, Ok(Command::Steer(Steering::Step(0.001))));
        let read = Command::read(r#"{"do": "point", "point": 2, "replication": 0}"#);
        let point = Command::Point {
            point: 2,
            replication: 0,
        };
        assert_eq!(read, Ok(point));
        for unknown in [
            "[]",
            "1",
            r#"{"do": "stop"}"#,
            r#"{"do": "step"}"#,
            r#"{"do": "step", "seconds": true}"#,
            r#"{"do": "open", "item": -1}"#,
        ] {
            assert_eq!(
                Command::read(unknown),
                Err("the command is unknown"),
                "{unknown}"
            );
        }
        for broken in ["", "{", r#"{"do": "run", "text": "\ud800"}"#] {
            let refusal = Err("a command is an object in JSON");
            assert_eq!(Command::read(broken), refusal, "{broken}");
        }
    }
}
