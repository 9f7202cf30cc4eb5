//! The outputs of a switch, compared with a naive switch that handles one cell after another.

extern crate cellrelay_models as models;

mod case;
mod deficits;
mod fairness;
mod laws;
mod naive;
mod network;

use case::{CELL, CLASSES, Case, Memory, Order, Promise, Source, VCS};
use kernel::{Duration, OnDemand, Runner, Stepwise, Time, Windows};
use models::output::Port;
use models::wire::class::Class;
use naive::expected;
use network::{departures, network, port};
use proptest::prelude::*;

/// The classes of VCs where classes do not matter.
const UNSPECIFIED: [Class; VCS as usize] = [Class::Ubr; VCS as usize];

/// An instant after the last event of every case.
const END: Time = Time::from_ps(100_000);

fn sources(outputs: usize, vcs: u32) -> impl Strategy<Value = Vec<Source>> {
    // Gaps of whole cells make many events simultaneous.
    let gap = prop_oneof![(0u64..8).prop_map(|cells| cells * CELL), 0u64..80];
    let trains = prop::collection::vec((gap, 1u32..12), 0..8);
    let source =
        (0..outputs, 0..vcs, trains).prop_map(|(output, vc, trains)| Source { output, vc, trains });
    prop::collection::vec(source, 1..6)
}

/// Cell times of an output. Many are multiples of the cell time on inputs, so that many cells end
/// when others begin.
fn cell_time() -> impl Strategy<Value = u64> {
    prop_oneof![Just(CELL), Just(2 * CELL), 5u64..40]
}

fn promises() -> impl Strategy<Value = [Promise; CLASSES]> {
    let weight = prop_oneof![Just(1), Just(2), Just(4)];
    // At most 15 sixteenths of the link in total.
    let promise = (0u64..4, 1u64..5, any::<bool>(), weight);
    prop::array::uniform5(promise.prop_map(|(share, burst, greedy, weight)| Promise {
        share,
        burst,
        greedy,
        weight,
    }))
}

fn order() -> impl Strategy<Value = Order> {
    let multiclass = (promises(), any::<bool>())
        .prop_map(|(promises, in_turn)| Order::Multiclass { promises, in_turn });
    prop_oneof![
        Just(Order::Fifo),
        Just(Order::RoundRobin),
        (1u64..4).prop_map(Order::DeficitRoundRobin),
        Just(Order::SelfClocked),
        any::<bool>().prop_map(|in_turn| Order::Strict { in_turn }),
        multiclass,
    ]
}

fn memory() -> impl Strategy<Value = Memory> {
    prop_oneof![
        (1u64..30).prop_map(Memory::PerOutput),
        (1u64..30).prop_map(Memory::Shared),
        prop::array::uniform5(1u64..12).prop_map(Memory::PerClass),
    ]
}

fn classes() -> impl Strategy<Value = [Class; VCS as usize]> {
    prop::array::uniform4((0..CLASSES).prop_map(|class| Class::ALL[class]))
}

fn cases() -> impl Strategy<Value = Case> {
    let outputs = prop::collection::vec(cell_time(), 1..4);
    let outputs = outputs.prop_flat_map(|outputs| (sources(outputs.len(), VCS), Just(outputs)));
    let cases = (outputs, order(), classes(), memory());
    cases.prop_map(|((sources, outputs), order, classes, memory)| Case {
        sources,
        outputs,
        // A FIFO queue does not distinguish classes.
        order: match (order, &memory) {
            (Order::Fifo, Memory::PerClass(_)) => Order::RoundRobin,
            (order, _) => order,
        },
        classes,
        memory,
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn cells_leave_as_from_a_naive_switch(case in cases()) {
        let mut stepwise = network(&case);
        Stepwise.run(&mut stepwise, END);
        prop_assert_eq!(departures(&stepwise), expected(&case));
        let mut windows = network(&case);
        Windows::default().run(&mut windows, END);
        prop_assert_eq!(departures(&windows), expected(&case));
        let mut on_demand = network(&case);
        OnDemand::default().run(&mut on_demand, END);
        prop_assert_eq!(departures(&on_demand), expected(&case));
    }

    #[test]
    fn with_one_vc_every_order_is_that_of_arrival(
        sources in sources(1, 1),
        cell_time in cell_time(),
        capacity in 1u64..30,
        warm_up in 0u64..300,
        span in 1u64..800,
        promises in promises(),
    ) {
        let in_turn = span % 2 == 0;
        let orders = [
            Order::Fifo,
            Order::RoundRobin,
            Order::DeficitRoundRobin(warm_up % 3 + 1),
            Order::SelfClocked,
            Order::Strict { in_turn },
            Order::Multiclass { promises, in_turn },
        ];
        let measured = orders.map(|order| {
            let case = Case {
                sources: sources.clone(),
                outputs: vec![cell_time],
                order,
                classes: UNSPECIFIED,
                memory: Memory::PerOutput(capacity),
            };
            let mut network = network(&case);
            let [warm_up, end] = [warm_up, warm_up + span].map(Time::from_ps);
            port(&mut network).record(Duration::from_ps(7));
            OnDemand::default().run(&mut network, warm_up);
            port(&mut network).begin_counting(warm_up);
            OnDemand::default().run(&mut network, end);
            let queue = port(&mut network).take_queue(end).expect("a queue").all;
            let drops = port(&mut network).meter().drops.clone().expect("drops");
            let drops: Vec<u32> = drops.list.iter().map(|drop| drop.vc).collect();
            let reading = port(&mut network).read(end);
            let reading = format!("{reading:?}");
            OnDemand::default().run(&mut network, END);
            (queue, drops, reading, departures(&network))
        });
        for other in &measured[1..] {
            prop_assert_eq!(&measured[0], other);
        }
    }
}

#[test]
fn vcs_that_always_have_cells_share_a_link_to_a_cell() {
    // Each of the three sources is as fast as the link, so all VCs soon have waiting cells.
    let source = |vc, start| Source {
        output: 0,
        vc,
        trains: vec![(start, 900)],
    };
    let case = Case {
        sources: vec![source(0, 0), source(1, 3), source(2, 101)],
        outputs: vec![CELL],
        order: Order::RoundRobin,
        classes: UNSPECIFIED,
        memory: Memory::PerOutput(10_000),
    };
    let mut network = network(&case);
    OnDemand::default().run(&mut network, END);
    let left = &departures(&network)[0];
    assert_eq!(left.len(), 2700);
    let together = &left[40..2600];
    for (place, pair) in together.windows(4).enumerate() {
        let vcs: Vec<u32> = pair.iter().map(|(_, vc)| *vc).collect();
        assert_eq!(vcs[0], vcs[3], "cell {place}");
        assert!(vcs[0] != vcs[1] && vcs[1] != vcs[2] && vcs[0] != vcs[2]);
    }
}
