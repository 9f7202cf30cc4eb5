//! Congestion controls of TCP: the window of a sender, in octets of user data.
//!
//! The example `own_congestion_control` of the crate is a whole program. A control without SACK
//! reports recovers as NewReno does; any other [`LossRecovery`] takes two answers:
//!
//! ```
//! use cellrelay::members::congestion::{
//!     Ack, CongestionControl, CongestionEvent, CongestionKind, Family, Limits, LossRecovery,
//!     Recovery, Reports,
//! };
//! use cellrelay::members::{Member, OpenFamily, parameters};
//!
//! parameters! {
//!     /// A window of constant size.
//!     pub struct Constant {
//!         /// Segments that may be outstanding.
//!         #[range(1, 100)]
//!         pub segments: u32 = 10,
//!     }
//! }
//!
//! impl Member<Family> for Constant {
//!     fn build(&self, limits: &Limits) -> Box<dyn CongestionControl> {
//!         let cwnd = (u64::from(self.segments) * limits.mss).min(limits.window);
//!         Box::new(State { cwnd })
//!     }
//!
//!     fn answers(&self) -> &(dyn CongestionKind + 'static) {
//!         self
//!     }
//! }
//!
//! impl CongestionKind for Constant {
//!     fn recovery(&self) -> Box<dyn Recovery> {
//!         LossRecovery::Rack.build()
//!     }
//!
//!     fn reports(&self) -> Option<Reports> {
//!         LossRecovery::Rack.reports()
//!     }
//!
//!     fn needs_exact_marks(&self) -> bool {
//!         false
//!     }
//! }
//!
//! struct State {
//!     cwnd: u64,
//! }
//!
//! impl CongestionControl for State {
//!     fn on_ack(&mut self, _ack: &Ack) {}
//!     fn on_loss(&mut self, _event: &CongestionEvent) {}
//!     fn on_timeout(&mut self, _event: &CongestionEvent) {}
//!     fn resume_from(&mut self, _octets: u64) {}
//!
//!     fn cwnd(&self) -> u64 {
//!         self.cwnd
//!     }
//!
//!     fn ssthresh(&self) -> u64 {
//!         self.cwnd
//!     }
//! }
//!
//! # const TEXT: &str = include_str!("../../examples/two-senders.toml");
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! Family::register::<Constant>("constant", "1")?;
//! let loader = cellrelay::Loader::new().set("duration", "1 s");
//! let loader = loader.set("flow.file.transport.tcp", "{ congestion.constant.segments = 2 }");
//! let report = loader.text(TEXT)?.run(1);
//! // Two segments in a round trip of at least 4 ms, and no queue.
//! assert!(report.value("flow file[0] goodput")? < 2.0 * 1460.0 * 8.0 / 4e-3);
//! assert!(report.value("port s1->receiver max_queue")? < 150.0);
//! # Ok(())
//! # }
//! ```

#[doc(inline)]
pub use models::transport::tcp::congestion::{
    Ack, CongestionControl, CongestionEvent, CongestionKind, CongestionSpec as Family, Delivery,
    Echo, Limits, LossRecovery,
};
#[doc(inline)]
pub use models::transport::tcp::recovery::{Recovery, Reports};
