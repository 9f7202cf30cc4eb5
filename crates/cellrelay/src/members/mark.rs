//! Marking rules: the cells or packets that report congestion to their receivers.
//!
//! ```
//! use cellrelay::members::mark::{Buffer, Family, Mark, Occupancy};
//! use cellrelay::members::quantities::{Amount, Fraction};
//! use cellrelay::members::{Member, OpenFamily, Stream, parameters};
//!
//! parameters! {
//!     /// Marks at random while the queue is long.
//!     pub struct Coin {
//!         /// Queue length beyond which units are marked.
//!         pub above: Amount = "25 %",
//!         /// Probability of a mark.
//!         pub probability: Fraction = "50 %",
//!     }
//! }
//!
//! impl Member<Family> for Coin {
//!     fn build(&self, buffer: &Buffer) -> Box<dyn Mark> {
//!         Box::new(State {
//!             above: buffer.units(self.above),
//!             probability: self.probability.0,
//!             random: buffer.random.clone(),
//!         })
//!     }
//!
//!     fn answers(&self) -> &() {
//!         &()
//!     }
//! }
//!
//! struct State {
//!     above: u64,
//!     probability: f64,
//!     random: Stream,
//! }
//!
//! impl Mark for State {
//!     fn marks(&mut self, queue: Occupancy) -> bool {
//!         queue.queued > self.above && self.random.unit() < self.probability
//!     }
//! }
//!
//! # const TEXT: &str = include_str!("../../examples/two-senders.toml");
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! Family::register::<Coin>("coin", "1")?;
//! let loader = cellrelay::Loader::new().set("duration", "1 s");
//! let share = |rule: &str| -> Result<f64, cellrelay::Error> {
//!     let scenario = loader.clone().set("switch.s1.mark", rule).text(TEXT)?;
//!     scenario.run(1).value("port s1->receiver marked_share")
//! };
//! // TCP without ECN ignores the marks, so the queue is the same each time.
//! let all = share("{ threshold.above = \"25 %\" }")?;
//! let half = share("{ coin = {} }")?;
//! assert!(all > 0.1 && (half / all - 0.5).abs() < 0.05);
//! # Ok(())
//! # }
//! ```

#[doc(no_inline)]
pub use super::discard::{Buffer, Occupancy};
#[doc(inline)]
pub use models::output::mark::{Mark, MarkSpec as Family};
