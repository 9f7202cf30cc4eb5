//! One workload, run and measured.

use kernel::Seed;
use scenario::lower::Plan;
use scenario::report::{Events, Report};
use scenario::run::Simulation;

use super::machine::processor_seconds;
use super::watched;
use super::workload::Workload;

/// Of all random numbers.
pub const SEED: Seed = Seed {
    seed: 1,
    replication: 0,
};

/// What a run took, and what it did.
pub struct Measured {
    /// Seconds of processor time.
    pub seconds: f64,
    /// What was done.
    pub events: Events,
    /// Simulated seconds.
    pub simulated: f64,
}

impl Measured {
    /// The median of so many runs over so many simulated seconds.
    pub fn new(workload: &Workload, seconds: f64, runs: usize) -> Measured {
        let plan = workload.plan(seconds);
        let mut measured: Vec<Measured> = (0..runs).map(|_| once(&plan)).collect();
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

    /// Cells, or packets, on each link that they entered.
    pub fn hops(&self) -> u64 {
        hops(&self.events)
    }
}

fn once(plan: &Plan) -> Measured {
    let began = processor_seconds();
    let events = run(plan).events;
    Measured {
        seconds: processor_seconds() - began,
        events,
        simulated: plan.spec.duration.seconds(),
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

/// One run of a workload, watched if that is its way.
pub fn run_as(workload: &Workload, seconds: f64) -> Report {
    let plan = workload.plan(seconds);
    match workload.watched {
        Some(look) => watched::run(&plan, look),
        None => run(&plan),
    }
}

/// One run, always with the same random numbers.
pub fn run(plan: &Plan) -> Report {
    let simulation = Simulation::new(plan, SEED);
    simulation.run(|_| true).expect("nobody cancels")
}
