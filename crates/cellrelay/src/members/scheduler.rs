//! Schedulers: the order in which an output sends the cells or packets that wait.
//!
//! ```
//! use std::collections::BTreeSet;
//!
//! use cellrelay::members::scheduler::{
//!     ClassDivision, Family, OutputVcs, QueuePer, Scheduler, SchedulerKind,
//! };
//! use cellrelay::members::{Member, OpenFamily, parameters};
//!
//! parameters! {
//!     /// Each VC has a queue of its own, and the VC with the lowest number goes first.
//!     pub struct LowestFirst {}
//! }
//!
//! impl Member<Family> for LowestFirst {
//!     fn build(&self, _vcs: &OutputVcs) -> Box<dyn Scheduler> {
//!         Box::new(State::default())
//!     }
//!
//!     fn answers(&self) -> &(dyn SchedulerKind + 'static) {
//!         self
//!     }
//! }
//!
//! impl SchedulerKind for LowestFirst {
//!     fn queue_per(&self) -> QueuePer {
//!         QueuePer::Vc
//!     }
//!
//!     fn classes(&self) -> Option<&dyn ClassDivision> {
//!         None
//!     }
//! }
//!
//! /// The queues in which units wait.
//! #[derive(Default)]
//! struct State(BTreeSet<usize>);
//!
//! impl Scheduler for State {
//!     fn begin(&mut self, queue: usize, _first: u32) {
//!         self.0.insert(queue);
//!     }
//!
//!     fn next(&self) -> Option<usize> {
//!         self.0.first().copied()
//!     }
//!
//!     fn served(&mut self, queue: usize, next: Option<u32>) {
//!         if next.is_none() {
//!             self.0.remove(&queue);
//!         }
//!     }
//! }
//!
//! # const TEXT: &str = include_str!("../../examples/two-senders.toml");
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! Family::register::<LowestFirst>("lowest_first", "1")?;
//! let loader = cellrelay::Loader::new()
//!     .set("duration", "1 s")
//!     .set("switch.s1.scheduler", "{ lowest_first = {} }")
//!     // A window for which the link is fast enough, so that nothing is dropped.
//!     .set("flow.file.transport.tcp.window", "6 kB");
//! let report = loader.text(TEXT)?.run(1);
//! let [first, second] = [0, 1].map(|flow| report.value(&format!("flow file[{flow}] max_delay")));
//! assert!(first? < second?);
//! # Ok(())
//! # }
//! ```

#[doc(inline)]
pub use models::output::scheduler::{
    ClassDemand, ClassDivision, OutputVcs, QueuePer, Scheduler, SchedulerKind,
    SchedulerSpec as Family,
};
