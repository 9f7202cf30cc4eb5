//! Steps and readings change no number.

use std::ops::ControlFlow;

use cellrelay::{Duration, Error, Loader, Scenario, Scope, Time};

use crate::{TWO_SENDERS, two_senders};

/// The scenario with a warm-up, batches and series.
fn in_batches() -> Scenario {
    let loader = Loader::new()
        .set("duration", "600 ms")
        .set("warm_up", "100 ms")
        .set("batches", "2")
        .set("record.every", "10 ms");
    loader.text(TWO_SENDERS).expect("no mistakes")
}

#[test]
fn a_run_in_steps_gives_the_report_of_a_whole_run() {
    for scenario in [two_senders(), in_batches()] {
        let whole = scenario.run(3);
        for step in [Duration::from_us(777), Duration::from_ms(50)] {
            let mut simulation = scenario.simulate(3);
            while !simulation.has_ended() {
                simulation.run_for(step);
                // A reading in the middle is no part of the result.
                let _ = simulation.so_far();
                assert!(!simulation.observe().is_empty());
            }
            let report = simulation.finish();
            assert_eq!(report, whole, "in steps of {step}");
            assert_eq!(report.digest(), whole.digest());
        }
    }
}

#[test]
fn a_run_reads_at_its_end_what_it_reports() {
    let scenario = two_senders();
    let mut simulation = scenario.simulate(1);
    simulation.run_until(simulation.end());
    let so_far = simulation.so_far().unwrap();
    assert!(so_far.numbers().eq(simulation.finish().numbers()));
}

#[test]
fn time_goes_forward_and_ends_with_the_run() {
    let mut simulation = two_senders().simulate(1);
    let refused = simulation.so_far().unwrap_err().to_string();
    assert!(
        refused.starts_with("nothing has been measured"),
        "{refused}"
    );
    let at = Time::ZERO + Duration::from_ms(5);
    assert_eq!(simulation.run_until(at), at);
    assert_eq!(simulation.run_until(Time::ZERO), at);
    assert_eq!(simulation.run_for(Duration::MAX), simulation.end());
    assert!(simulation.has_ended());
    assert_eq!(simulation.run_for(Duration::from_ms(1)), simulation.end());
}

#[test]
fn replications_differ_and_seeds_repeat() {
    let scenario = two_senders();
    let stated = scenario.seed();
    let [first, again, other] =
        [stated, stated, stated.with_replication(1)].map(|seed| scenario.run(seed).digest());
    assert_eq!(first, again);
    assert_ne!(first, other);
}

#[test]
fn a_run_is_cancelled_where_its_caller_breaks() {
    let mut calls = 0;
    let cancelled = two_senders().run_attended(1, |_| {
        calls += 1;
        ControlFlow::Break(())
    });
    assert!(matches!(cancelled, Err(Error::Cancelled)), "{cancelled:?}");
    assert_eq!(calls, 1);
}

#[test]
fn series_are_read_by_scope_and_quantity() {
    let report = in_batches().run(1);
    let series: Vec<_> = report.series().collect();
    let queue = series
        .iter()
        .find(|one| one.quantity == "queue" && one.scope.to_string() == "port s1->receiver");
    let queue = queue.expect("the queue is recorded");
    assert_eq!(queue.unit(), "cells");
    assert_eq!(queue.times().len(), queue.values().len());
    assert_eq!(report.batches().len(), 2);
    assert!(two_senders().run(1).series().next().is_none());
}

#[test]
fn what_is_set_changes_the_run_in_the_same_way_again() {
    let scenario = two_senders();
    let steered = || {
        let mut simulation = scenario.simulate(1);
        simulation.run_for(Duration::from_ms(5));
        simulation.set("flow file", "window", "1460 B").unwrap();
        simulation.finish()
    };
    assert_eq!(steered(), steered());
    assert_ne!(steered(), scenario.run(1));
    let mut simulation = scenario.simulate(1);
    let refused = simulation.set("flow file", "windo", "1460 B").unwrap_err();
    assert!(
        refused.to_string().contains("did you mean `window`?"),
        "{refused}"
    );
}

#[test]
fn a_reading_names_what_it_knows() {
    let scenario = two_senders();
    let mut simulation = scenario.simulate(1);
    simulation.run_for(Duration::from_ms(20));
    let place = scenario.flows()[0].path[1].clone();
    let (port, flow) = (
        Scope::Port(place),
        Scope::Flow(scenario.flows()[0].name.clone()),
    );
    assert!(simulation.read(&port, "sent").unwrap() > 0.0);
    assert!(simulation.read(&flow, "cwnd").unwrap() > 0.0);
    let refused = simulation.read(&port, "cwnd").unwrap_err().to_string();
    assert_eq!(
        refused,
        "`port s1->receiver` has no `cwnd` to read\n  hint: expected one of `queue`, `sent`, \
         `dropped`"
    );
}
