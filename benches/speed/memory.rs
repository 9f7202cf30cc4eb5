//! Memory that a flow takes.

use allocation_counter::AllocationInfo;
use kernel::{OnDemand, Runner, Time};

use super::measure::SEED;
use super::workload::Workload;

/// Octets for each flow.
pub struct Memory {
    /// Of the lowered scenario.
    pub scenario: f64,
    /// Of the network and all that is on its way, when it is the most.
    pub network: f64,
}

impl Memory {
    /// In a run over so many simulated seconds.
    pub fn new(workload: &Workload, seconds: f64) -> Memory {
        let (scenario, plan) = holding(|| workload.plan(seconds));
        let (network, ()) = holding(|| {
            let mut network = plan.network(SEED);
            OnDemand::default().run(&mut network, Time::ZERO + plan.spec.duration);
        });
        let each = |octets| octets as f64 / plan.flows.len() as f64;
        Memory {
            scenario: each(scenario.bytes_current.unsigned_abs()),
            network: each(network.bytes_max),
        }
    }
}

/// What is allocated while something is made, and what is made.
fn holding<T>(make: impl FnOnce() -> T) -> (AllocationInfo, T) {
    let mut result = None;
    let allocated = allocation_counter::measure(|| result = Some(make()));
    (allocated, result.expect("it was made"))
}
