//! Every runner gives the results of the stepwise runner, on the real models.

mod common;

use common::{CROSSING, plan, seed, ten_tcp};
use kernel::{Network, OnDemand, Runner, Stepwise, Time, Windows};
use models::node::Node;
use proptest::prelude::*;
use scenario::lower::Plan;
use scenario::report::Report;

fn report(plan: &Plan, runner: &mut impl Runner) -> Report {
    let mut network: Network<Node> = plan.network(seed(0));
    runner.run(&mut network, Time::ZERO + plan.spec.duration);
    Report::new(plan, &mut network, 0)
}

/// A setting: a path and a value.
type Setting = (&'static str, &'static str);

const CARRIAGES: &[&str] = &[
    "ubr",
    "packet",
    "abr",
    "abr beside vbr",
    "abr beside ubr",
    "contracts",
];

const FABRICS: &[Setting] = &[
    ("switch.west.fabric.immediate", "{}"),
    ("switch.west.fabric.slotted", "{ speedup = 2 }"),
    ("switch.west.fabric.slotted", "{ order = \"random\" }"),
    (
        "switch.west.fabric.slotted",
        "{ speedup = 1, order = \"input\" }",
    ),
];

const DISCARDS: &[Setting] = &[
    ("switch.west.discard.tail_drop", "{}"),
    ("switch.west.discard.partial_packet", "{}"),
    (
        "switch.west.discard.early_packet",
        "{ threshold = \"20 cells\" }",
    ),
    (
        "switch.west.discard.partial_buffer_sharing",
        "{ threshold = \"20 cells\" }",
    ),
];

const TRANSPORTS: &[Setting] = &[
    ("flow.east.transport.tcp.congestion.tahoe_bsd", "{}"),
    (
        "flow.east.transport.tcp.congestion.tahoe_gbn",
        "{ growth = { at_ssthresh = \"linear\" } }",
    ),
    (
        "flow.east.transport",
        "{ xtp = { rate = \"40 Mbit/s\", buffer = 10, wtimer.initial = \"2 ms\" } }",
    ),
    (
        "flow.east.transport",
        "{ xtp = { rate = \"20 Mbit/s\", burst = 3, retransmission.go_back_n = {} } }",
    ),
];

const DELAYS: &[Setting] = &[("link.trunk.delay", "0 s"), ("link.trunk.delay", "10 us")];

const SCHEDULERS: &[Setting] = &[
    ("switch.west.scheduler.fifo", "{}"),
    ("switch.west.scheduler.round_robin", "{}"),
    ("switch.west.scheduler.strict_priority", "{}"),
    (
        "switch.west.scheduler.multiclass",
        "{ rt_vbr.share = \"10 %\", abr.share = \"50 %\", within = \"round_robin\" }",
    ),
];

const BUFFERS: &[Setting] = &[
    ("switch.west.buffer.per_output", "60 cells"),
    ("switch.west.buffer.shared", "{ size = \"80 cells\" }"),
    (
        "switch.west.buffer.per_class",
        "{ rt_vbr = \"20 cells\", abr = \"60 cells\", ubr = \"60 cells\" }",
    ),
];

const RATES: &[Setting] = &[
    (
        "switch.east.rate.efci",
        "{ high = \"8 cells\", low = \"4 cells\" }",
    ),
    (
        "switch.west.rate.binary",
        "{ high = \"8 cells\", low = \"4 cells\" }",
    ),
    (
        "switch.west.rate.erica",
        "{ interval = \"0.3 ms\", target.queue.cells = \"8 cells\", per_vc_rate = true }",
    ),
    (
        "switch.west.rate.erica",
        "{ interval = \"1 ms\", cells = 20, count = \"abr_out\", immediate_fair_share = true }",
    ),
    ("switch.west.rate.erica", "{ preset = \"complete\" }"),
];

/// How both flows are carried.
fn carried(over: &str) -> [Setting; 2] {
    match over {
        "ubr" => [("flow.east.over.ubr", "{}"), ("flow.west.over.ubr", "{}")],
        "abr" => [
            (
                "flow.east.over.abr",
                "{ nrm = 4, icr = \"20 Mbit/s\", rm_rate_quantise = true }",
            ),
            ("flow.west.over.abr", "{ nrm = 8, reverse = \"ideal\" }"),
        ],
        "abr beside vbr" => [
            ("flow.east.over.abr", "{ nrm = 4 }"),
            ("flow.west.over.vbr", "{ peak = \"20 Mbit/s\" }"),
        ],
        "contracts" => [
            (
                "flow.east.over.ubr",
                "{ peak = \"20 Mbit/s\", cdvt = \"20 us\" }",
            ),
            (
                "flow.west.over.vbr",
                "{ peak = \"20 Mbit/s\", sustained = \"5 Mbit/s\", burst = \"30 cells\" }",
            ),
        ],
        "abr beside ubr" => [
            ("flow.east.over.abr", "{ nrm = 4 }"),
            ("flow.west.over.ubr", "{}"),
        ],
        _ => [
            ("flow.east.over.packet", "{}"),
            ("flow.west.over.packet", "{}"),
        ],
    }
}

