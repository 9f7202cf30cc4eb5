//! The components of networks.
//!
//! From the bottom up: [`abr`], the end systems of rate control; [`metrics`], the counts, and
//! [`credit`], the sender and the receiver of a link with credit; a transport's [`segment`] and the
//! [`contents`] of packets and PDUs; a [`cell`] on a virtual channel ([`vc`]), which has a service
//! [`class`]; [`gcra`], which decides whether cells conform to a rate, and [`police`], which drops
//! or tags those that do not; [`aal5`], which cuts PDUs into cells and reassembles them; [`unit`]s,
//! which links carry; [`ties`] between units that arrive at one instant, and a [`tap`], which notes
//! packets for captures.
//!
//! At a [`host`], a [`traffic`] source writes to a [`transport`], whose packets a [`bearer`]
//! carries; the [`connections`] of a flow come and go; [`jitter`] delays them, and a [`paced`] sender spaces their cells. A [`switch`]
//! forwards cells, a [`router`] packets, and an [`edge`] segments packets and reassembles cells;
//! each has an [`output`] in front of every link, where units may be lost ([`loss`]). A [`node`] is
//! a host, a switch, a router or an edge. [`link`] and [`flow`] are what a scenario states of links
//! and flows.
//!
//! Components are members of families, one file each; `ARCHITECTURE.md` states what a family may
//! import, and a test enforces it. Nothing here can fail: lowering refuses every scenario that
//! could.

mod aal5;
pub mod abr;
mod agenda;
pub mod bearer;
pub mod cell;
pub mod class;
pub mod connections;
pub mod contents;
pub mod credit;
pub mod edge;
pub mod flow;
pub mod gcra;
pub mod host;
pub mod jitter;
pub mod link;
pub mod loss;
pub mod metrics;
pub mod node;
pub mod output;
pub mod paced;
pub mod police;
pub mod router;
pub mod segment;
pub mod switch;
pub mod tap;
pub mod ties;
pub mod traffic;
pub mod transport;
pub mod unit;
pub mod vc;
