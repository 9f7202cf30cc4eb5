//! Statements of parameters, each written once.
//!
//! A component states the name, type, default, range and meaning of each parameter in its own file,
//! with [`parameters!`]. [`registry!`] lists the members of a family, [`choices!`] plain words, and
//! [`presets!`] named sets of values. From that one statement come the reader (which reports each
//! mistake with its place and a hint), the writer of the normalised form, and the [`Shape`] from
//! which the JSON Schema, the Python types and the reference pages are generated. The syntax of the
//! statements is our own: decision 4 in `docs/decisions`.
//!
//! Scenarios come from several sources (a TOML file, the command line, Python); each is first
//! parsed into a tree of [`Written`] values, and all reading starts from that tree.
//!
//! ```
//! use kernel::Duration;
//! use cellrelay_parameters::{Parameter, Path, Problems, ParameterTable, parameters, value};
//!
//! parameters! {
//!     /// A clock that ticks.
//!     pub struct Clock {
//!         /// Time between ticks.
//!         #[range("1 ns", "10 s")]
//!         pub tick: Duration = "500 ms",
//!     }
//! }
//!
//! assert_eq!(Clock::defaults().tick, Duration::from_ps(500_000_000_000));
//!
//! let mut problems = Problems::default();
//! let place = Path::root().key("clock");
//! let clock = Clock::read(&value!({ tick = "1 h" }).into(), &place, &mut problems);
//! assert_eq!(clock, None);
//! assert_eq!(
//!     problems.to_string(),
//!     "clock.tick: `1 h` is out of range\n  hint: `tick` is from `1 ns` to `10 s`"
//! );
//! ```

mod alias;
pub mod family;
mod file;
mod hint;
mod macros;
pub mod named;
pub mod outside;
pub mod parameter;
pub mod path;
mod plain;
pub mod printable;
pub mod problem;
mod quantified;
pub mod quantity;
mod random_time;
pub mod record;
mod renamed;
pub mod shape;
pub mod suggest;
pub mod value;

pub use alias::Alias;
pub use file::{BadLine, FileContent, LineFormat};
pub use hint::Hint;
pub use named::{Named, is_name};
pub use outside::{Member, NotRegistered, OpenFamily};
pub use parameter::{Parameter, ParameterTable, understand};
pub use path::Path;
pub use plain::read_text;
pub use problem::{Problem, Problems};
pub use quantity::{
    Amount, BufferLimit, BufferSize, Bytes, CellCount, Fraction, MessageLength, Propagation,
    RateOrZero,
};
pub use random_time::RandomTime;
pub use record::Conflict;
pub use shape::{Field, Shape};
pub use value::{SourceId, Span, Value, ValueTable, Written, table};
