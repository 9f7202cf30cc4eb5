//! Time and motion.
//!
//! The kernel moves units between nodes over links and knows no protocol. From the bottom up:
//! [`time`] and [`rate`] are exact integers; [`random`] gives every use of chance its own stream;
//! a [`link`] holds what was committed to it; a [`node`] acts on its own and takes what arrives;
//! a [`network`] joins them; a [`run`]ner decides who acts when.
//!
//! The contract on simultaneous events is stated at [`node::Node`].

pub mod link;
pub mod network;
pub mod node;
pub mod random;
pub mod rate;
pub mod run;
pub mod time;
pub mod tournament;

pub use link::Link;
pub use network::{Network, Wire};
pub use node::{Node, Outlet};
pub use random::{Seed, Stream};
pub use rate::Rate;
pub use run::{OnDemand, Runner, Stepwise, Windows};
pub use time::{Duration, Time};
pub use tournament::Tournament;
