//! Discard policies: the cells or packets that the buffer of an output drops.
//!
//! The [module of all families](crate::members) has a whole policy. One that decides about whole
//! packets keeps a [`Pdus`], and is asked about the first cell of each:
//!
//! ```
//! use cellrelay::members::discard::{
//!     Buffer, Cell, Decision, Discard, DiscardKind, Family, Occupancy, Overflow, Pdus,
//! };
//! use cellrelay::members::quantities::Amount;
//! use cellrelay::members::{Member, OpenFamily, parameters};
//!
//! parameters! {
//!     /// Drops whole packets that begin while the queue is long.
//!     pub struct Early {
//!         /// Queue length from which packets are dropped.
//!         pub threshold: Amount = "50 %",
//!     }
//! }
//!
//! impl Member<Family> for Early {
//!     fn build(&self, buffer: &Buffer) -> Box<dyn Discard> {
//!         let packets = Pdus::new(buffer.vcs, Overflow::PartialPacket);
//!         Box::new(State { threshold: buffer.units(self.threshold), packets })
//!     }
//!
//!     fn answers(&self) -> &(dyn DiscardKind + 'static) {
//!         self
//!     }
//! }
//!
//! impl DiscardKind for Early {
//!     fn needs_shared_queue(&self) -> bool {
//!         false
//!     }
//!
//!     fn drop_levels(&self, buffer: &Buffer) -> Vec<(&'static str, u64)> {
//!         vec![("threshold", buffer.units(self.threshold))]
//!     }
//!
//!     fn drops_whole_packets(&self) -> bool {
//!         true
//!     }
//! }
//!
//! struct State {
//!     threshold: u64,
//!     packets: Pdus,
//! }
//!
//! impl Discard for State {
//!     fn admit(&mut self, cell: &Cell, buffer: Occupancy) -> Decision {
//!         let threshold = self.threshold;
//!         self.packets.decision(cell, &buffer, || buffer.queued < threshold)
//!     }
//! }
//!
//! # const TEXT: &str = include_str!("../../examples/two-senders.toml");
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! Family::register::<Early>("early", "1")?;
//! let [own, built_in] = ["early", "early_packet"].map(|policy| {
//!     let loader = cellrelay::Loader::new().set("duration", "1 s");
//!     loader.set(format!("switch.s1.discard.{policy}"), "{}").text(TEXT)
//! });
//! assert_eq!(own?.run(1).digest(), built_in?.run(1).digest());
//! # Ok(())
//! # }
//! ```

#[doc(inline)]
pub use models::output::discard::{
    Buffer, Decision, Discard, DiscardKind, DiscardSpec as Family, Head, HeadDecision, Occupancy,
    Overflow, Pdus, Promise,
};
#[doc(inline)]
pub use models::wire::cell::Cell;
#[doc(inline)]
pub use models::wire::vc::Vc;
