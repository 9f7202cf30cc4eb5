//! `make bench`: how fast the kernel is, on fixed workloads, in units that can be compared.
//!
//! Times are of the processor. As machines differ, and the same one from minute to minute, each is
//! also given in *rings*: the time to push one cell into a ring buffer and to pop it, measured
//! before and after each run.

mod machine;
mod peers;
mod scaling;
mod workloads;

use std::hint::black_box;

use kernel::Seed;
use machine::{processor_seconds, resident_octets, ring_ns};
use scenario::lower::Plan;
use scenario::report::Report;
use scenario::simulation::Simulation;
use workloads::{GROUPS, Group, SMALL, Setting, plan, ten_tcps};

/// Counted runs of each workload; the median is reported.
const RUNS: usize = 5;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let asked = |option: &str| arguments.iter().any(|argument| argument == option);
    // `cargo test --benches` passes `--test`: then only show that everything runs.
    let short = asked("--test");
    if asked("--scaling") {
        scaling::print(short);
        return;
    }
    // First, while no memory has been given back that could be used again.
    let memory = memory(short);
    for group in GROUPS {
        println!(
            "{:37} {:>7} {:>8} {:>8} {:>6} {:>8} {:>6} {:>8} {:>7}",
            group.title,
            "CPU s",
            "Mcells/s",
            "ns/cell",
            "rings",
            "ns/pkt",
            "rings",
            "heap/hop",
            "sim s/s"
        );
        for (name, settings) in group.ways {
            println!("{}", measured(group, name, settings, short));
        }
        println!();
    }
    println!("memory: {memory:.0} B a flow, with 1000 flows");
    peers::compare(short);
}

/// The median of several runs: processor time, time of a push and pop, and what was done.
fn timed(plan: &Plan, runs: usize) -> (f64, f64, Report) {
    let mut timed: Vec<(f64, f64, Report)> = (0..runs)
        .map(|_| {
            let ring = ring_ns();
            let began = processor_seconds();
            let report = run(plan);
            let seconds = processor_seconds() - began;
            (seconds, f64::midpoint(ring, ring_ns()), report)
        })
        .collect();
    timed.sort_by(|a, b| a.0.total_cmp(&b.0));
    timed.swap_remove(runs / 2)
}

fn measured(group: &Group, name: &str, settings: &[Setting], short: bool) -> String {
    let duration = ("duration", if short { "0.05 s" } else { group.duration });
    let settings: Vec<Setting> = settings.iter().copied().chain([duration]).collect();
    let plan = plan(&(group.text)(), &settings);
    let (seconds, ring, report) = timed(&plan, if short { 1 } else { RUNS });
    let events = report.events;
    let per_packet = seconds * 1e9 / events.packet_hops as f64;
    let hops = events.cell_hops.max(events.packet_hops);
    let cells = if events.cell_hops == 0 {
        format!("{:>8} {:>8} {:>6}", "-", "-", "-")
    } else {
        let per_cell = seconds * 1e9 / events.cell_hops as f64;
        let millions = 1e3 / per_cell;
        format!("{millions:>8.1} {per_cell:>8.2} {:>6.2}", per_cell / ring)
    };
    format!(
        "{name:37} {seconds:>7.3} {cells} {per_packet:>8.1} {:>6.1} {:>8.4} {:>7.0}",
        per_packet / ring,
        events.heap_operations as f64 / hops as f64,
        plan.spec.duration.seconds() / seconds,
    )
}

/// Memory that each of many flows takes, while they run.
fn memory(short: bool) -> f64 {
    const FLOWS: usize = 1000;
    let count = FLOWS.to_string();
    let duration = ("duration", if short { "0.01 s" } else { "1 s" });
    let before = resident_octets();
    let plan = plan(
        &ten_tcps(),
        &[("host.sender.count", &count), SMALL, duration],
    );
    let mut highest = before;
    let simulation = Simulation::new(
        &plan,
        Seed {
            seed: 1,
            replication: 0,
        },
    );
    let report = simulation.run(|_| {
        highest = highest.max(resident_octets());
        true
    });
    black_box(report.is_ok());
    (highest - before) as f64 / FLOWS as f64
}

fn run(plan: &Plan) -> Report {
    let simulation = Simulation::new(
        plan,
        Seed {
            seed: 1,
            replication: 0,
        },
    );
    simulation.run(|_| true).expect("nobody cancels")
}
