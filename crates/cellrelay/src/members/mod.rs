//! Members of families that a program adds: its own discard policy, its own congestion control, or a
//! member of six other families.
//!
//! A component of a scenario is a member of a *family*: `early_packet` is one of the discard
//! policies. A program may register another member, before it reads a scenario; the scenario then
//! names it like any other, and its parameters have units, ranges, places and hints.
//!
//! Each module is a family:
//!
//! | module | a member | written at | [`Member::build`] is called for each |
//! |---|---|---|---|
//! | [`discard`] | drops cells or packets | `switch.NAME.discard` | buffer of an output |
//! | [`mark`] | marks them | `switch.NAME.mark` | buffer of an output |
//! | [`scheduler`] | chooses the next to send | `switch.NAME.scheduler` | output |
//! | [`fabric`] | moves cells to outputs | `switch.NAME.fabric` | switch |
//! | [`loss`] | loses cells or packets | `link.NAME.loss` | direction of a link |
//! | [`source`] | writes data | `flow.NAME.source` | flow |
//! | [`jitter`] | takes time for a packet | `flow.NAME.jitter` | flow |
//! | [`congestion`] | limits a sender of TCP | `flow.NAME.transport.tcp.congestion` | connection |
//!
//! Routers have the first three too, as in `router.NAME.discard`, and edges the first two. What
//! `build` makes belongs to one run; it is called again for the next.
//!
//! A member is a type with three parts: its parameters, stated with [`parameters!`]; its properties
//! before a run, such as [`discard::DiscardKind`], which are `()` in families that need none; and
//! its state in a run, such as [`discard::Discard`], which [`Member::build`] makes. A random member
//! draws from the [`Stream`] that the context of `build` gives, and from nothing else, so that the
//! same seed gives the same numbers.
//!
//! ```
//! use cellrelay::members::discard::{Buffer, Decision, Discard, DiscardKind, Family, Occupancy};
//! use cellrelay::members::discard::Cell;
//! use cellrelay::members::{Member, OpenFamily, parameters};
//!
//! parameters! {
//!     /// Drops cells that arrive while more than a set part of the buffer is occupied.
//!     pub struct TopDrop {
//!         /// Part of the buffer that is used.
//!         #[range(0.1, 1)]
//!         pub part: f64 = 0.8,
//!     }
//! }
//!
//! impl Member<Family> for TopDrop {
//!     fn build(&self, buffer: &Buffer) -> Box<dyn Discard> {
//!         Box::new(State { most: (self.part * buffer.capacity as f64) as u64 })
//!     }
//!
//!     fn answers(&self) -> &(dyn DiscardKind + 'static) {
//!         self
//!     }
//! }
//!
//! impl DiscardKind for TopDrop {
//!     fn needs_shared_queue(&self) -> bool {
//!         false
//!     }
//!
//!     fn drop_levels(&self, buffer: &Buffer) -> Vec<(&'static str, u64)> {
//!         vec![("part", (self.part * buffer.capacity as f64) as u64)]
//!     }
//!
//!     fn drops_whole_packets(&self) -> bool {
//!         false
//!     }
//! }
//!
//! struct State {
//!     most: u64,
//! }
//!
//! impl Discard for State {
//!     fn admit(&mut self, _cell: &Cell, buffer: Occupancy) -> Decision {
//!         let fits = buffer.fits() && buffer.queued + buffer.size <= self.most;
//!         if fits { Decision::Accept } else { Decision::Drop }
//!     }
//! }
//!
//! # const TEXT: &str = include_str!("../../examples/two-senders.toml");
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! Family::register::<TopDrop>("top_drop", "1")?;
//! let loader = cellrelay::Loader::new().set("duration", "1 s");
//! let scenario = loader.set("switch.s1.discard.top_drop.part", "0.5").text(TEXT)?;
//! assert!(scenario.run(1).value("port s1->receiver max_queue")? <= 150.0);
//! # Ok(())
//! # }
//! ```

pub mod congestion;
pub mod discard;
pub mod fabric;
pub mod jitter;
pub mod loss;
pub mod mark;
pub mod quantities;
pub mod scheduler;
pub mod source;

#[doc(inline)]
pub use kernel::Stream;
#[doc(inline)]
pub use parameters::{Conflict, Member, NotRegistered, OpenFamily, choices, parameters};
