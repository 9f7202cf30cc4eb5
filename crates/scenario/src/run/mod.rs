//! A run, from its plan to its report.
//!
//! [`SteppedRun`] is a run that its caller advances from pause to pause, and [`Simulation`] one that goes
//! to its end, for a caller that watches or cancels it. At the end [`conservation`] checks the
//! counts of the whole network, and [`passage`] those of each node. [`key`] makes the digest under
//! which the store finds a run.

mod conservation;
pub mod key;
mod passage;
mod simulation;
mod steps;

pub use simulation::{RunProgress, RunState, Simulation, Stopped, VISITS};
pub use steps::{SteppedRun, record_all};
