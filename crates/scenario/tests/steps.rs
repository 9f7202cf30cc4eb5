//! Steps: a run that is advanced step by step gives the results of an undivided run.

use std::sync::Arc;

use crate::common::{CROSSING, by_every_runner, plan, run, seed, ten_tcp};
use kernel::{Duration, Time};
use proptest::prelude::*;
use scenario::lower::Plan;
use scenario::report::Report;
use scenario::run::SteppedRun;
use scenario::watch::{Observer, gauges};

/// A run with pauses after these times; all gauges are read at each pause.
fn divided(plan: &Arc<Plan>, lengths: &[u64]) -> Report {
    let mut steps = SteppedRun::new(plan.clone(), seed(0));
    let mut observer = Observer::new(&mut steps);
    let values = gauges(plan).len();
    for length in lengths.iter().cycle() {
        let until = steps.now() + Duration::from_us(*length);
        steps.run_until(until);
        assert_eq!(steps.now(), until.min(steps.end()));
        assert_eq!(observer.read(&mut steps).len(), values);
        assert!(steps.measure().is_some());
        if until >= steps.end() {
            break;
        }
    }
    steps.finish()
}

const SETTINGS: &[&[(&str, &str)]] = &[
    &[("record.every", "1 ms")],
    &[
        ("warm_up", "5 ms"),
        ("flow.east.over", "{ abr = {} }"),
        ("record.every", "0.7 ms"),
    ],
    &[
        ("switch.west.fabric.slotted", "{ speedup = 2 }"),
        ("batches", "3"),
    ],
    &[
        (
            "switch.west.fabric.virtual_output_queues",
            "{ matching.pim = {}, clock = \"40 Mbit/s\" }",
        ),
        ("warm_up", "3 ms"),
        ("batches", "3"),
    ],
    &[
        ("flow.east.over", "{ packet = {} }"),
        ("flow.west.over", "{ packet = {} }"),
    ],
    &[
        ("switch.west.scheduler.round_robin", "{}"),
        ("link.trunk.loss", "{ cell = \"0.1 %\" }"),
        ("record.every", "1 ms"),
    ],
    &[
        ("link.trunk.credit.n23", "{}"),
        ("switch.west.scheduler.round_robin", "{}"),
        ("switch.east.scheduler.round_robin", "{}"),
        ("switch.west.buffer.per_output", "200 cells"),
        ("switch.east.buffer.per_output", "200 cells"),
    ],
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn pauses_and_readings_change_nothing(
        settings in prop::sample::select(SETTINGS),
        lengths in prop::collection::vec(1_u64..9000, 1..5),
    ) {
        let undivided = run(CROSSING, settings, 0);
        let divided = divided(&plan(CROSSING, settings), &lengths);
        prop_assert_eq!(divided.digest(), undivided.digest());
        prop_assert_eq!(divided.series, undivided.series);
        prop_assert_eq!(divided.warnings, undivided.warnings);
    }
}

/// Cells that move in one step are offered late: a backward RM cell that comes before them must
/// not make the output take a sample without them.
#[test]
fn a_backward_rm_cell_leaves_samples_of_other_outputs_alone() {
    let plan = plan(CROSSING, SETTINGS[1]);
    let divided = divided(&plan, &[4231, 6248]);
    assert_eq!(divided.series, by_every_runner(&plan).series);
}

#[test]
fn a_few_visits_reach_an_instant_between() {
    let plan = plan(&ten_tcp(), &[("duration", "0.2 s")]);
    let mut steps = SteppedRun::new(&*plan, seed(0));
    let end = steps.end();
    let mut pauses = 0;
    while steps.advance(end, 300) < end {
        let ahead = steps.network().ahead();
        steps.run_until(ahead);
        assert!(steps.now() == ahead.min(end));
        pauses += 1;
    }
    assert!(pauses > 1);
    assert!(steps.now() > Time::ZERO);
}
