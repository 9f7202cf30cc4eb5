//! The components of networks.
//!
//! From the bottom up: [`abr`], the end systems of rate control; a [`cell`] on a virtual channel
//! ([`vc`]), which has a service [`class`]; [`contents`] of packets and PDUs; [`aal5`],
//! which cuts PDUs into cells and reassembles them; [`unit`]s, which links carry; [`gcra`], which
//! decides whether cells conform to a rate, and [`police`], which drops or tags those that do not.
//! A [`switch`] forwards cells, a [`router`] packets. At a [`host`], a [`traffic`] source writes to
//! a [`transport`], whose packets a [`bearer`] carries. [`metrics`] counts. A [`node`] is a host, a
//! switch, a router or an edge.
//!
//! Components are members of families, one file each; `ARCHITECTURE.md` states what a family may
//! import, and a test enforces it. Nothing here can fail: lowering refuses every scenario that
//! could.

mod aal5;
pub mod abr;
pub mod bearer;
pub mod cell;
pub mod class;
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
