//! Random networks of all components: no run panics, and all runners give the same report.
//!
//! A network is drawn from the parameters that components state, and written as a scenario. Refused
//! values are mended; a network that cannot be mended is discarded.
//! `RANDOM_NETWORKS` is the number of valid networks to run, which `make soak` sets, and
//! `RANDOM_NETWORKS_SEED` the seed of the first; each further network has the next seed. The valid
//! networks are also written into the folder `RANDOM_NETWORKS_FOLDER`, if it is set.

extern crate cellrelay_scenario as scenario;

#[path = "../common/mod.rs"]
mod common;
mod coverage;
mod dice;
mod failure;
mod judge;
mod mend;
mod network;
mod rows;
mod shrink;
mod values;

use std::collections::BTreeSet;
use std::path::Path;
use std::{fs, panic};

use dice::Dice;

/// Valid networks that are run, unless the environment says otherwise.
const COUNT: u64 = 150;

/// Runs each file of `found`, the smallest network that showed a certain defect.
#[test]
fn what_was_found_is_mended() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/random_networks/found");
    for entry in fs::read_dir(folder).expect("a folder of scenarios") {
        let path = entry.expect("a scenario").path();
        let text = fs::read_to_string(&path).expect("a text");
        let failure = failure::failure(&text);
        assert!(failure.is_none(), "{}: {failure:?}", path.display());
        assert!(mend::plan(&text).is_ok(), "{} has mistakes", path.display());
    }
}

#[test]
fn any_network_runs_alike_by_every_runner() {
    let wanted = setting("RANDOM_NETWORKS").unwrap_or(COUNT);
    let first = setting("RANDOM_NETWORKS_SEED").unwrap_or(1);
    let (mut valid, mut drawn) = (0, 0);
    while valid < wanted {
        let seed = first + drawn;
        drawn += 1;
        let text = panic::catch_unwind(|| {
            let dice = &mut Dice::new(seed);
            mend::mended(network::any(dice), dice)
        });
        let Some(text) = text.unwrap_or_else(|_| panic!("network {seed} cannot be drawn")) else {
            continue;
        };
        valid += 1;
        keep(seed, &text);
        if let Some(failure) = failure::failure(&text) {
            let smallest = shrink::shrunk(&text, &failure.place);
            let still = failure::failure(&smallest).unwrap_or_default();
            panic!(
                "network {seed} fails at {}: {}\n\n{text}\n\
                 as little of it as fails there: {}\n\n{smallest}\n\
                 again: RANDOM_NETWORKS=1 RANDOM_NETWORKS_SEED={seed} \
                 cargo test -p cellrelay-scenario --test random_networks",
                failure.place, failure.message, still.message
            );
        }
    }
    println!("{valid} of {drawn} networks were valid");
    assert!(
        valid * 3 >= drawn,
        "only {valid} of {drawn} networks were valid"
    );
}

/// Parameters that no network is drawn with, with the reason.
const LEFT_OUT: &[(&str, &str)] = &[];

/// Draws networks without running them, and lists the parameters of nodes, links and flows that none has.
#[test]
fn every_parameter_is_drawn() {
    let wanted =
        setting("RANDOM_NETWORKS_DRAWN").unwrap_or(if common::is_soak() { 3000 } else { 0 });
    let mut found = BTreeSet::new();
    let mut valid = 0;
    for seed in 1..=wanted {
        let dice = &mut Dice::new(seed);
        let Some(text) = mend::mended(network::any(dice), dice) else {
            continue;
        };
        valid += 1;
        coverage::add_written(&text, &mut found);
    }
    if wanted == 0 {
        return;
    }
    let mut missing = coverage::all();
    missing.retain(|path| {
        let is_left_out = LEFT_OUT.iter().any(|(begin, _)| path.starts_with(begin));
        !found.contains(path) && !is_left_out
    });
    println!(
        "{valid} of {wanted} networks have {} parameters",
        found.len()
    );
    let missing: Vec<String> = missing.into_iter().collect();
    assert!(missing.is_empty(), "no network has\n{}", missing.join("\n"));
}

/// Writes a network into the folder that the environment names, if it names one.
fn keep(seed: u64, text: &str) {
    if let Some(folder) = std::env::var_os("RANDOM_NETWORKS_FOLDER") {
        let path = Path::new(&folder).join(format!("{seed}.toml"));
        fs::write(path, text).expect("the folder can be written to");
    }
}

/// The number that an environment variable holds, if it is set.
fn setting(name: &str) -> Option<u64> {
    let text = std::env::var(name).ok()?;
    Some(
        text.parse()
            .unwrap_or_else(|_| panic!("{name} is a number")),
    )
}
