//! Scenarios, lowered to a network, and reports of runs.
//!
//! From text to run: a [`document`] is the text of a scenario as a tree of values with their places,
//! in which the settings of the command line and the points of a [`sweep`] replace values. The tree
//! is read as a [`spec`], the root of all parameters, which [`lower`] turns into a plan once. A
//! [`scenario`] is all of this: it is read and checked at every point of its sweep.
//!
//! A [`run`] makes the plan's network and drives it to the end; [`steer`] changes it at a pause. The
//! result is a [`report`], in which each number has the [`scope`] that it describes, and a [`goal`]
//! names one of these numbers; on request, a [`capture`] keeps the packets, and [`watch`] shows the
//! run. [`generate`] makes the files for editors, type checkers and readers.

pub mod capture;
pub mod document;
pub mod generate;
pub mod goal;
pub mod lower;
pub mod report;
pub mod run;
#[cfg(test)]
mod samples;
pub mod scenario;
pub mod scope;
pub mod spec;
pub mod steer;
mod sweep;
pub mod watch;

pub use document::{Fault, ScenarioError};
pub use scenario::Scenario;
pub use spec::ScenarioSpec;
