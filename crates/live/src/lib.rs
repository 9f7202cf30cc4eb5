//! The live page of a run: its contents, and the commands of its viewers.
//!
//! The page has two hosts: the server of `cellrelay watch`, and a worker of the browser in which the
//! core runs as WebAssembly. Both speak one protocol to the page, which this crate states. A host
//! sends the [`layout`] of each new run, [`snapshot`]s of it, and its [`state`]; it reads the
//! [`command`]s of viewers, and asks a [`pace`] when the run may go on. The host has the clock, the
//! thread or the loop in which the run proceeds, and the scenarios that viewers can open.
//!
//! Nothing here looks at a clock: each host passes the time in seconds since an instant of its own.

pub mod arrange;
pub mod command;
pub mod gauges;
pub mod history;
pub mod layout;
pub mod limits;
pub mod pace;
mod places;
pub mod points;
pub mod problems;
pub mod snapshot;
pub mod state;
