//! Scenarios, lowered to a network, and reports of runs.
//!
//! From text to run: the [`source`] text of a [`scenario`] is parsed into a [`document`], a tree of
//! values with their places. [`settings`] of the command line and the points of a [`sweep`] replace
//! values in the tree ([`assign`]), and the contents of the files that the scenario names in its
//! [`folder`] are [`included`]. The tree is read as a [`spec`], which [`lower`] turns into a plan
//! once. [`render`] writes the spec with every default filled in, and [`key`] computes the digest
//! under which the store finds its runs.
//!
//! [`steps`] runs a plan for a caller that advances it, and [`steer`] changes it at a pause;
//! [`simulation`] runs a plan for a caller that may cancel the run. The result is a [`report`] with
//! a [`digest`], in which each number has the [`scope`] that it describes; on request, a
//! [`capture`] keeps the packets, and [`watch`] shows the run. Problems are gathered into one
//! [`error`]; valid values that are probably not intended, into doubts. [`generate`] makes the
//! files for editors, type checkers and readers.

pub mod assign;
pub mod capture;
mod conservation;
mod created;
mod digest;
pub mod document;
pub mod error;
pub mod folder;
pub mod generate;
pub mod goal;
mod included;
pub mod key;
pub mod lower;
mod passage;
mod point_problems;
pub mod render;
mod repeated_values;
mod replay;
mod replications;
pub mod report;
#[cfg(test)]
mod samples;
pub mod scenario;
pub mod scope;
mod settings;
pub mod simulation;
mod skeleton;
pub mod source;
pub mod spec;
pub mod steer;
pub mod steps;
mod sweep;
mod syntax;
mod topology;
mod unlikely_values;
pub mod watch;

pub use error::{Fault, ScenarioError};
pub use scenario::Scenario;
pub use spec::ScenarioSpec;
