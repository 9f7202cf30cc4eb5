//! Rates of links that change over time, as those of radio links do.
//!
//! A [`Schedule`] holds the changes that a scenario states, and a [`LinkClock`] follows them at one
//! end of a link. Our own rule: a unit that is being sent when the rate changes keeps its rate to its
//! end. A rate of zero is an outage of the transmitter: units wait until the rate rises again.

mod clock;
mod schedule;

use kernel::{Duration, Rate};
use parameters::RateOrZero;

pub use clock::{LinkClock, RateChange};
pub use schedule::Schedule;

parameters::registry! {
    /// Changes of the rate of a link during a run.
    pub enum RateChangesSpec builds Schedule, for Rate {
        steps => StepsRateChanges,
        table => TableRateChanges,
        steered => Steered,
    }
}

/// A change of a rate, at a time from the start of the run or of a cycle.
pub type Change = (Duration, RateOrZero);

impl RateChangesSpec {
    /// The changes of a link with the rate `first` before them, if they can be carried out.
    pub fn schedule(&self, first: Rate) -> Schedule {
        self.build(&first)
    }
}

/// The mistake in a list of changes that repeats after a time, or does not: a name of a parameter, a
/// problem and a hint.
fn mistake(
    changes: &[Change],
    repeat: Option<Duration>,
    of_changes: &'static str,
) -> Option<parameters::Conflict> {
    let conflict = |name, problem: String, hint: String| {
        Some(parameters::Conflict {
            name,
            problem,
            hint,
        })
    };
    let example = match of_changes {
        "changes" => "`[{ at = \"0.5 s\", rate = \"5 Mbit/s\" }]`",
        _ => "`0.5, 5000000`",
    };
    let (last, rate) = changes.last()?;
    match repeat {
        Some(repeat) if repeat <= *last => conflict(
            "repeat",
            format!("the changes begin again after `{repeat}`, and the last is at `{last}`"),
            "write a time after the last change, or leave `repeat` out".to_string(),
        ),
        None if rate.0 == 0 => conflict(
            of_changes,
            "the last rate is zero, so the link would never send again".to_string(),
            format!("end with a rate above zero, for example {example}"),
        ),
        Some(_) if changes.iter().all(|(_, rate)| rate.0 == 0) => conflict(
            of_changes,
            "every rate is zero, so the link would never send again".to_string(),
            format!("write a rate above zero too, for example {example}"),
        ),
        _ => None,
    }
}
