//! What users write, lowered to a network, and the report that comes back.
//!
//! The way of a [`scenario`]: a [`source`] text is parsed into a [`document`], a tree of values that
//! know their places; [`settings`] of the command line and the points of a [`sweep`] are put over it
//! ([`assign`]), and the contents of the files that it names in its [`folder`] are [`included`]. The
//! tree is understood as a [`spec`], which [`lower`] turns into a plan, once. [`render`] writes the
//! spec with every default filled in, and its [`key`] names its runs.
//!
//! [`simulation`] runs a plan, [`drive`] does so for somebody who waits, and a [`report`] with a
//! [`digest`] comes back; a [`capture`] keeps what passes on the way, and a [`watch`] shows it. What is
//! wrong is gathered into one [`error`]; what is right and hardly meant, into doubts. [`generate`]
//! tells editors, type checkers and readers what may be written.

pub mod assign;
pub mod capture;
pub mod digest;
pub mod document;
mod doubts;
pub mod drive;
pub mod error;
pub mod folder;
pub mod generate;
pub mod included;
pub mod key;
pub mod lower;
pub mod render;
pub mod replications;
pub mod report;
pub mod scenario;
pub mod settings;
pub mod simulation;
pub mod source;
pub mod spec;
mod spellings;
pub mod sweep;
mod syntax;
pub mod topology;
pub mod watch;

pub use error::{Fault, ScenarioError};
pub use scenario::Scenario;
pub use spec::ScenarioSpec;
