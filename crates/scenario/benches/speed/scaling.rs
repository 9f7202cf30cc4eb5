//! How the cost of a cell-hop grows with the number of flows, of hops, and with simulated time.

use super::workloads::{SMALL, chain, plan, ten_tcps};
use super::{resident_octets, timed};

/// Prints a table for each.
pub fn print(short: bool) {
    let few = |all: &[usize]| -> Vec<usize> {
        all.iter()
            .copied()
            .take(if short { 1 } else { all.len() })
            .collect()
    };
    heading("flows through one port");
    for flows in few(&[1, 10, 100, 1000, 10_000]) {
        let count = flows.to_string();
        let duration = if short { "0.01 s" } else { "1 s" };
        let settings = [
            ("host.sender.count", &*count),
            SMALL,
            ("switch.s1.fabric.immediate", "{}"),
            ("duration", duration),
        ];
        row(flows, &ten_tcps(), &settings);
    }
    heading("switches in a chain");
    for switches in few(&[2, 4, 8, 16, 32, 64]) {
        let duration = if short { "0.01 s" } else { "1 s" };
        let text = chain(switches).replace("OVER", "ubr");
        row(switches, &text, &[("duration", duration)]);
    }
    heading("simulated seconds");
    for seconds in few(&[1, 4, 16, 64]) {
        let duration = format!("{seconds} s");
        let duration = if short { "0.01 s" } else { &duration };
        row(seconds, &ten_tcps(), &[("duration", duration)]);
    }
}

fn heading(what: &str) {
    println!(
        "\n{what:24} {:>9} {:>8} {:>6} {:>10}",
        "cell-hops", "ns/cell", "rings", "memory MB"
    );
}

fn row(number: usize, text: &str, settings: &[(&str, &str)]) {
    let plan = plan(text, settings);
    let (seconds, ring, report) = timed(&plan, 1);
    let cells = report.events.cell_hops as f64;
    let each = seconds * 1e9 / cells;
    println!(
        "{number:24} {cells:>9.2e} {each:>8.2} {:>6.2} {:>10.1}",
        each / ring,
        resident_octets() as f64 / 1e6
    );
}
