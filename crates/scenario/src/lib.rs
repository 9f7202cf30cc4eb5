//! What users write, lowered to a network, and the report that comes back.
//!
//! The way of a scenario: a [`source`] text is parsed into a [`document`], a tree of values that know
//! their places; [`settings`] of the command line and the points of a [`sweep`] are put over it
//! ([`assign`]), and what is written in the files that it names is [`included`]; the result is
//! understood as a [`spec`], and [`render`]ed with every default filled
//! in. [`lower`] turns it into a network, [`simulation`] runs that, and a [`report`] comes back; on
//! request, a [`capture`] keeps what passed on the way, or who [`watch`]es sees it. What is wrong is gathered into one
//! [`error`]; what is right and hardly meant, into doubts. What editors, type checkers and readers need to know of all this is made by
//! [`generate`].

pub mod assign;
pub mod capture;
pub mod document;
mod doubts;
pub mod error;
pub mod generate;
pub mod included;
pub mod lower;
pub mod render;
pub mod replications;
pub mod report;
pub mod scenario;
pub mod settings;
pub mod simulation;
pub mod source;
pub mod spec;
pub mod sweep;
mod syntax;
pub mod topology;
pub mod watch;

pub use error::{Fault, ScenarioError};
pub use scenario::Scenario;
pub use spec::ScenarioSpec;
