//! Random networks of everything there is: nothing panics, and all runners report the same.
//!
//! A network is drawn from what the components tell of their parameters, and written as a scenario;
//! what the checker refuses is taken out, and a network of which too much is refused is thrown away.
//! `RANDOM_NETWORKS=5000` tries so many, as `make soak` does; `RANDOM_NETWORKS_SEED=7` begins with
//! another: the next has the next seed.

#[path = "../common/mod.rs"]
mod common;
mod dice;
mod judge;
mod mend;
mod network;
mod shrink;
mod values;

use std::fs;
use std::path::Path;

use dice::Dice;

/// Networks that are tried.
const COUNT: u64 = 300;

/// Each file is the smallest scenario that showed a defect.
#[test]
fn what_was_found_is_mended() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/random_networks/found");
    for entry in fs::read_dir(folder).expect("a folder of scenarios") {
        let path = entry.expect("a scenario").path();
        println!("{}", path.display());
        let text = fs::read_to_string(&path).expect("a text");
        judge::judge(&common::plan(&text, &[]));
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
        let dice = &mut Dice::new(seed);
        let Some(text) = mend::mended(network::any(dice), dice) else {
            continue;
        };
        valid += 1;
        if let Some(failure) = shrink::failure(&text) {
            let smallest = shrink::shrunk(&text, &failure.place);
            let still = shrink::failure(&smallest).unwrap_or_default();
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

/// The number that a variable of the environment gives.
fn setting(name: &str) -> Option<u64> {
    let text = std::env::var(name).ok()?;
    Some(
        text.parse()
            .unwrap_or_else(|_| panic!("{name} is a number")),
    )
}
