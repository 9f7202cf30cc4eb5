//! Execution of a run for a caller that waits for its end.

use std::time::{Duration, Instant};

use kernel::Seed;

use crate::capture::{Append, CaptureOptions};
use crate::lower::Plan;
use crate::report::Report;
use crate::simulation::{Simulation, Stopped};

/// Time between two calls of [`Attendant::look`].
const LOOK: Duration = Duration::from_millis(50);

/// A caller that waits for a run.
pub trait Attendant {
    /// Receives the share of simulated time that is done, many times a second; returns false to
    /// stop the run.
    fn attend(&mut self, done: f64) -> bool;

    /// Receives the number of cells and packets that have entered links, a few times a second,
    /// since the count visits every port; returns false to stop the run.
    fn look(&mut self, events: u64) -> bool;
}

/// Runs a plan to the end and reports; `capture` has the options and the destination of captures.
///
/// # Errors
/// The attendant stopped the run, or captured packets could not be written.
///
/// # Panics
/// If a model breaks a law of conservation.
pub fn drive(
    plan: &Plan,
    seed: Seed,
    capture: Option<(&CaptureOptions, Append<'_>)>,
    attendant: &mut impl Attendant,
) -> Result<Report, Stopped> {
    let mut simulation = Simulation::new(plan, seed);
    if let Some((options, append)) = capture {
        simulation.capture(options, append);
    }
    let mut looked = Instant::now();
    simulation.run(|underway| {
        if looked.elapsed() > LOOK {
            looked = Instant::now();
            if !attendant.look(underway.events()) {
                return false;
            }
        }
        attendant.attend(underway.fraction)
    })
}
