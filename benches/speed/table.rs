//! The table of `make bench`.

use super::measure::Measured;
use super::memory::Memory;
use super::workload::{Workload, groups, port_of};

/// Runs of each workload; the median is reported.
const RUNS: usize = 5;

/// Prints what memory a flow takes, and a table for each group of workloads.
pub fn print() {
    memory();
    for group in groups() {
        println!(
            "\n{:32} {:>6} {:>7} {:>7} {:>7} {:>8} {:>8} {:>7} {:>7}",
            group.title,
            "CPU s",
            "Mhops/s",
            "ns/cell",
            "ns/pkt",
            "recorded",
            "heap/hop",
            "sim s/s",
            "KB/flow",
        );
        for workload in &group.workloads {
            println!("{}", row(workload));
        }
    }
}

/// Measured first, while no memory has been given back that could be used again, but after what is
/// made once for all scenarios.
fn memory() {
    drop(port_of(1).plan(1.0));
    println!(
        "{:32} {:>8} {:>8} {:>8} {:>8}",
        "octets a flow", "scenario", "network", "window", "resident"
    );
    for flows in [1_000, 10_000] {
        let memory = Memory::new(&port_of(flows), 1.0);
        println!(
            "{:32} {:>8.0} {:>8.0} {:>8.0} {:>8.0}",
            format!("one of {flows}"),
            memory.scenario,
            memory.network,
            memory.window,
            memory.resident
        );
    }
}

fn row(workload: &Workload) -> String {
    let measured = Measured::new(workload, workload.timed, RUNS);
    let recorded = Measured::new(&workload.clone().recorded(), workload.timed, RUNS);
    format!(
        "{:32} {:>6.3} {:>7.1} {:>7} {:>7.1} {:>8.2} {:>8.4} {:>7.0} {:>7.1}",
        workload.way,
        measured.seconds,
        1e3 / measured.ns_per_hop(),
        measured
            .ns_per_cell()
            .map_or_else(|| "-".into(), |ns| format!("{ns:.2}")),
        measured.ns_per_packet(),
        recorded.seconds / measured.seconds,
        measured.events.heap_operations as f64 / measured.hops() as f64,
        measured.simulated / measured.seconds,
        Memory::new(workload, workload.timed).most() / 1e3,
    )
}
