//! What users write, lowered to a network, and the report that comes back.

pub mod assign;
pub mod document;
pub mod error;
pub mod generate;
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

pub use error::{Fault, ScenarioError};
pub use scenario::Scenario;
pub use spec::ScenarioSpec;
