//! Members of families that a program adds: its own discard policy, its own congestion control.
//!
//! A component of a scenario is a member of a *family*: `early_packet` is one of the discard
//! policies. A program may register another member, before it reads a scenario; the scenario then
//! names it like any other, and its parameters have units, ranges, places and hints.
//!
//! A member is a type with three parts: its parameters, stated with [`parameters!`]; its properties
//! before a run, such as [`discard::DiscardKind`]; and its state in a run, such as
//! [`discard::Discard`], which [`Member::build`] makes for each output or sender.
//!
//! ```
//! use cellrelay::members::discard::{Buffer, Decision, Discard, DiscardKind, Family, Occupancy};
//! use cellrelay::members::discard::Cell;
//! use cellrelay::members::{Member, Open, parameters};
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
//! # const TEXT: &str = include_str!("../examples/two-senders.toml");
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! Family::register::<TopDrop>("top_drop", "1")?;
//! let loader = cellrelay::Loader::new().set("duration", "1 s");
//! let scenario = loader.set("switch.s1.discard.top_drop.part", "0.5").text(TEXT)?;
//! assert!(scenario.run(1).value("port s1->receiver max_queue")? <= 150.0);
//! # Ok(())
//! # }
//! ```

#[doc(inline)]
pub use parameters::{Member, NotRegistered, Open, parameters};

/// Discard policies: the cells or packets that the buffer of an output drops.
pub mod discard {
    #[doc(inline)]
    pub use models::cell::Cell;
    #[doc(inline)]
    pub use models::output::discard::{
        Buffer, Decision, Discard, DiscardKind, DiscardSpec as Family, Occupancy, Promise,
    };
}

/// Congestion controls of TCP: the window of a sender.
pub mod congestion {
    #[doc(inline)]
    pub use models::transport::tcp::congestion::{
        Ack, CongestionControl, CongestionEvent, CongestionKind, CongestionSpec as Family,
        Delivery, Echo, Limits,
    };
    #[doc(inline)]
    pub use models::transport::tcp::recovery::Reports;
}
