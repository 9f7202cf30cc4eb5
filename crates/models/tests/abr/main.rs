//! Laws of ABR end systems and of allocators, and runs of both on small networks.
//!
//! The scripts of the folder `conformance` test each rule alone.

#![allow(missing_docs)]

extern crate cellrelay_models as models;

mod allocators;
mod properties;
mod runs;
