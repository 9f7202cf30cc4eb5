//! The units that links carry, and their contents.
//!
//! A transport exchanges [`segment`]s, which are part of the [`contents`] of packets and PDUs; its
//! data have an [`ecn`] codepoint. A [`cell`] travels on a virtual channel ([`vc`]), which has a
//! service [`class`], as a packet has a [`priority`]; a [`format`] says into how many cells a PDU is
//! cut, by its [`adaptation`], and [`aal5`] reassembles PDUs. A [`unit`] is what a link carries: a
//! train of cells, a packet, an amendment of cells that have not arrived, a control frame of the link,
//! or, with link-level retry, a numbered frame, which an [`update_frame`] is too, or an [`ordered_set`].

pub(crate) mod aal5;
pub mod adaptation;
pub mod between;
pub mod cell;
pub mod class;
pub mod connection;
pub mod contents;
pub mod cyclic_count;
pub mod ecn;
pub mod format;
pub mod packet;
pub mod priority;
pub mod segment;
pub mod unit;
pub mod vc;
