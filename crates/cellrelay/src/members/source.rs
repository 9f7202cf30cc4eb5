//! Traffic sources: the times at which the application of a flow writes data, and the amounts.
//!
//! ```
//! use cellrelay::members::quantities::{Bytes, RandomTime};
//! use cellrelay::members::source::{
//!     Application, Demand, Family, OnLink, PacketSizes, Source, SourceKind, Spacing, Write,
//! };
//! use cellrelay::members::{Member, OpenFamily, parameters};
//! use cellrelay::Time;
//!
//! parameters! {
//!     /// Writes once.
//!     pub struct Burst {
//!         /// Time of the write; drawn for each member of a group.
//!         pub start: RandomTime = "0 s",
//!         /// User data of the write.
//!         #[range("1 B", "1 GiB")]
//!         pub size: Bytes = "64 KiB",
//!     }
//! }
//!
//! impl Member<Family> for Burst {
//!     fn build(&self, application: &Application) -> Box<dyn Source> {
//!         let start = self.start.draw(&mut application.stream("start"));
//!         Box::new(State(Some(Write { at: Time::ZERO + start, octets: self.size.0 })))
//!     }
//!
//!     fn answers(&self) -> &(dyn SourceKind + 'static) {
//!         self
//!     }
//! }
//!
//! impl SourceKind for Burst {
//!     fn start(&self) -> RandomTime {
//!         self.start
//!     }
//!
//!     fn demand(&self) -> Demand<'_> {
//!         Demand::Open
//!     }
//!
//!     fn spacing(&self, _packets: &PacketSizes) -> Option<Spacing> {
//!         None
//!     }
//!
//!     fn load(&self, _link: &OnLink) -> Option<(&'static str, f64)> {
//!         None
//!     }
//! }
//!
//! struct State(Option<Write>);
//!
//! impl Source for State {
//!     fn next(&mut self) -> Option<Write> {
//!         self.0.take()
//!     }
//! }
//!
//! # const TEXT: &str = include_str!("../../examples/two-senders.toml");
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! Family::register::<Burst>("burst", "1")?;
//! let loader = cellrelay::Loader::new().set("duration", "1 s");
//! let report = loader.set("flow.file.source", "{ burst.size = \"30 kB\" }").text(TEXT)?.run(1);
//! assert_eq!(report.value("flow file[0] octets_delivered")?, 30_000.0);
//! # Ok(())
//! # }
//! ```

#[doc(inline)]
pub use models::traffic::length::{LengthSpec, Lengths};
#[doc(inline)]
pub use models::traffic::{
    Application, Demand, ENDLESS, OnLink, PacketSizes, Source, SourceKind, SourceRate,
    SourceSpec as Family, Spacing, Write,
};
