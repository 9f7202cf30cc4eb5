//! One workload, run and measured.

use kernel::Seed;
use scenario::lower::Plan;
use scenario::report::{Events, Report};
use scenario::simulation::Simulation;

use super::machine::{processor_seconds, ring_ns};
use super::workload::Workload;

/// What a run took, and what it did.
pub struct Measured {
    /// Seconds of processor time.
    pub seconds: f64,
    /// Nanoseconds to push a cell into a ring buffer and to pop another, at about the same time.
    pub ring: f64,
    /// What was done.
    pub events: Events,
    /// Simulated seconds.
    pub simulated: f64,
    /// Most memory that the run held at once, in octets, its scenario included.
    memory: u64,
    flows: usize,
}

impl Measured {
    /// The median of so many runs over so many simulated seconds.
    pub fn new(workload: &Workload, seconds: f64, runs: usize) -> Measured {
        let mut measured: Vec<Measured> = (0..runs).map(|_| once(workload, seconds)).collect();
        measured.sort_by(|a, b| a.seconds.total_cmp(&b.seconds));
        measured.swap_remove(runs / 2)
    }

    /// Nanoseconds for each cell on each link that it entered; nothing where there are no cells.
    pub fn ns_per_cell(&self) -> Option<f64> {
        let hops = self.events.cell_hops;
        (hops > 0).then(|| self.seconds * 1e9 / hops as f64)
    }

    /// Nanoseconds for each packet or PDU on each link that it entered.
    pub fn ns_per_packet(&self) -> f64 {
        self.seconds * 1e9 / self.events.packet_hops as f64
    }

    /// Nanoseconds for each cell, or packet, on each link that it entered.
    pub fn ns_per_hop(&self) -> f64 {
        self.ns_per_cell().unwrap_or_else(|| self.ns_per_packet())
    }

    /// Most memory at once for each flow.
    pub fn octets_per_flow(&self) -> f64 {
        self.memory as f64 / self.flows as f64
    }

    /// Cells, or packets, on each link that they entered.
    pub fn hops(&self) -> u64 {
        hops(&self.events)
    }
}

fn once(workload: &Workload, simulated: f64) -> Measured {
    let before = ring_ns();
    let mut done = None;
    let allocated = allocation_counter::measure(|| {
        let plan = workload.plan(simulated);
        let began = processor_seconds();
        let report = run(&plan);
        let seconds = processor_seconds() - began;
        done = Some((seconds, report.events, plan.flows.len()));
    });
    let (seconds, events, flows) = done.expect("it was run");
    Measured {
        seconds,
        ring: f64::midpoint(before, ring_ns()),
        events,
        simulated,
        memory: allocated.bytes_max,
        flows,
    }
}

/// Cells on each link that they entered, or packets where there are no cells.
pub fn hops(events: &Events) -> u64 {
    if events.cell_hops > 0 {
        events.cell_hops
    } else {
        events.packet_hops
    }
}

/// One run, always with the same random numbers.
pub fn run(plan: &Plan) -> Report {
    let seed = Seed {
        seed: 1,
        replication: 0,
    };
    let simulation = Simulation::new(plan, seed);
    simulation.run(|_| true).expect("nobody cancels")
}
