//! Laws of schedulers that distinguish classes, for any guarantees.

use kernel::{Duration, OnDemand, Runner, Time};
use models::metrics::table::class;
use models::metrics::{Measurement, Metric};
use models::output::Port;
use models::wire::class::Class;
use proptest::prelude::*;

use crate::case::{CELL, CLASSES, Case, Memory, Order, Promise, Source};
use crate::network::{departures, network, port};
use crate::{END, classes, memory, order, promises, sources};

/// Largest credit that all classes together can have saved, in cells.
const BURSTS: u64 = 5 * 5;

/// Four VCs of different classes, each with a source as fast as the link.
fn overload(order: Order, classes: [Class; 4]) -> Case {
    let source = |vc| Source {
        output: 0,
        vc,
        trains: vec![(0, 2400)],
    };
    Case {
        sources: (0..4).map(source).collect(),
        outputs: vec![CELL],
        order,
        classes,
        memory: Memory::PerOutput(10_000),
    }
}

/// Cells of each VC among the first 2000 cells, during which all VCs are backlogged.
fn sent(case: &Case) -> [u64; 4] {
    let mut network = network(case);
    OnDemand::default().run(&mut network, END);
    let left = &departures(&network)[0];
    let mut sent = [0; 4];
    for (_, vc) in &left[..2000] {
        sent[*vc as usize] += 1;
    }
    sent
}

/// Any four classes, in any order.
fn four() -> impl Strategy<Value = [Class; 4]> {
    let shuffled = Just(Class::ALL).prop_shuffle();
    shuffled.prop_map(|[a, b, c, d, _]| [a, b, c, d])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn every_class_has_its_share_while_it_has_cells(
        promises in promises(),
        classes in four(),
        in_turn in any::<bool>(),
    ) {
        let case = overload(Order::Multiclass { promises, in_turn }, classes);
        for (class, sent) in classes.iter().zip(sent(&case)) {
            let share = promises[class.index()].share * 2000 / 16;
            prop_assert!(sent + BURSTS >= share, "{:?}: {} of {}", class, sent, share);
        }
    }

    #[test]
    fn the_excess_goes_to_greedy_classes_by_weight(
        promises in promises(),
        classes in four(),
    ) {
        let promises = promises.map(|promise| Promise { greedy: true, ..promise });
        let case = overload(Order::Multiclass { promises, in_turn: false }, classes);
        let promised = classes.map(|class| promises[class.index()]);
        let left = 16 - promised.iter().map(|promise| promise.share).sum::<u64>();
        let weights: u64 = promised.iter().map(|promise| u64::from(promise.weight)).sum();
        for (promise, sent) in promised.iter().zip(sent(&case)) {
            let extra = left * u64::from(promise.weight) * 2000 / (16 * weights);
            let expected = promise.share * 2000 / 16 + extra;
            prop_assert!(sent.abs_diff(expected) <= BURSTS, "{} of {}", sent, expected);
        }
    }

    #[test]
    fn by_strict_priority_the_first_class_has_all(classes in four(), in_turn in any::<bool>()) {
        let sent = sent(&overload(Order::Strict { in_turn }, classes));
        let first = (0..4).min_by_key(|vc| classes[*vc]).expect("a class");
        // A cell of another class may start before the first cell of the first class arrives.
        prop_assert!(sent[first] >= 1999, "{:?} of {:?}", sent, classes);
    }

    #[test]
    fn the_link_is_never_idle_while_a_cell_waits(
        sources in sources(1, 4),
        order in order(),
        classes in classes(),
    ) {
        let [chosen, in_order] = [order, Order::Fifo].map(|order| {
            let case = Case {
                sources: sources.clone(),
                outputs: vec![2 * CELL],
                order,
                classes,
                memory: Memory::PerOutput(10_000),
            };
            let mut network = network(&case);
            OnDemand::default().run(&mut network, END);
            departures(&network)[0].iter().map(|(at, _)| *at).collect::<Vec<u64>>()
        });
        prop_assert_eq!(chosen, in_order);
    }

    #[test]
    fn the_counts_of_classes_add_up_to_those_of_the_port(
        sources in sources(1, 4),
        promises in promises(),
        in_turn in any::<bool>(),
        classes in classes(),
        memory in memory(),
        (warm_up, span) in (0u64..300, 1u64..800),
    ) {
        let order = Order::Multiclass { promises, in_turn };
        let case = Case { sources, outputs: vec![2 * CELL], order, classes, memory };
        let mut network = network(&case);
        let [warm_up, end] = [warm_up, warm_up + span].map(Time::from_ps);
        port(&mut network).record(Duration::from_ps(7));
        OnDemand::default().run(&mut network, warm_up);
        port(&mut network).begin_counting(warm_up);
        OnDemand::default().run(&mut network, end);
        let port = port(&mut network);
        let series = port.take_queue(end).expect("a queue");
        let mut sum = vec![0.0; series.all.values().count()];
        for (_, of_class) in &series.by_class {
            for (sum, waiting) in sum.iter_mut().zip(of_class.values()) {
                *sum += waiting;
            }
        }
        prop_assert_eq!(sum, series.all.values().collect::<Vec<f64>>());
        let reading = port.read(end);
        let metrics = port.classes(end);
        let total = |wanted: &Metric| -> f64 {
            let of_class = |(_, metrics): &(usize, Vec<Measurement>)| {
                metrics.iter().find(|(metric, _)| *metric == wanted).map_or(0.0, |found| found.1)
            };
            metrics.iter().map(of_class).sum()
        };
        prop_assert!((total(class::queue::mean) - reading.mean_queue).abs() < 1e-9);
        let begun = Duration::from_ps(2 * CELL) * reading.begun + reading.serving_before;
        let sent = begun.saturating_sub(reading.serving_after).ps() as f64 / span as f64;
        prop_assert!((total(class::utilization) - sent).abs() < 1e-9);
        prop_assert!(sent <= 1.0);
    }
}

