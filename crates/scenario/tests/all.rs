//! Collects the test files of scenarios in one executable: linking an executable for each file
//! would take minutes.
//!
//! Random networks have an executable of their own, so that a search for defects can run it alone.

extern crate cellrelay_scenario as scenario;

mod common;

mod allocations;
mod aqm;
mod batches;
mod bbr;
mod capture;
mod changing_rates;
mod classes;
mod clean_paths;
mod connections;
mod credit;
mod deadlock;
mod defaults;
mod discard;
mod edge;
mod effects;
mod equivalence;
mod explicit_rate;
mod formats;
mod frame_loss;
mod generated;
mod golden;
mod hints;
mod knockout;
mod laws;
mod limited_inputs;
mod limits;
mod listed_connections;
mod long_credit;
mod loss;
mod lossless;
mod lossless_golden;
mod lowering;
mod marks;
mod matchings;
mod memory;
mod messages;
mod misspelled;
mod mistakes;
mod outages;
mod packet_buffers;
mod packet_credit;
mod packet_mode;
mod packets;
mod passage;
mod paths;
mod pauses;
mod phases;
mod points;
mod policing;
mod priorities;
mod pulls;
mod recalled;
mod receive_windows;
mod recoveries;
mod replay;
mod retry;
mod returns;
mod robustness;
mod routers;
mod scheduled_cells;
mod several_links;
mod shared_links;
mod steering;
mod steps;
mod steps_that_wait;
mod stretches;
mod switch;
mod theory;
mod threads;
mod traces;
mod traffic;
mod trimming;
mod warnings;
mod watch;
mod watched_drops;
mod watched_motion;
mod watched_priorities;
mod watched_slots;

/// Every test file must be a module of this file: otherwise its tests would silently not run.
#[test]
fn every_file_is_a_module() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests");
    for entry in std::fs::read_dir(folder).expect("the folder of this file") {
        let path = entry.expect("its entries").path();
        let name = path.file_stem().and_then(|stem| stem.to_str());
        if let (Some("rs"), Some(name)) = (path.extension().and_then(|end| end.to_str()), name) {
            let line = format!("\nmod {name};\n");
            assert!(
                name == "all" || include_str!("all.rs").contains(&line),
                "{line}"
            );
        }
    }
}
