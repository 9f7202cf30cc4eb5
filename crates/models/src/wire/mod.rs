//! The units that links carry, and their contents.
//!
//! A transport exchanges [`segment`]s, which are part of the [`contents`] of packets and PDUs; its
//! data have an [`ecn`] codepoint. A [`cell`] travels on a virtual channel ([`vc`]), which has a
//! service [`class`]; [`aal5`] cuts PDUs into cells and reassembles them. A [`unit`] is what a link
//! carries: a train of cells, a packet, or an amendment of cells that have not arrived.

pub(crate) mod aal5;
pub mod cell;
pub mod class;
pub mod contents;
pub mod ecn;
pub mod segment;
pub mod unit;
pub mod vc;
