//! Laws of ABR end systems and of allocators, and runs of both on small networks. The scripts in
//! `conformance` test each rule by itself.

#![allow(missing_docs)]

extern crate cellrelay_models as models;

mod allocators;
mod properties;
mod runs;
