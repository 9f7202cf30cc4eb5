//! Memory that a flow takes, with its share of hosts, links and ports.

use allocation_counter::AllocationInfo;
use kernel::{OnDemand, Runner, Time};

use super::measure::SEED;
use super::workload::Workload;

/// Octets for each flow, as they are asked for; only what is resident comes in pages.
pub struct Memory {
    /// Of the lowered scenario.
    pub scenario: f64,
    /// Of the network at the start.
    pub network: f64,
    /// The most beyond these at any time: all that is on its way, and what makes room for it.
    pub window: f64,
    /// What the system has to provide for all of this, unless there was some left from before.
    pub resident: f64,
}

impl Memory {
    /// In a run over so many simulated seconds.
    pub fn new(workload: &Workload, seconds: f64) -> Memory {
        let before = resident();
        let (scenario, plan) = holding(|| workload.plan(seconds));
        let (at_start, mut network) = holding(|| plan.network(SEED));
        let end = Time::ZERO + plan.spec.duration;
        let (beyond, ()) = holding(|| OnDemand::default().run(&mut network, end));
        let each = |octets: u64| octets as f64 / plan.paths.flows.len() as f64;
        Memory {
            scenario: each(scenario.bytes_current.unsigned_abs()),
            network: each(at_start.bytes_current.unsigned_abs()),
            window: each(beyond.bytes_max),
            resident: each(resident().saturating_sub(before)),
        }
    }

    /// The network and all that is on its way, when it is the most.
    pub fn most(&self) -> f64 {
        self.network + self.window
    }
}

/// What is allocated while something is made, and what is made.
fn holding<T>(make: impl FnOnce() -> T) -> (AllocationInfo, T) {
    let mut result = None;
    let allocated = allocation_counter::measure(|| result = Some(make()));
    (allocated, result.expect("it was made"))
}

/// Memory that this process holds; nothing where the system does not tell.
fn resident() -> u64 {
    const PAGE: u64 = 4096;
    let pages = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    let pages = pages.split(' ').nth(1).and_then(|pages| pages.parse().ok());
    pages.unwrap_or(0) * PAGE
}
