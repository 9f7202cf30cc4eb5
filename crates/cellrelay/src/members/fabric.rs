//! Fabrics: they move cells from the inputs of a switch to its outputs, and decide the order.
//!
//! The switch tells a fabric the [`NextCell`] of each input. When the time [`Fabric::next_wake`] has
//! come, the fabric moves cells by [`Crossing::pass`], which returns the cell behind each.
//!
//! ```
//! use cellrelay::members::fabric::{Crossing, Fabric, Family, Inputs, NextCell};
//! use cellrelay::members::{Member, OpenFamily, parameters};
//! use cellrelay::{Duration, Time};
//!
//! parameters! {
//!     /// A bus: it moves one cell of any input at a time, in order of arrival.
//!     pub struct Bus {
//!         /// Time that the bus takes for a cell.
//!         pub cell_time: Duration,
//!     }
//! }
//!
//! impl Member<Family> for Bus {
//!     fn build(&self, inputs: &Inputs) -> Box<dyn Fabric> {
//!         Box::new(State {
//!             cell_time: self.cell_time,
//!             heads: vec![None; inputs.inputs],
//!             free: Time::ZERO,
//!         })
//!     }
//!
//!     fn answers(&self) -> &() {
//!         &()
//!     }
//! }
//!
//! struct State {
//!     cell_time: Duration,
//!     /// The next cell of each input.
//!     heads: Vec<Option<NextCell>>,
//!     /// Time from which the bus is free.
//!     free: Time,
//! }
//!
//! impl State {
//!     /// The input whose next cell arrives first, with its arrival.
//!     fn first(&self) -> Option<(Time, usize)> {
//!         let inputs = self.heads.iter().enumerate();
//!         inputs.filter_map(|(input, head)| Some(((*head)?.arrival, input))).min()
//!     }
//! }
//!
//! impl Fabric for State {
//!     fn next_wake(&self) -> Time {
//!         let first = self.first();
//!         first.map_or(Time::NEVER, |(arrival, _)| arrival.max(self.free) + self.cell_time)
//!     }
//!
//!     fn expect(&mut self, input: usize, next: NextCell) {
//!         self.heads[input] = Some(next);
//!     }
//!
//!     fn forget(&mut self, input: usize) {
//!         self.heads[input] = None;
//!     }
//!
//!     fn advance(&mut self, crossing: &mut Crossing<'_, '_>) {
//!         while let Some((_, input)) = self.first() {
//!             let now = self.next_wake();
//!             if crossing.is_closed(now) {
//!                 return;
//!             }
//!             self.heads[input] = crossing.pass(now, input);
//!             self.free = now;
//!         }
//!     }
//! }
//!
//! # const TEXT: &str = include_str!("../../examples/two-senders.toml");
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! Family::register::<Bus>("bus", "1")?;
//! let loader = cellrelay::Loader::new().set("duration", "1 s");
//! let run = |bus: &str| -> Result<cellrelay::Report, cellrelay::Error> {
//!     let scenario = loader.clone().set("switch.s1.fabric", bus).text(TEXT)?;
//!     Ok(scenario.run(1))
//! };
//! // A bus of 10 Mbit/s is slower than the link behind it, and no queue forms there.
//! let slow = run("{ bus.cell_time = \"42.4 us\" }")?;
//! assert!(slow.value("goodput")? < 10e6);
//! assert!(slow.value("port s1->receiver max_queue")? <= 1.0);
//! let fast = run("{ bus.cell_time = \"1 us\" }")?;
//! assert!(fast.value("goodput")? > 15e6);
//! # Ok(())
//! # }
//! ```

#[doc(inline)]
pub use models::switch::crossing::Crossing;
#[doc(inline)]
pub use models::switch::fabric::{Fabric, FabricSpec as Family, Inputs, NextCell};
#[doc(inline)]
pub use models::switch::stretch::StretchEnd;
#[doc(inline)]
pub use models::ties::Chance;