/// What goes with a carriage, a scheduler and a buffer: allocators where there are ABR cells, queues in
/// which they can be served.
fn that_fit(over: &str, scheduler: Setting, buffer: Setting, rate: Setting) -> Vec<Setting> {
    let by_class = buffer.0.ends_with("per_class");
    let mut settings = carried(over).to_vec();
    if over == "packet" {
        // Whole packets leave in order, and have no class.
        settings.push(("switch.west.scheduler.fifo", "{}"));
        if by_class {
            settings.push(("switch.west.buffer.per_output", "60 cells"));
        }
        return settings;
    }
    settings.push(rate);
    if over == "contracts" {
        // Behind the trunk cells come too early; and the other shaper does not know its policer.
        settings.push((
            "flow.east.police",
            "{ at = \"east\", beyond_peak = \"tag\" }",
        ));
        settings.push((
            "flow.west.police",
            "{ peak = \"6 Mbit/s\", cdvt = \"0.2 ms\" }",
        ));
    }
    if by_class && scheduler.0.ends_with("fifo") {
        settings.push(("switch.west.scheduler.strict_priority", "{}"));
    }
    settings
}

/// What a scenario may be made of.
fn choices() -> impl Strategy<Value = Vec<Setting>> {
    let of = prop::sample::select::<Setting>;
    let queues = (of(SCHEDULERS), of(BUFFERS), of(RATES));
    let others = (of(FABRICS), of(DISCARDS), of(TRANSPORTS), of(DELAYS));
    (prop::sample::select(CARRIAGES), queues, others).prop_map(
        |(over, (scheduler, buffer, rate), (fabric, discard, transport, delay))| {
            let mark = ("switch.west.mark.threshold.above", "10 cells");
            let mut settings = vec![fabric, discard, transport, delay, scheduler, buffer, mark];
            settings.extend(that_fit(over, scheduler, buffer, rate));
            settings
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(36))]

    #[test]
    fn every_runner_reports_what_the_stepwise_runner_reports(
        settings in choices(),
        reversed in any::<bool>(),
    ) {
        let plan = plan(CROSSING, &settings);
        let nodes = plan.topology.nodes.len();
        let order = reversed.then(|| (0..nodes).rev().collect());
        let expected = report(&plan, &mut Stepwise);
        let windows = report(&plan, &mut Windows { order, ..Windows::default() });
        prop_assert_eq!(&windows, &expected);
        let on_demand = report(&plan, &mut OnDemand::default());
        prop_assert_eq!(&on_demand, &expected);
    }
}

/// Hosts with one channel each, whose cells are committed in runs and recalled.
const RUNS: &str = r#"
duration = "60 ms"
[host.sender]
count = 3
[host.receiver]
count = 3
[switch.west]
buffer.per_output = "400 cells"
[switch.east]
buffer.per_output = "400 cells"
[link.in]
between = ["sender", "west"]
rate = "100 Mbit/s"
delay = "2 us"
[link.trunk]
between = ["west", "east"]
rate = "25.6 Mbit/s"
delay = "20 us"
[link.out]
between = ["east", "receiver"]
rate = "100 Mbit/s"
delay = "1 us"
[flow.bulk]
from = "sender"
to = "receiver"
source.greedy = { start = { uniform = ["0 s", "1 ms"] } }
transport.tcp = { packet = "1500 B", timers.bsd = { tick = "0.1 ms" } }
over.abr = { nrm = 8, icr = "10 Mbit/s", rif = "100 %" }
"#;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    #[test]
    fn cells_that_are_recalled_never_leave(
        fabric in prop_oneof![
            Just(("switch.west.fabric.immediate", "{}")),
            Just(("switch.west.fabric.slotted", "{ speedup = 1 }")),
            Just(("switch.west.fabric.slotted", "{ clock = \"20 Mbit/s\" }")),
        ],
        rate in prop_oneof![
            Just(("switch.west.rate.erica", "{}")),
            Just(("switch.west.rate.erica", "{ interval = \"0.1 ms\" }")),
            Just(("switch.west.rate.binary", "{ high = \"12 cells\", low = \"4 cells\" }")),
        ],
        delay in prop_oneof![Just(("link.in.delay", "0 s")), Just(("link.in.delay", "1 ms"))],
        buffer in prop_oneof![
            Just(("switch.west.buffer.per_output", "400 cells")),
            Just(("switch.west.buffer.per_output", "20 cells")),
        ],
        warm_up in prop_oneof![Just(("warm_up", "0 s")), Just(("warm_up", "3 ms"))],
    ) {
        let settings = [fabric, rate, delay, buffer, warm_up];
        let plan = plan(RUNS, &settings);
        let expected = report(&plan, &mut Stepwise);
        let windows = report(&plan, &mut Windows::default());
        prop_assert_eq!(&windows, &expected);
        let on_demand = report(&plan, &mut OnDemand::default());
        prop_assert_eq!(&on_demand, &expected);
        // Asserts that cells are conserved.
        common::run(RUNS, &settings, 0);
    }
}

