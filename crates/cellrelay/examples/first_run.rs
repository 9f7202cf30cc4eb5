//! Reads a scenario, makes five replications, and prints what each connection carried.
//!
//! `cargo run --example first_run`

use cellrelay::{Error, Loader};

const SCENARIO: &str = include_str!("two-senders.toml");

fn main() {
    if let Err(error) = run() {
        eprintln!("error: {error}");
        std::process::exit(1);
    }
}

fn run() -> Result<(), Error> {
    // As with `--set` on the command line, any value can be replaced at its path.
    let scenario = Loader::new().set("warm_up", "2 s").text(SCENARIO)?;
    println!("{}", scenario.title());

    for replication in 0..5 {
        let report = scenario.run(scenario.seed().with_replication(replication));
        print!("replication {replication}:");
        for flow in scenario.flows() {
            let goodput = report.value(&format!("flow {} goodput", flow.name))?;
            print!("  {} {:5.2} Mbit/s", flow.name, goodput / 1e6);
        }
        println!("  fairness {:.3}", report.value("fairness_index")?);
        for warning in report.warnings() {
            println!("  warning: {warning}");
        }
    }
    Ok(())
}
