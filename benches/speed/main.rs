//! How fast the kernel is, on fixed workloads.
//!
//! Times are of the processor. They differ from machine to machine and from minute to minute:
//! `benches/*.py` count instructions, and time peers in turn.

mod around;
mod machine;
mod measure;
mod memory;
mod network;
mod peers;
mod scaling;
mod table;
mod threads;
mod watched;
mod workload;

use std::process::ExitCode;

use workload::Workload;

const USAGE: &str = "usage: speed table | scaling | list
       speed run | results | threads WORKLOAD SECONDS
       speed around NETWORK SIZE";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words[..] {
        ["table"] => table::print(),
        ["scaling"] => scaling::print(),
        ["list"] => workload::counted().for_each(|(id, seconds)| println!("{id} {seconds}")),
        ["run", id, seconds] => return with(id, seconds, run),
        ["results", id, seconds] => return with(id, seconds, peers::print),
        ["threads", id, seconds] => return with(id, seconds, threads::print),
        ["around", name, size] => {
            let parts = size.parse().ok().and_then(|size| around::parts(name, size));
            let Some(parts) = parts else {
                return misused();
            };
            println!("{parts}");
        }
        _ => return misused(),
    }
    ExitCode::SUCCESS
}

/// Does something with a workload and so many simulated seconds, if there is such a workload.
fn with(id: &str, seconds: &str, act: fn(&Workload, f64)) -> ExitCode {
    match (workload::find(id), seconds.parse()) {
        (Some(workload), Ok(seconds)) => act(&workload, seconds),
        _ => return misused(),
    }
    ExitCode::SUCCESS
}

/// Runs a workload once, to be watched from outside, and prints how many cell-hops it had, or
/// packet-hops where there are no cells.
fn run(workload: &Workload, seconds: f64) {
    let report = measure::run_as(workload, seconds);
    println!("{}", measure::hops(&report.events));
}

fn misused() -> ExitCode {
    eprintln!("{USAGE}");
    ExitCode::from(2)
}
