//! The components of networks.
//!
//! From the bottom up: [`abr`] has the end systems of ABR; [`metrics`] counts; [`credit`] has the
//! sender and the receiver of a link with credit. A transport exchanges [`segment`]s, which are
//! part of the [`contents`] of packets and PDUs; a [`cell`] travels on a virtual channel ([`vc`]),
//! which has a service [`class`]. [`gcra`] decides whether cells conform to a rate, and [`police`]
//! drops or tags those that do not; [`aal5`] cuts PDUs into cells and reassembles them; links carry
//! [`unit`]s; [`ties`] orders units that arrive at one instant; a [`tap`] notes packets for
//! captures.
//!
//! At a [`host`], a [`traffic`] source writes to a [`transport`], whose packets a [`bearer`]
//! carries; the [`connections`] of a flow come and go; [`jitter`] delays the packets, and a
//! [`paced`] sender spaces their cells. A [`switch`]
//! forwards cells, a [`router`] packets, and an [`edge`] segments packets and reassembles cells;
//! each has an [`output`] in front of every link, where units may be lost ([`loss`]). A [`node`] is
//! a host, a switch, a router or an edge; [`paths`] are the rules by which switches and routers choose
//! among equal paths. [`link`] and [`flow`] hold the parameters of links and
//! flows.
//!
//! Components are members of families, one file each; `ARCHITECTURE.md` states what a family may
//! import, and a test enforces it. No function here returns an error, because lowering refuses
//! every scenario that could fail.

mod aal5;
pub mod abr;
mod agenda;
pub mod bearer;
pub mod cell;
pub mod class;
pub mod connections;
pub mod contents;
pub mod credit;
pub mod ecn;
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
pub mod parcel;
pub mod paths;
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
