//! Push-out at an output of a switch, compared with a naive switch and with tail drop.

extern crate cellrelay_models as models;

mod naive;
mod network;

use kernel::{OnDemand, Runner, Stepwise, Time, Windows};
use models::metrics::PortReading;
use models::output::Port;
use models::output::discard::DiscardSpec;
use models::output::discard::push_out::PushOut;
use models::output::discard::tail_drop::TailDrop;
use naive::fates;
use network::{CELL, Case, Left, Part, left, network, port};
use proptest::prelude::*;

/// An instant after the last event of every case.
const END: Time = Time::from_ps(100_000);

const PUSH_OUT: DiscardSpec = DiscardSpec::PushOut(PushOut {});
const TAIL_DROP: DiscardSpec = DiscardSpec::TailDrop(TailDrop {});

fn parts(clp: impl Strategy<Value = bool>) -> impl Strategy<Value = Vec<Part>> {
    // Gaps of whole cells make many events simultaneous.
    let gap = prop_oneof![
        3 => Just(0),
        1 => (0u64..8).prop_map(|cells| cells * CELL),
        1 => 0u64..80,
    ];
    let part = (gap, 1u32..8, clp, any::<bool>());
    let part = part.prop_map(|(gap, cells, clp, eom)| Part {
        gap,
        cells,
        clp,
        eom,
    });
    prop::collection::vec(part, 0..16)
}

fn cases(clp: impl Strategy<Value = bool>) -> impl Strategy<Value = Case> {
    let cell_time = prop_oneof![Just(CELL), Just(2 * CELL), 5u64..40];
    let sources = prop::collection::vec(parts(clp), 1..5);
    (sources, cell_time, 1u64..12).prop_map(|(sources, cell_time, capacity)| Case {
        sources,
        cell_time,
        capacity,
    })
}

/// Runs the case. Returns the departures, the counts of the output, and the number of packets in
/// the network at the end.
fn run(
    case: &Case,
    discard: &DiscardSpec,
    runner: &mut impl Runner,
) -> (Vec<Left>, PortReading, u64) {
    let mut network = network(case, discard);
    runner.run(&mut network, END);
    let reading = port(&mut network).read(END);
    (left(&network).to_vec(), reading, network.cargo.live())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn cells_leave_and_are_counted_as_by_a_naive_switch(case in cases(any::<bool>())) {
        let expected = fates(&case);
        let (left, reading, live) = run(&case, &PUSH_OUT, &mut Stepwise);
        prop_assert_eq!(&left, &expected.left);
        prop_assert_eq!(&reading.dropped_by_vc, &expected.lost);
        prop_assert_eq!(reading.dropped, expected.lost.iter().sum::<u64>());
        prop_assert_eq!(reading.packets, expected.ended.len() as u64);
        let damaged = expected.ended.intersection(&expected.harmed).count();
        prop_assert_eq!(reading.packets_damaged, damaged as u64);
        // The contents of a packet are removed with the last cell of its PDU, delivered or dropped.
        prop_assert_eq!(live, 0);
        let counted = format!("{reading:?}");
        for other in [
            run(&case, &PUSH_OUT, &mut Windows::default()),
            run(&case, &PUSH_OUT, &mut OnDemand::default()),
        ] {
            prop_assert_eq!((&other.0, format!("{:?}", other.1)), (&left, counted.clone()));
        }
    }

    #[test]
    fn push_out_loses_no_more_high_priority_cells_than_tail_drop(case in cases(any::<bool>())) {
        let lost = |discard: &DiscardSpec| {
            let (left, reading, _) = run(&case, discard, &mut OnDemand::default());
            let high = left.iter().filter(|cell| !cell.clp).count();
            let queue = (reading.dropped, reading.max_queue, reading.mean_queue.to_bits());
            (high, queue)
        };
        let [(kept, queue), (kept_by_tail_drop, same)] = [lost(&PUSH_OUT), lost(&TAIL_DROP)];
        prop_assert!(kept >= kept_by_tail_drop, "{} and {}", kept, kept_by_tail_drop);
        // At a full buffer both policies drop one cell for each arrival, so the queues always have
        // the same length.
        prop_assert_eq!(queue, same);
    }

    #[test]
    fn push_out_among_cells_of_one_priority_is_tail_drop(
        case in any::<bool>().prop_flat_map(|clp| cases(Just(clp))),
        warm_up in 0u64..600,
    ) {
        let warm_up = Time::from_ps(warm_up);
        let measured = [&PUSH_OUT, &TAIL_DROP].map(|discard| {
            let mut network = network(&case, discard);
            OnDemand::default().run(&mut network, warm_up);
            port(&mut network).begin_counting(warm_up);
            OnDemand::default().run(&mut network, END);
            let reading = format!("{:?}", port(&mut network).read(END));
            (left(&network).to_vec(), reading)
        });
        prop_assert_eq!(&measured[0], &measured[1]);
    }
}