#[test]
fn within_a_class_vcs_take_turns_or_keep_the_order_of_arrival() {
    // VCs 1 and 2 share a class behind the class of VC 0; VC 2 sends twice as much.
    let train = |start, vc, cells| Source {
        output: 0,
        vc,
        trains: vec![(start, cells)],
    };
    let sources = vec![
        train(0, 0, 20),
        train(1, 1, 10),
        train(2, 2, 10),
        train(3, 2, 10),
    ];
    let order_of = |in_turn| {
        let case = Case {
            sources: sources.clone(),
            outputs: vec![2 * CELL],
            order: Order::Strict { in_turn },
            classes: [Class::Cbr, Class::Ubr, Class::Ubr, Class::Ubr],
            memory: Memory::PerOutput(1000),
        };
        let mut network = network(&case);
        OnDemand::default().run(&mut network, END);
        let left = departures(&network).swap_remove(0);
        let vcs = left.into_iter().map(|(_, vc)| vc);
        vcs.skip(20).collect::<Vec<u32>>()
    };
    assert_eq!(order_of(false), [1, 2, 2].repeat(10));
    let in_turn = [[1, 2].repeat(10), vec![2; 10]].concat();
    assert_eq!(order_of(true), in_turn);
}

#[test]
fn a_class_that_overflows_its_buffer_harms_no_other() {
    let mut capacities = [1000; CLASSES];
    capacities[Class::Ubr.index()] = 5;
    let source = |vc| Source {
        output: 0,
        vc,
        trains: vec![(0, 500)],
    };
    let case = Case {
        sources: vec![source(0), source(1)],
        outputs: vec![CELL],
        order: Order::RoundRobin,
        classes: [Class::Cbr, Class::Ubr, Class::Ubr, Class::Ubr],
        memory: Memory::PerClass(capacities),
    };
    let mut network = network(&case);
    OnDemand::default().run(&mut network, END);
    let left = &departures(&network)[0];
    assert_eq!(left.iter().filter(|(_, vc)| *vc == 0).count(), 500);
    let meter = port(&mut network).meter();
    // While both sources send, UBR gets every second cell time, and its buffer stays full.
    assert!((245..=255).contains(&meter.dropped_ever().units));
}