/// A second flow of each host, which sends nothing as long as the run goes on: so that no cell of the
/// first may be committed ahead of others.
const IDLE: &str = r#"
[flow.idle]
from = "sender"
to = "receiver"
source.greedy = { start = "1 h" }
over.abr = {}
transport.tcp = { packet = "1500 B" }
"#;

/// What flow `bulk`, the ports and their classes came to, and when.
fn without_idle(report: &Report) -> Vec<String> {
    let is_of_idle = |scope: &str| scope.starts_with("flow idle") || scope == "network";
    let scalars = report.scalars.iter();
    let scalars = scalars.filter(|scalar| !is_of_idle(&scalar.scope));
    let series = report.series.iter();
    let series = series.filter(|(name, _)| !is_of_idle(name) && !name.contains(" idle"));
    scalars
        .map(|scalar| format!("{scalar:?}"))
        .chain(series.map(|(name, recorded)| format!("{name}: {recorded:?}")))
        .collect()
}

#[test]
fn cells_committed_ahead_come_as_they_would_one_by_one() {
    let fabrics = [
        ("switch.west.fabric.immediate", "{}"),
        ("switch.west.fabric.slotted", "{ speedup = 1 }"),
        (
            "switch.west.fabric.slotted",
            "{ clock = \"20 Mbit/s\", order = \"random\" }",
        ),
        ("switch.west.fabric.slotted", "{ order = \"input\" }"),
    ];
    let rates = [
        ("switch.west.rate.erica", "{}"),
        (
            "switch.west.rate.erica",
            "{ interval = \"0.3 ms\", cells = 20, count = \"abr_out\", per_vc_rate = true }",
        ),
        (
            "switch.west.rate.erica",
            "{ target.queue.cells = \"8 cells\", decay_count = {}, bidirectional_counting = true }",
        ),
        (
            "switch.west.rate.efci",
            "{ high = \"12 cells\", low = \"4 cells\" }",
        ),
        (
            "switch.west.rate.binary",
            "{ high = \"12 cells\", low = \"4 cells\" }",
        ),
    ];
    let schedulers = [
        ("switch.west.scheduler.fifo", "{}"),
        ("switch.west.scheduler.strict_priority", "{}"),
        ("switch.west.scheduler.round_robin", "{}"),
    ];
    let beside_idle = format!("{RUNS}{IDLE}");
    for (number, rate) in rates.into_iter().enumerate() {
        for scheduler in schedulers {
            let buffer = ["400 cells", "30 cells"][number % 2];
            for fabric in fabrics {
                let settings = [
                    rate,
                    scheduler,
                    fabric,
                    ("switch.west.buffer.per_output", buffer),
                    ("record.every", "0.7 ms"),
                    ("warm_up", "11 ms"),
                ];
                let together = common::run(RUNS, &settings, 0);
                let apart = common::run(&beside_idle, &settings, 0);
                assert!(
                    together.events.visits < apart.events.visits,
                    "nothing was committed ahead: {settings:?}"
                );
                let [together, apart] = [together, apart].map(|report| without_idle(&report));
                for (together, apart) in together.iter().zip(&apart) {
                    assert_eq!(together, apart, "{settings:?}");
                }
                assert_eq!(together.len(), apart.len());
            }
        }
    }
}

#[test]
fn the_first_study_is_the_same_stepwise() {
    let plan = plan(&ten_tcp(), &[("duration", "50 ms")]);
    let expected = report(&plan, &mut Stepwise);
    assert_eq!(report(&plan, &mut Windows::default()), expected);
    assert_eq!(report(&plan, &mut OnDemand::default()), expected);
}
