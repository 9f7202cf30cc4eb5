//! The tests of scenarios in one executable, since an executable for each file takes minutes to link.
//!
//! Random networks are an executable of their own, which a search for defects starts by itself.

mod common;

mod allocations;
mod batches;
mod capture;
mod classes;
mod clean_paths;
mod credit;
mod deadlock;
mod defaults;
mod discard;
mod edge;
mod equivalence;
mod explicit_rate;
mod generated;
mod golden;
mod laws;
mod limits;
mod long_credit;
mod loss;
mod lowering;
mod marks;
mod memory;
mod mistakes;
mod phases;
mod points;
mod policing;
mod recalled;
mod robustness;
mod routers;
mod switch;
mod theory;
mod traces;
mod traffic;
mod warnings;
mod watch;
