//! Cells that hosts commit ahead in trains, and recall when a rate changes, give the results of
//! cells that are committed one by one.

use crate::common::{plan, report, specified};
use kernel::{OnDemand, Windows};
use proptest::prelude::*;
use scenario::report::{Report, Scope};

/// A setting: a path and a value.
type Setting = (&'static str, &'static str);

/// Hosts with one VC each, whose cells are committed in trains and recalled.
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

/// A fabric of cells that are sprayed over links, with grants of a few cells.
const SCHEDULED: &str = "{ grant = \"8 cells\", egress = \"100 cells\", control_delay = \"3 us\", \
                         links = 3, link_rate = \"20 Mbit/s\", skew = \"5 us\" }";

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    #[test]
    fn cells_that_are_recalled_never_leave(
        fabric in prop_oneof![
            Just(("switch.west.fabric.immediate", "{}")),
            Just(("switch.west.fabric.slotted", "{ speedup = 1 }")),
            Just(("switch.west.fabric.slotted", "{ clock = \"20 Mbit/s\" }")),
            Just(("switch.west.fabric.virtual_output_queues", "{}")),
            Just(("switch.west.fabric.knockout", "{ paths = 1 }")),
            Just(("switch.west.fabric.scheduled_cells", SCHEDULED)),
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
        let expected = specified(&plan);
        let windows = report(&plan, &mut Windows::default());
        prop_assert_eq!(&windows, &expected);
        let on_demand = report(&plan, &mut OnDemand::default());
        prop_assert_eq!(&on_demand, &expected);
        // Asserts that cells are conserved.
        crate::common::run(RUNS, &settings, 0);
    }
}

/// A second flow of each host that sends no data during the run: because of it the host may not
/// commit the cells of the first flow ahead.
const IDLE: &str = r#"
[flow.idle]
from = "sender"
to = "receiver"
source.greedy = { start = "1 h" }
over.abr = {}
transport.tcp = { packet = "1500 B" }
"#;

/// The numbers and series of flow `bulk`, of the ports and of their classes.
fn without_idle(report: &Report) -> Vec<String> {
    let is_of_idle = |scope: &Scope| match scope {
        Scope::Network => true,
        Scope::Flow(name) | Scope::Vc(name, _) => name.group == "idle",
        _ => false,
    };
    let scalars = report.scalars.iter();
    let scalars = scalars.filter(|scalar| !is_of_idle(&scalar.scope));
    let series = report.series.0.iter();
    let series = series.filter(|(name, _)| !is_of_idle(name));
    scalars
        .map(|scalar| format!("{scalar:?}"))
        .chain(series.map(|(name, recorded)| format!("{name}: {recorded:?}")))
        .collect()
}

/// Fabrics for whose inputs cells may be committed ahead.
const FABRICS: &[Setting] = &[
    ("switch.west.fabric.immediate", "{}"),
    ("switch.west.fabric.slotted", "{ speedup = 1 }"),
    (
        "switch.west.fabric.slotted",
        "{ clock = \"20 Mbit/s\", order = \"random\" }",
    ),
    ("switch.west.fabric.slotted", "{ order = \"input\" }"),
    (
        "switch.west.fabric.virtual_output_queues",
        "{ matching.pim = {} }",
    ),
    ("switch.west.fabric.knockout", "{ paths = 2 }"),
    ("switch.west.fabric.scheduled_cells", SCHEDULED),
];

/// Rate allocators, which write into RM cells.
const RATES: &[Setting] = &[
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

/// Schedulers of the outputs.
const SCHEDULERS: &[Setting] = &[
    ("switch.west.scheduler.fifo", "{}"),
    ("switch.west.scheduler.strict_priority", "{}"),
    ("switch.west.scheduler.round_robin", "{}"),
];

#[test]
fn cells_committed_ahead_come_as_they_would_one_by_one() {
    let beside_idle = format!("{RUNS}{IDLE}");
    for (number, rate) in RATES.iter().copied().enumerate() {
        for scheduler in SCHEDULERS.iter().copied() {
            let buffer = ["400 cells", "30 cells"][number % 2];
            for fabric in FABRICS.iter().copied() {
                let settings = [
                    rate,
                    scheduler,
                    fabric,
                    ("switch.west.buffer.per_output", buffer),
                    ("record.every", "0.7 ms"),
                    ("warm_up", "11 ms"),
                ];
                let together = crate::common::run(RUNS, &settings, 0);
                let apart = crate::common::run(&beside_idle, &settings, 0);
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
