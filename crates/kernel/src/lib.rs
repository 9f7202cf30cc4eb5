//! Simulated time, and the nodes and links that change with it.
//!
//! The kernel moves units between nodes over links and knows no protocol. From the bottom up:
//! [`time`] and [`rate`] are exact integers; [`random`] gives each use of random numbers a stream
//! of its own; a [`link`] holds the units committed to it; a [`node`] handles its own events and
//! arriving units; a [`network`] joins nodes by links; a [`run`]ner decides which node acts next,
//! and [`Threads`] runs the parts of a network side by side.
//!
//! [`node::Node`] states the order of simultaneous events.

mod arrivals;
pub mod index;
pub mod link;
mod meeting;
pub mod network;
pub mod node;
mod parts;
pub mod random;
pub mod rate;
pub mod run;
mod threads;
pub mod time;
pub mod tournament;

pub use link::Link;
pub use network::{Network, Wire};
pub use node::{LinkOutlet, Node};
pub use parts::{Division, Movable};
pub use random::{Seed, Stream};
pub use rate::{Rate, RememberingRate};
pub use run::{OnDemand, Runner, Stepwise, Windows};
pub use threads::Threads;
pub use time::{Duration, Time};
pub use tournament::Tournament;
