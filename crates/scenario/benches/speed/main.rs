//! `make bench`: how fast the kernel is, on fixed workloads, in units that can be compared.
//!
//! Times are of the processor. As machines differ, and the same one from minute to minute, each is
//! also given in *rings*: the time to push one cell into a ring buffer and to pop it, measured
//! before and after each run.

mod machine;
mod peers;

use std::hint::black_box;

use kernel::Seed;
use machine::{processor_seconds, resident_octets, ring_ns};
use parameters::Problems;
use scenario::lower::Plan;
use scenario::report::Report;
use scenario::simulation::Simulation;
use scenario::{Scenario, ScenarioSpec};

/// Counted runs of each workload; the median is reported.
const RUNS: usize = 5;

struct Workload {
    name: &'static str,
    settings: &'static [(&'static str, &'static str)],
}

const PACKET: (&str, &str) = ("flow.bulk.over.packet", "{}");
const TELNET_PACKET: (&str, &str) = ("flow.telnet.over.packet", "{}");
const TAIL_DROP: (&str, &str) = ("switch.s1.discard.tail_drop", "{}");
const SMALL: (&str, &str) = ("flow.bulk.transport.tcp.packet", "512 B");
const RECORD: (&str, &str) = ("record.every", "0.1 ms");
const FREE: (&str, &str) = ("switch.s1.fabric.immediate", "{}");

/// Ten TCPs through one port with 1000 cells of buffer, for 15 simulated seconds.
const WORKLOADS: &[Workload] = &[
    Workload {
        name: "cells, 512 B, EPD",
        settings: &[SMALL],
    },
    Workload {
        name: "cells, 9180 B, EPD",
        settings: &[],
    },
    Workload {
        name: "cells, 9180 B, EPD, free fabric",
        settings: &[FREE],
    },
    Workload {
        name: "cells, 9180 B, EPD, recorded",
        settings: &[RECORD],
    },
    Workload {
        name: "cells, 9180 B, plain",
        settings: &[TAIL_DROP],
    },
    Workload {
        name: "packets, 512 B",
        settings: &[PACKET, TELNET_PACKET, TAIL_DROP, SMALL],
    },
    Workload {
        name: "packets, 9180 B",
        settings: &[PACKET, TELNET_PACKET, TAIL_DROP],
    },
    Workload {
        name: "packets, 512 B, recorded",
        settings: &[PACKET, TELNET_PACKET, TAIL_DROP, SMALL, RECORD],
    },
];

fn main() {
    // `cargo test --benches` passes `--test`: then only show that everything runs.
    let short = std::env::args().any(|argument| argument == "--test");
    // First, while no memory has been given back that could be used again.
    let memory = memory(short);
    println!(
        "{:32} {:>8} {:>9} {:>8} {:>9} {:>8} {:>9} {:>9} {:>8}",
        "ten TCPs, one port, 15 s",
        "CPU s",
        "Mcells/s",
        "ns/cell",
        "rings",
        "ns/pkt",
        "rings",
        "heap/hop",
        "sim s/s"
    );
    for workload in WORKLOADS {
        println!("{}", measured(workload, short));
    }
    println!("\nmemory: {memory:.0} B a flow, with 1000 flows");
    peers::compare(short);
}

fn measured(workload: &Workload, short: bool) -> String {
    let plan = plan(workload.settings, if short { "0.05 s" } else { "15 s" });
    let duration = plan.spec.duration.seconds();
    let mut timed: Vec<(f64, f64, Report)> = (0..if short { 1 } else { RUNS })
        .map(|_| {
            let ring = ring_ns();
            let began = processor_seconds();
            let report = run(&plan);
            (
                processor_seconds() - began,
                f64::midpoint(ring, ring_ns()),
                report,
            )
        })
        .collect();
    timed.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (seconds, ring, report) = &timed[timed.len() / 2];
    let events = report.events;
    let per_packet = seconds * 1e9 / events.packet_hops as f64;
    let hops = events.cell_hops.max(events.packet_hops);
    let cells = if events.cell_hops == 0 {
        format!("{:>9} {:>8} {:>9}", "-", "-", "-")
    } else {
        let per_cell = seconds * 1e9 / events.cell_hops as f64;
        format!(
            "{:>9.1} {per_cell:>8.2} {:>9.2}",
            1e3 / per_cell,
            per_cell / ring
        )
    };
    format!(
        "{:32} {seconds:>8.3} {cells} {per_packet:>8.1} {:>9.1} {:>9.4} {:>8.0}",
        workload.name,
        per_packet / ring,
        events.heap_operations as f64 / hops as f64,
        duration / seconds,
    )
}

/// Memory that each of many flows takes, while they run.
fn memory(short: bool) -> f64 {
    const FLOWS: usize = 1000;
    let count = FLOWS.to_string();
    let settings = [("host.sender.count", &*count), SMALL];
    let before = resident_octets();
    let plan = plan(&settings, if short { "0.01 s" } else { "1 s" });
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

/// The base scenario of the first study with some settings changed.
fn plan(settings: &[(&str, &str)], duration: &str) -> Plan {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../studies/romanow_floyd/ten-tcp.toml"
    );
    let text = std::fs::read_to_string(path).expect("the study is part of the repository");
    let settings: Vec<(String, String)> = settings
        .iter()
        .chain([&("duration", duration)])
        .map(|(path, value)| ((*path).to_string(), (*value).to_string()))
        .collect();
    let check = |spec: &ScenarioSpec, problems: &mut Problems| {
        Plan::new(spec, problems);
    };
    let scenario = Scenario::read(&text, "ten-tcp.toml", &settings, &check)
        .unwrap_or_else(|error| panic!("{error}"));
    Plan::new(&scenario.spec, &mut Problems::default()).expect("a scenario without mistakes")
}
