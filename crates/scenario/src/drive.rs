//! Driving a run to its end for somebody who waits for it.

use std::time::{Duration, Instant};

use kernel::Seed;

use crate::capture::{Append, CaptureOptions};
use crate::lower::Plan;
use crate::report::Report;
use crate::simulation::{Simulation, Stopped};

/// Time between two looks of [`Attendant::look`].
const LOOK: Duration = Duration::from_millis(50);

/// Waits for a run.
pub trait Attendant {
    /// Takes in the share of simulated time that is done, many times a second; false stops the run.
    fn attend(&mut self, done: f64) -> bool;

    /// Takes in the cells and packets that have entered links, a few times a second, since every port
    /// is asked for them; false stops the run.
    fn look(&mut self, events: u64) -> bool;
}

/// Runs a plan to the end and reports; `capture` says what is captured, and where that goes.
///
/// # Errors
/// The attendant stopped the run, or what was captured could not be written.
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
