//! A simulator of transport protocols over cells and packets, as a library.
//!
//! A [`Scenario`] describes a network, the flows through it, and what is measured. It is read from
//! a file or a text, or a program builds it; it is planned once, and run many times:
//!
//! ```
//! use cellrelay::{Scenario, Seed};
//!
//! # fn main() -> Result<(), cellrelay::Error> {
//! let scenario = Scenario::parse(r#"
//!     duration = "2 s"
//!     [host.client]
//!     [host.server]
//!     [switch.s1]
//!     buffer.per_output = "32 KiB"
//!     [link.access]
//!     between = ["client", "s1"]
//!     rate = "155.52 Mbit/s"
//!     [link.slow]
//!     between = ["s1", "server"]
//!     rate = "10 Mbit/s"
//!     delay = "5 ms"
//!     [flow.upload]
//!     from = "client"
//!     to = "server"
//!     source.greedy = {}
//!     transport.tcp = {}
//!     over.packet = {}
//! "#)?;
//!
//! for replication in 0..3 {
//!     let report = scenario.run(Seed::of(1, replication));
//!     let goodput = report.value("flow upload goodput")?;
//!     assert!(goodput > 1e6 && goodput < 10e6, "{goodput} bit/s");
//! }
//! # Ok(())
//! # }
//! ```
//!
//! # Where to begin
//!
//! - **Scenarios**: [`Scenario::open`] reads a file, [`Loader`] a file or a text with settings, and
//!   a [`Builder`] makes one of values. All of them read the same parameters, which
//!   [`Scenario::resolved`] lists with their defaults, and report all mistakes at once, each with its place and a hint ([`Error`]).
//! - **Runs**: [`Scenario::run`] makes a whole run, and [`Scenario::run_attended`] one that the
//!   caller may cancel. [`Scenario::simulate`] gives a [`Simulation`], which the caller advances
//!   from instant to instant: in the event loop of a program, or beside another simulator.
//! - **Numbers**: a [`Report`] has numbers and series, each with the [`Scope`] that it describes;
//!   [`Simulation::so_far`] reads the numbers in the middle of a run, and [`Simulation::observe`]
//!   the queues, windows and counts at an instant.
//! - **Controls**: [`Simulation::set`] changes the rate of a source, the threshold of a buffer or
//!   the loss of a link while the run goes on.
//! - **Packets**: [`Simulation::tap`] notes the packets that leave an output, and
//!   [`Simulation::packets`] gives them.
//! - **Members of your own**: [`members`] takes a discard policy, a congestion control, a source or
//!   a member of five other families, which a scenario then names like any other.
//!
//! The folder `examples` of the crate holds whole programs.
//!
//! # Guarantees
//!
//! - *Same inputs, same bytes.* A scenario, a [`Seed`] and a version give one report, bit for bit,
//!   on every machine, however the caller divides the run into steps. [`Report::digest`] compares
//!   reports.
//! - *Time is exact.* A [`Time`] counts picoseconds since the start of the run, and a [`Duration`]
//!   the picoseconds between two instants.
//! - *Nothing fails in a run.* Reading reports every mistake. A run that breaks a law of
//!   conservation, which would be a defect of the simulator, panics in place of reporting wrong
//!   numbers.
//! - *Threads are the caller's.* The library reads no clock, starts no thread, and reads no file
//!   but those that a scenario names. A [`Scenario`] is `Send` and `Sync`, and a [`Report`] too; a
//!   [`Simulation`] is `Send`.
//!
//! # Versions
//!
//! This crate follows [semantic versioning](https://semver.org); numbers of runs may change with
//! any version, and the changelog lists such changes. The crates below this one, `cellrelay-kernel`
//! and others, are the parts of the simulator, whose interfaces may change at any time. The
//! smallest version of Rust is that of `rust-version` in the manifest, and a larger one is a minor
//! change.
#![deny(missing_docs)]

mod build;
mod error;
mod load;
pub mod members;
mod network;
mod packets;
mod report;
mod scenario;
mod seed;
mod simulation;
mod value;

pub use build::Builder;
pub use error::Error;
pub use load::Loader;
pub use network::{Flow, Link, Node};
pub use packets::{Packet, Packets, Tap};
pub use report::{Measured, Report, Series, Work};
pub use scenario::Scenario;
pub use seed::Seed;
pub use simulation::{Reading, Simulation};
pub use value::Value;

#[doc(inline)]
pub use ::scenario::document::Location;
#[doc(inline)]
pub use ::scenario::lower::NodeKind;
#[doc(inline)]
pub use ::scenario::report::Warning;
#[doc(inline)]
pub use ::scenario::scope::{Name, Place, Scope};
#[doc(inline)]
pub use ::scenario::{Fault, ScenarioError};
#[doc(inline)]
pub use kernel::{Duration, Time};
#[doc(inline)]
pub use models::link::tap::Fate;
#[doc(inline)]
pub use models::metrics::ScopeKind;
#[doc(inline)]
pub use models::wire::class::Class;

/// The example of the page that the registry shows.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
