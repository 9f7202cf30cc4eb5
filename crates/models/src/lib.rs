//! The components of networks.
//!
//! From the bottom up: [`abr`] has the end systems of ABR; [`metrics`] counts; [`wire`] is what
//! travels on links: cells, packets and their contents. [`gcra`] decides whether cells conform to a
//! rate, and [`police`] drops or tags those that do not; [`ties`] orders units that arrive at one
//! instant. A [`link`] has what its two ends do: they lose units, note them for captures, pause each
//! other, give credits, and send again what was lost.
//!
//! At a [`host`], a [`traffic`] source writes to a [`transport`], whose packets a [`bearer`]
//! carries; the [`connections`] of a flow come and go; [`jitter`] delays the packets, and a
//! [`paced`] sender spaces their cells. A [`switch`]
//! forwards cells, a [`router`] packets, and an [`edge`] segments packets and reassembles cells;
//! each has an [`output`] in front of every link. A [`node`] is
//! a host, a switch, a router or an edge; [`paths`] are the rules by which switches and routers choose
//! among equal paths. [`rates`] changes the rates of links, and a [`shaper`] lets packets
//! wait in front of them. [`flow`] holds the parameters of flows, and [`group`] those of groups of
//! nodes.
//!
//! Components are members of families, one file each; `ARCHITECTURE.md` states what a family may
//! import, and a test enforces it. No function here returns an error, because lowering refuses
//! every scenario that could fail.

pub mod abr;
mod agenda;
pub mod bearer;
pub mod connections;
pub mod edge;
pub mod flow;
mod free_multiple;
pub mod gcra;
pub mod group;
pub mod host;
pub mod jitter;
pub mod link;
pub mod metrics;
pub mod node;
pub mod output;
pub mod paced;
pub mod parcel;
pub mod paths;
pub mod police;
pub mod rates;
pub mod router;
pub mod shaper;
pub mod switch;
pub mod ties;
pub mod traffic;
pub mod transport;
pub mod wire;
