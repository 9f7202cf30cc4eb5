//! Every act of every node of a workload, to see what several threads could share: see
//! `benches/threads.py`.

use std::io::{BufWriter, Write, stdout};
use std::time::Instant;

use kernel::{Duration, Network, Node, OnDemand, Runner, Time};
use models::contents::Cargo;
use models::node::AnyNode;
use models::unit::{Outlet, Unit};
use scenario::lower::Plan;

use super::machine::processor_seconds;
use super::measure::SEED;
use super::workload::Workload;

/// Runs of a half; the shortest is reported.
const RUNS: usize = 5;

/// Prints, of the second half of twice as many simulated seconds: the processor time in seconds, the
/// nodes, the lookahead of each link in ps, and the acts with their node, their instant in ps and their
/// time in ns.
pub fn print(workload: &Workload, seconds: f64) {
    let plan = workload.plan(2.0 * seconds);
    let middle = middle(seconds);
    let shortest = second_half(&plan, middle, end(&plan).since(middle));
    let acts = noted(&plan, middle);
    write(&plan, shortest, &acts).expect("what is printed is read");
}

/// Prints the processor time of that half in seconds, if the runner returns after each window of so
/// many picoseconds, over that of a run in one piece.
pub fn print_windows(workload: &Workload, seconds: f64, window: Duration) {
    let plan = workload.plan(2.0 * seconds);
    let middle = middle(seconds);
    let whole = end(&plan).since(middle);
    println!(
        "{}",
        second_half(&plan, middle, window) / second_half(&plan, middle, whole)
    );
}

fn middle(seconds: f64) -> Time {
    Time::ZERO + Duration::from_seconds_f64(seconds)
}

fn write(plan: &Plan, seconds: f64, acts: &[Vec<Act>]) -> std::io::Result<()> {
    let mut out = BufWriter::new(stdout().lock());
    writeln!(out, "seconds {seconds}")?;
    for number in 0..acts.len() {
        writeln!(out, "node {}", plan.node_name(number))?;
    }
    for wire in plan.wires() {
        let lookahead = wire.shortest + wire.propagation;
        writeln!(out, "link {} {} {}", wire.from, wire.to, lookahead.ps())?;
    }
    for (number, acts) in acts.iter().enumerate() {
        for act in acts {
            writeln!(out, "act {number} {} {}", act.at.ps(), act.ns)?;
        }
    }
    out.flush()
}

/// Seconds of processor time from the middle to the end, in windows of that length.
fn second_half(plan: &Plan, middle: Time, window: Duration) -> f64 {
    let runs = (0..RUNS).map(|_| {
        let mut network = plan.network(SEED);
        OnDemand::default().run(&mut network, middle);
        let began = processor_seconds();
        let mut now = middle;
        while now < end(plan) {
            now = (now + window).min(end(plan));
            OnDemand::default().run(&mut network, now);
        }
        processor_seconds() - began
    });
    runs.min_by(f64::total_cmp).expect("at least one run")
}

/// The acts of each node from the middle to the end.
fn noted(plan: &Plan, middle: Time) -> Vec<Vec<Act>> {
    let network = plan.network(SEED);
    let nodes = network.nodes.into_iter().map(|node| Noted {
        node,
        acts: Vec::new(),
    });
    let mut network = Network::new(nodes.collect(), network.cargo, &plan.wires());
    OnDemand::default().run(&mut network, middle);
    network.nodes.iter_mut().for_each(|node| node.acts.clear());
    OnDemand::default().run(&mut network, end(plan));
    let nodes = network.nodes.into_iter();
    nodes.map(|node| node.acts).collect()
}

fn end(plan: &Plan) -> Time {
    Time::ZERO + plan.spec.duration
}

/// An act of a node: on its own, or at the arrival of a unit.
struct Act {
    at: Time,
    /// Nanoseconds that it took, the look at the clock included.
    ns: u64,
}

/// A node whose acts are noted, one by one.
struct Noted {
    node: AnyNode,
    acts: Vec<Act>,
}

impl Noted {
    fn note(&mut self, at: Time, act: impl FnOnce(&mut AnyNode)) {
        let began = Instant::now();
        act(&mut self.node);
        let ns = began.elapsed().as_nanos() as u64;
        self.acts.push(Act { at, ns });
    }
}

impl Node for Noted {
    type Unit = Unit;
    type Cargo = Cargo;

    fn next_wake(&self) -> Time {
        self.node.next_wake()
    }

    fn wakes_before(&self, input: usize) -> bool {
        self.node.wakes_before(input)
    }

    fn wake(&mut self, now: Time, out: &mut Outlet<'_>) {
        self.note(now, |node| node.wake(now, out));
    }

    fn receive(&mut self, now: Time, input: usize, unit: Unit, out: &mut Outlet<'_>) {
        self.note(now, |node| node.receive(now, input, unit, out));
    }

    fn settle(&mut self, through: Time, out: &mut Outlet<'_>) {
        self.node.settle(through, out);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workload::find;

    #[test]
    fn every_node_of_a_fat_tree_acts() {
        let plan = find("fat-tree-cells").expect("a fat tree").plan(0.0006);
        let acts = noted(&plan, Time::from_ps(300_000_000));
        // Hosts, and the switches of three layers.
        assert_eq!(acts.len(), 128 + 16 + 32 + 32);
        assert!(acts.iter().all(|acts| !acts.is_empty()));
    }
}
