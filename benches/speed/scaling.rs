//! How the cost of a cell-hop grows with the number of flows, of switches, and with simulated time.

use super::measure::Measured;
use super::memory::Memory;
use super::workload::find;

/// Runs of each workload; the median is reported.
const RUNS: usize = 3;

/// Prints a line of comma-separated values for each workload.
pub fn print() {
    println!("axis,number,workload,seconds,hops,ns,octets_per_flow");
    for flows in [1, 3, 10, 30, 100, 300, 1000, 3000, 10_000] {
        row("flows", flows, &format!("flows={flows}"), 1.0);
    }
    for switches in [1, 2, 4, 8, 16, 32, 64] {
        row("hops", switches, &format!("switches={switches}"), 0.25);
    }
    for seconds in [1, 2, 4, 8, 16, 32] {
        row("seconds", seconds, "ten-cells-9180", f64::from(seconds));
    }
}

fn row(axis: &str, number: u32, workload: &str, seconds: f64) {
    let found = find(workload).expect("a workload of that name");
    let measured = Measured::new(&found, seconds, RUNS);
    println!(
        "{axis},{number},{workload},{seconds},{},{:.2},{:.0}",
        measured.hops(),
        measured.ns_per_hop(),
        Memory::new(&found, seconds).most(),
    );
}
