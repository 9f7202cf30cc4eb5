//! The core as WebAssembly: the host of the live page in a worker of a browser.
//!
//! The worker has one thread, on which a [`player`] handles the commands of the page and advances
//! the [`session`] of its present run, a few milliseconds at a time. The [`exports`] are all that the
//! worker calls. `live` states what the page gets, for this host and for the server.

pub mod exports;
pub mod player;
mod session;
mod table;
