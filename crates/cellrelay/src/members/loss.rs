//! Losses: the cells or packets that a link does not deliver, however much buffer is free.
//!
//! ```
//! use cellrelay::members::loss::{Family, LinkLoss, LossKind, LossUnit, SentUnit, Way};
//! use cellrelay::members::{Member, OpenFamily, parameters};
//!
//! parameters! {
//!     /// Loses every tenth packet, or another, in the direction in which the link is written.
//!     pub struct EveryNth {
//!         /// Packets from one loss to the next.
//!         #[range(1, 1000000)]
//!         pub n: u32 = 10,
//!     }
//! }
//!
//! impl Member<Family> for EveryNth {
//!     fn build(&self, way: &Way) -> Option<Box<dyn LinkLoss>> {
//!         let (n, sent) = (self.n, 0);
//!         (!way.reverse).then(|| Box::new(State { n, sent }) as Box<dyn LinkLoss>)
//!     }
//!
//!     fn answers(&self) -> &(dyn LossKind + 'static) {
//!         self
//!     }
//! }
//!
//! impl LossKind for EveryNth {
//!     fn unit(&self) -> LossUnit {
//!         LossUnit::Packet
//!     }
//!
//!     fn needs_instants(&self) -> bool {
//!         false
//!     }
//!
//!     fn listed(&self) -> Option<&[u64]> {
//!         None
//!     }
//! }
//!
//! struct State {
//!     n: u32,
//!     sent: u32,
//! }
//!
//! impl LinkLoss for State {
//!     fn next(&mut self, _sent: SentUnit) -> bool {
//!         self.sent = (self.sent + 1) % self.n;
//!         self.sent == 0
//!     }
//! }
//!
//! # const TEXT: &str = include_str!("../../examples/two-senders.toml");
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! Family::register::<EveryNth>("every_nth", "1")?;
//! let loader = cellrelay::Loader::new().set("duration", "1 s");
//! let report = loader.set("link.slow.loss", "{ every_nth.n = 50 }").text(TEXT)?.run(1);
//! let [offered, lost] = ["packets_offered", "packets_lost"]
//!     .map(|count| report.value(&format!("link s1->receiver {count}")));
//! assert_eq!(lost?, (offered? / 50.0).floor());
//! assert!(report.value("link receiver->s1 packets_lost").is_err());
//! # Ok(())
//! # }
//! ```

#[doc(inline)]
pub use models::link::loss::{
    Fragments, LinkLoss, LossKind, LossSpec as Family, LossUnit, SentUnit, Way,
};
