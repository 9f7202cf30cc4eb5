//! Steering: a control takes effect at the instant at which it is set, whatever the other pauses.

use std::sync::Arc;

use crate::common::{CROSSING, plan, run, seed, value};
use kernel::{Duration, Time};
use proptest::prelude::*;
use scenario::lower::Plan;
use scenario::report::Report;
use scenario::run::SteppedRun;
use scenario::steer::{self, Given};

/// An instant in microseconds, and the control that is set then.
type Act<'a> = (u64, &'a str, &'a str, Given<'a>);

/// A run in which `acts` are set at their instants, with pauses after each of `lengths`, in
/// microseconds.
fn steered(plan: &Arc<Plan>, acts: &[Act<'_>], lengths: &[u64]) -> Report {
    let mut steps = SteppedRun::new(plan.clone(), seed(0));
    let mut lengths = lengths.iter().cycle();
    for (at, scope, control, given) in acts {
        let at = Time::ZERO + Duration::from_us(*at);
        while steps.now() < at {
            let length = lengths
                .next()
                .map_or(Duration::MAX, |us| Duration::from_us(*us));
            let next = if length == Duration::MAX {
                at
            } else {
                steps.now() + length
            };
            steps.run_until(next.min(at));
        }
        steer::set(&mut steps, scope, control, *given).expect("a control of the run");
    }
    steps.finish()
}

/// Settings of a scenario, and the controls that are set in its run.
type Steered = (
    &'static [(&'static str, &'static str)],
    &'static [Act<'static>],
);

/// Runs of all kinds of networks.
const STEERED: &[Steered] = &[
    // Cells.
    (
        &[
            ("switch.west.discard", "{ early_packet = {} }"),
            ("record.every", "1 ms"),
        ],
        &[
            (
                7_003,
                "port west->east",
                "threshold",
                Given::Text("10 cells"),
            ),
            (19_000, "port west->east", "threshold", Given::Number(55.0)),
        ],
    ),
    // Shares of a buffer, and lost cells.
    (
        &[
            ("switch.east.discard", "{ selective_drop = {} }"),
            ("link.trunk.loss", "{ cell = \"0 %\" }"),
            ("warm_up", "5 ms"),
        ],
        &[
            (4_000, "port east->right", "threshold", Given::Text("20 %")),
            (11_111, "link west->east", "loss", Given::Text("1 %")),
            (23_000, "flow east", "window", Given::Text("3000 B")),
        ],
    ),
    // Packets.
    (
        &[
            ("flow.east.over", "{ packet = {} }"),
            ("flow.west.over", "{ packet = {} }"),
            ("link.trunk.loss", "{ packet = \"0.1 %\" }"),
            ("batches", "3"),
        ],
        &[
            (9_000, "flow east[1]", "window", Given::Number(4000.0)),
            (15_000, "link west->east", "loss", Given::Number(0.05)),
        ],
    ),
    // ABR.
    (
        &[
            ("flow.east.over", "{ abr = {} }"),
            ("switch.west.rate", "{ erica = {} }"),
        ],
        &[
            (8_000, "flow east", "acr", Given::Text("5 Mbit/s")),
            (18_000, "flow east[2]", "acr", Given::Number(50_000.0)),
        ],
    ),
    // Credits, and a source.
    (
        &[
            ("link.trunk.credit.n23", "{}"),
            ("link.left.credit.n23", "{}"),
            ("switch.west.scheduler.round_robin", "{}"),
            ("switch.east.scheduler.round_robin", "{}"),
            ("switch.west.buffer.per_output", "200 cells"),
            ("switch.east.buffer.per_output", "200 cells"),
            (
                "flow.east.source",
                "{ constant_rate = { rate = \"4 Mbit/s\" } }",
            ),
            (
                "flow.west.source",
                "{ poisson = { rate = \"2 Mbit/s\", length.constant = \"300 B\" } }",
            ),
        ],
        &[
            (6_000, "flow east", "rate", Given::Text("30 Mbit/s")),
            (16_000, "flow west[0]", "rate", Given::Number(9e6)),
        ],
    ),
];

