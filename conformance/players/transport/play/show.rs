//! Shows what an end does with the events of a script, for authors of scripts.

use models::transport::StateValue;

use super::{Play, Tested, Told};
use crate::script::{Action, Event, Script, Start};

/// The events of `script` and everything that the tested end does, as lines of a script, whatever the
/// script expects of it.
pub fn show(script: &Script) -> Vec<String> {
    let mut play = Play::new(script);
    let mut windows = String::new();
    for event in &script.events {
        play.show(event, &mut windows);
    }
    play.past
}

impl Play {
    /// Plays an event, or lets the time of a line pass that expects something, and notes everything that
    /// the end sends and each change of its windows.
    fn show(&mut self, event: &Event, windows: &mut String) {
        let due = match event.when.start {
            Start::At(time) => time,
            Start::After(span) => self.now + span,
        };
        while self.next_wake() <= due {
            self.wake();
            self.show_sent(windows);
        }
        self.now = self.now.max(due);
        match &event.action {
            Action::Write(octets, what) => self.write(*octets, *what),
            Action::Push => self.push(),
            Action::Read(octets) => self.read(*octets),
            Action::Arrive { segments, marked } => {
                for segment in segments {
                    self.take(segment, *marked);
                    self.show_sent(windows);
                }
            }
            Action::Send(_) | Action::Nothing | Action::Hold(..) => {}
        }
        self.show_sent(windows);
    }

    fn show_sent(&mut self, windows: &mut String) {
        while let Some((time, segment, _)) = self.unclaimed.0.pop_front() {
            self.past.push(Told(time, segment, None).to_string());
        }
        if let Tested::Sender(sender) = &self.end
            && let Some(state) = sender.state(self.now)
        {
            let octets = |name| match state.get(name) {
                Some(StateValue::Octets(octets)) => format!("{name} {octets}"),
                _ => String::new(),
            };
            let changed = format!("{}, {}", octets("cwnd"), octets("ssthresh"));
            if *windows != changed {
                self.note(&format!("# {changed}"));
                *windows = changed;
            }
        }
    }
}
