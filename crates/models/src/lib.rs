//! The components of networks.
//!
//! From the bottom up: [`abr`], the end systems of rate control; a [`cell`] on a virtual channel
//! ([`vc`]), which has a [`class`]; [`frame`]s, the contents of packets and PDUs; [`aal5`], which
//! cuts PDUs into cells and puts them together; [`unit`]s on links; [`gcra`], which decides whether a
//! cell keeps to a rate, and [`police`], which enforces it. A [`switch`] forwards cells, a [`router`]
//! packets. At a [`host`], a [`traffic`] source writes to a [`transport`], whose packets travel by a
//! [`carriage`]. [`metrics`] counts. A [`node`] is a host, a switch, a router or an edge.
//!
//! Components are members of families, one file each; what a family may know is stated in
//! `ARCHITECTURE.md` and enforced by a test. Nothing here can fail: what could go wrong is refused
//! when a scenario is lowered.

pub mod aal5;
pub mod abr;
pub mod carriage;
pub mod cell;
pub mod class;
pub mod credit;
pub mod edge;
pub mod flow;
pub mod frame;
pub mod gcra;
pub mod host;
pub mod jitter;
pub mod link;
pub mod loss;
pub mod metrics;
pub mod node;
pub mod output;
pub mod police;
pub mod router;
pub mod segment;
pub mod switch;
pub mod tap;
pub mod traffic;
pub mod transport;
pub mod unit;
pub mod vc;
