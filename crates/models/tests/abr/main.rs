//! Laws of ABR end systems and of allocators, and runs of both on small networks.
//!
//! Scripts play each rule by itself: see the folder `conformance` of the repository.

#![allow(missing_docs)]

mod allocators;
mod properties;
mod runs;
