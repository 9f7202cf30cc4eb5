//! How fast the kernel is, on fixed workloads, in units that can be compared.
//!
//! Times are of the processor. As machines differ, and the same one from minute to minute, each is
//! also given in *rings*: the time to push one cell into a ring buffer and to pop it, measured
//! before and after each run.

mod machine;
mod measure;
mod memory;
mod network;
mod peers;
mod scaling;
mod table;
mod watched;
mod workload;

use std::process::ExitCode;

const USAGE: &str = "usage: speed table | peers | scaling | list | run WORKLOAD SECONDS";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words[..] {
        ["table"] => table::print(),
        ["peers"] => return peers::compare(),
        ["scaling"] => scaling::print(),
        ["list"] => workload::counted().for_each(|(id, seconds)| println!("{id} {seconds}")),
        ["run", id, seconds] => return run(id, seconds),
        _ => return misused(USAGE),
    }
    ExitCode::SUCCESS
}

/// Runs a workload once, to be watched from outside, and prints how many cell-hops it had, or
/// packet-hops where there are no cells.
fn run(id: &str, seconds: &str) -> ExitCode {
    match (workload::find(id), seconds.parse()) {
        (Some(workload), Ok(seconds)) => {
            let report = measure::run_as(&workload, seconds);
            println!("{}", measure::hops(&report.events));
            ExitCode::SUCCESS
        }
        _ => misused(USAGE),
    }
}

fn misused(message: &str) -> ExitCode {
    eprintln!("{message}");
    ExitCode::from(2)
}
