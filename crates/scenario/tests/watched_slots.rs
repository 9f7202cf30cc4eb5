//! Switches that are watched slot by slot: the queues, and the steps of each matching.

use std::collections::BTreeSet;

use crate::common::{plan, run, seed, value};
use crate::matchings::{switch, uniform};
use crate::packet_mode;
use kernel::{Duration, Time};
use models::switch::matching_steps::{SlotStep, StepKind};
use scenario::lower::Plan;
use scenario::report::Report;
use scenario::watch::{
    NextPause, SlotReading, SlottedSwitch, WatchedRun, WatchedStep, slotted_switches,
};

const SLOT: Duration = Duration::from_us(1);
const SLOTS: u64 = 400;

/// The report of a run that pauses in the middle of each slot, and what was read of its only switch;
/// `every` is the interval between readings of gauges, which is zero if nobody watches.
fn watched(plan: &Plan, every: Duration) -> (Report, Vec<SlotReading>) {
    let mut run = WatchedRun::new(plan, seed(0));
    let mut readings = Vec::new();
    let mut until = Time::ZERO + SLOT / 2;
    loop {
        if let WatchedStep::Paused(snapshot) = run.advance() {
            let [reading] = &snapshot.slots[..] else {
                panic!("one switch is watched");
            };
            readings.push(reading.clone());
            if run.has_ended() {
                return (run.finish(), readings);
            }
            run.go_on(NextPause { until, every });
            until += SLOT;
        }
    }
}

/// Scenarios with the fabric of four inputs and outputs, and cells that wait.
fn texts() -> [String; 4] {
    let of = |fabric: &str| {
        let fabric = format!("virtual_output_queues = {fabric}");
        switch(&fabric, &uniform(4, 0.9), 0, SLOTS)
    };
    [
        of("{ matching.islip.iterations = 2 }"),
        of("{ matching.pim.iterations = 3, speedup = 2 }"),
        of("{ matching.maximum_weight = {} }"),
        packet_mode::text("mode = \"packet\"", 4, 0.9, "3 ms"),
    ]
}

fn of(steps: &[SlotStep], kinds: &[StepKind]) -> Vec<SlotStep> {
    let of_kind = steps.iter().filter(|step| kinds.contains(&step.kind));
    of_kind.copied().collect()
}

const PAIRS: [StepKind; 2] = [StepKind::Held, StepKind::Pair];

/// Each port is in one pair of a matching, and each pair has a cell.
fn assert_matched(known: &SlottedSwitch, reading: &SlotReading) {
    let pairs = of(&reading.steps, &PAIRS);
    for port in [|pair: &SlotStep| pair.input, |pair: &SlotStep| pair.output] {
        let ports: BTreeSet<_> = pairs
            .iter()
            .map(|pair| (pair.matching, port(pair)))
            .collect();
        assert_eq!(ports.len(), pairs.len(), "{pairs:?}");
    }
    let mut left = reading.queued.clone();
    for pair in &pairs {
        assert!(pair.matching < known.speedup);
        let queue = &mut left[pair.input as usize * known.outputs.len() + pair.output as usize];
        assert!(*queue > 0, "{pair:?}: no cell waits");
        *queue -= 1;
    }
}

/// An output grants to one input that has a cell for it, and an input with grants accepts one.
fn assert_granted(known: &SlottedSwitch, reading: &SlotReading) {
    let grants = of(&reading.steps, &[StepKind::Grant]);
    let ends = |step: &SlotStep| (step.matching, step.iteration, step.input, step.output);
    let pairs: BTreeSet<_> = of(&reading.steps, &[StepKind::Pair])
        .iter()
        .map(ends)
        .collect();
    let mut outputs = BTreeSet::new();
    for grant in &grants {
        assert!(grant.iteration > 0 && Some(grant.iteration) <= known.iterations);
        assert!(outputs.insert((grant.matching, grant.iteration, grant.output)));
        assert!(
            reading.queued[grant.input as usize * known.outputs.len() + grant.output as usize] > 0
        );
    }
    let asked = |ends: BTreeSet<(u32, u32, u32, u32)>| -> BTreeSet<_> {
        let of_input = ends.into_iter();
        of_input
            .map(|(matching, iteration, input, _)| (matching, iteration, input))
            .collect()
    };
    assert_eq!(
        asked(grants.iter().map(ends).collect()),
        asked(pairs.clone())
    );
    assert!(pairs.is_subset(&grants.iter().map(ends).collect()));
}

#[test]
fn every_cell_that_crosses_is_seen_in_a_matching_of_its_slot() {
    for text in texts() {
        let plan = plan(&text, &[("warm_up", "0 s")]);
        let known = &slotted_switches(&plan)[0];
        let (report, readings) = watched(&plan, SLOT / 8);
        let mut seen: Vec<&SlotReading> = readings
            .iter()
            .filter(|reading| reading.end.is_some())
            .collect();
        seen.dedup();
        let ends = seen.iter().map(|reading| reading.end);
        assert!(ends.clone().count() as u64 > SLOTS / 2 && ends.is_sorted());
        for reading in &seen {
            assert_eq!(reading.end.map(|end| end.ps() % SLOT.ps()), Some(0));
            assert_matched(known, reading);
            if known.iterations.is_some() {
                assert_granted(known, reading);
            }
        }
        let crossed: usize = seen
            .iter()
            .map(|reading| of(&reading.steps, &PAIRS).len())
            .sum();
        let outputs = (0..4).map(|output| format!("port s->output[{output}]"));
        let counted: f64 = outputs
            .map(|port| value(&report, &port, "cells_crossed"))
            .sum();
        assert_eq!(crossed as u64, counted as u64);
    }
}

#[test]
fn who_watches_the_slots_of_a_run_does_not_change_it() {
    for text in texts() {
        let plan = plan(&text, &[]);
        let digest = run(&text, &[], 0).digest();
        assert_eq!(watched(&plan, SLOT / 8).0.digest(), digest);
        let (report, readings) = watched(&plan, Duration::ZERO);
        assert_eq!(report.digest(), digest);
        // Nothing is noted for nobody.
        assert!(
            readings
                .iter()
                .all(|reading| reading.end.is_none() && reading.steps.is_empty())
        );
    }
}

#[test]
fn a_switch_is_known_by_the_nodes_at_its_ports() {
    let fabric = "virtual_output_queues = { matching.islip.iterations = 2 }";
    let mut loads = uniform(3, 0.5);
    loads.pop();
    let plan = plan(&switch(fabric, &loads, 0, 10), &[]);
    let known = &slotted_switches(&plan)[0];
    let names = |names: &[scenario::scope::Name]| -> Vec<String> {
        names.iter().map(ToString::to_string).collect()
    };
    assert_eq!(names(&known.inputs), ["i0", "i1"]);
    assert_eq!(
        names(&known.outputs),
        ["output[0]", "output[1]", "output[2]"]
    );
    assert_eq!(
        (known.slot, known.matching, known.iterations),
        (SLOT, "islip", Some(2))
    );
    assert!(known.help.starts_with("iSLIP"), "{}", known.help);
}

#[test]
fn a_switch_with_more_ports_than_a_picture_shows_is_left_out() {
    let fabric = "virtual_output_queues = {}";
    let shown = |ports| {
        let plan = plan(&switch(fabric, &uniform(ports, 0.5), 0, 10), &[]);
        slotted_switches(&plan).len()
    };
    assert_eq!([shown(16), shown(17)], [1, 0]);
    let slotted = plan(&switch("slotted = {}", &uniform(4, 0.5), 0, 10), &[]);
    assert!(slotted_switches(&slotted).is_empty());
}