fn told(report: &Report) -> String {
    format!(
        "{} {:?} {:?}",
        report.digest(),
        report.series,
        report.warnings
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn other_pauses_do_not_move_what_is_set(
        (settings, acts) in prop::sample::select(STEERED),
        lengths in prop::collection::vec(1_u64..6000, 1..5),
    ) {
        let plan = plan(CROSSING, settings);
        let steered_once = steered(&plan, acts, &[]);
        prop_assert_eq!(told(&steered(&plan, acts, &lengths)), told(&steered_once));
    }
}

#[test]
fn what_is_set_changes_a_run_and_the_present_value_changes_nothing() {
    for (settings, acts) in STEERED {
        let plan = plan(CROSSING, settings);
        let unsteered = run(CROSSING, settings, 0);
        assert_ne!(
            told(&steered(&plan, acts, &[])),
            told(&unsteered),
            "{settings:?}"
        );
        let mut steps = SteppedRun::new(plan.clone(), seed(0));
        let half = Time::ZERO + Duration::from_ms(15);
        steps.run_until(half);
        for one in steer::settings(&mut steps) {
            let scope = one.scope.to_string();
            let given = Given::Number(one.value);
            steer::set(&mut steps, &scope, one.control.name, given).expect("its value");
        }
        assert_eq!(told(&steps.finish()), told(&unsteered), "{settings:?}");
    }
}

#[test]
fn a_cap_holds_the_rate_and_the_window() {
    let plan = plan(
        CROSSING,
        &[("flow.east.over", "{ abr = {} }"), ("duration", "60 ms")],
    );
    let mut steps = SteppedRun::new(plan.clone(), seed(0));
    steer::set(&mut steps, "flow east", "acr", Given::Text("1 Mbit/s")).expect("a cap");
    let report = steps.finish();
    for flow in 0..3 {
        let goodput = value(&report, &format!("flow east[{flow}]"), "goodput");
        assert!(goodput > 0.0 && goodput < 1.5e6, "{goodput}");
    }
}

#[test]
fn everything_is_lost_from_its_instant_on() {
    let plan = plan(
        CROSSING,
        &[
            ("link.trunk.loss", "{ packet = \"0 %\" }"),
            ("warm_up", "10 ms"),
        ],
    );
    let mut steps = SteppedRun::new(plan.clone(), seed(0));
    steps.run_until(Time::ZERO + Duration::from_ms(9));
    steer::set(&mut steps, "link west->east", "loss", Given::Number(1.0)).expect("a loss");
    let report = steps.finish();
    assert!(value(&report, "network", "greedy_goodput") < 1.0);
}

/// The messages about wrong settings of controls.
fn refused(scope: &str, control: &str, given: Given<'_>) -> String {
    let settings = [
        ("link.trunk.loss", "{ packet = \"0 %\" }"),
        ("switch.west.discard", "{ early_packet = {} }"),
    ];
    let mut steps = SteppedRun::new(plan(CROSSING, &settings), seed(0));
    let set = steer::set(&mut steps, scope, control, given);
    let (problem, hint) = set.expect_err("a mistake");
    format!("{problem}; {hint}")
}

#[test]
fn mistakes_are_refused_with_a_hint() {
    let table = [
        ("flow east", "los", Given::Number(0.0)),
        ("flow east", "colour", Given::Number(0.0)),
        ("flow east", "loss", Given::Number(0.0)),
        ("flow eats", "window", Given::Number(3000.0)),
        ("flow east", "rate", Given::Number(3000.0)),
        ("flow", "window", Given::Number(3000.0)),
        ("network", "window", Given::Number(3000.0)),
        ("link west->east", "loss", Given::Number(1.5)),
        ("link west->east", "loss", Given::Number(f64::NAN)),
        ("link west->east", "loss", Given::Text("a little")),
        ("link east->right", "loss", Given::Text("1 %")),
        ("flow east", "window", Given::Number(1.0)),
        ("flow east", "window", Given::Number(3000.5)),
        ("flow east", "window", Given::Text("1 s")),
        ("port west->east", "threshold", Given::Number(61.0)),
        ("port west->east", "threshold", Given::Text("600 B")),
        ("port east->west", "threshold", Given::Number(1.0)),
    ];
    let lines = table.map(|(scope, control, given)| {
        format!(
            "{scope} {control} {given:?}\n    {}\n",
            refused(scope, control, given)
        )
    });
    crate::common::check("steering.txt", &lines.concat());
}

/// A source of datagrams, which nothing slows down.
const OPEN: &str = r#"
duration = "10 ms"
[host.a]
[host.b]
[link.path]
between = ["a", "b"]
rate = "10 Mbit/s"
[flow.f]
from = "a"
to = "b"
source.constant_rate = { rate = "1 Mbit/s" }
transport.datagram = { packet = "1000 B", header = "0 B" }
over.packet = {}
"#;

#[test]
fn a_rate_that_a_scenario_may_not_have_is_refused_in_the_same_words() {
    let told = |rate: &str| {
        let rate = ("flow.f.source.constant_rate.rate", rate);
        let settings = [(rate.0.to_string(), rate.1.to_string())];
        let read = scenario::Scenario::read(OPEN, "x.toml", &settings);
        read.expect_err("a mistake").to_string()
    };
    let mut steps = SteppedRun::new(plan(OPEN, &[]), seed(0));
    steps.run_until(Time::ZERO + Duration::from_ms(1));
    for rate in ["1 Tbit/s", "20 Mbit/s"] {
        let set = steer::set(&mut steps, "flow f", "rate", Given::Text(rate));
        let (problem, hint) = set.expect_err("a mistake");
        let told = told(rate);
        assert!(told.contains(&problem), "{problem}\n{told}");
        assert!(told.contains(&hint), "{hint}\n{told}");
    }
    let settings = steer::settings(&mut steps);
    let [least, most] = settings[0].range;
    assert!(
        least <= 1.0 && (10e6..=10_000_010.0).contains(&most),
        "{least} to {most}"
    );
    steer::set(&mut steps, "flow f", "rate", Given::Number(10e6)).expect("a rate");
    assert!(value(&steps.finish(), "flow f", "goodput") > 0.0);
}
