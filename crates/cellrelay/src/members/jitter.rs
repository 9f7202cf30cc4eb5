//! Jitter: the time that a sending host takes for each packet, between the queue of its flow and the
//! link.
//!
//! ```
//! use cellrelay::Duration;
//! use cellrelay::members::jitter::{Family, FlowPath, Jitter};
//! use cellrelay::members::{Member, OpenFamily, Stream, parameters};
//!
//! parameters! {
//!     /// Exponential, with a mean.
//!     pub struct Exponential {
//!         /// Mean time for a packet.
//!         pub mean: Duration = "10 us",
//!     }
//! }
//!
//! impl Member<Family> for Exponential {
//!     fn build(&self, path: &FlowPath) -> Box<dyn Jitter> {
//!         Box::new(State { mean: self.mean, random: path.stream() })
//!     }
//!
//!     fn answers(&self) -> &() {
//!         &()
//!     }
//! }
//!
//! struct State {
//!     mean: Duration,
//!     random: Stream,
//! }
//!
//! impl Jitter for State {
//!     fn next(&mut self) -> Duration {
//!         self.random.exponential(self.mean)
//!     }
//! }
//!
//! # const TEXT: &str = include_str!("../../examples/two-senders.toml");
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! Family::register::<Exponential>("exponential", "1")?;
//! let loader = cellrelay::Loader::new().set("duration", "1 s");
//! let goodput = |jitter: &str| -> Result<f64, cellrelay::Error> {
//!     let scenario = loader.clone().set("flow.file.jitter", jitter).text(TEXT)?;
//!     scenario.run(1).value("flow file[0] goodput")
//! };
//! // A host that takes 10 ms for a packet sends about a hundred of 1460 octets a second.
//! let slow = goodput("{ exponential.mean = \"10 ms\" }")?;
//! assert!((slow / (100.0 * 1460.0 * 8.0) - 1.0).abs() < 0.3);
//! assert!(goodput("{ exponential = {} }")? > 2.0 * slow);
//! # Ok(())
//! # }
//! ```

#[doc(inline)]
pub use models::jitter::{FlowPath, Jitter, JitterSpec as Family};
