//! Every runner gives the results of the stepwise runner, with the models of the simulator.

use crate::common::{CROSSING, by_every_runner, plan, report, specified, ten_tcp};
use kernel::{OnDemand, Windows};
use models::output::discard::DiscardSpec;
use models::output::scheduler::SchedulerSpec;
use models::switch::fabric::FabricSpec;
use proptest::prelude::*;

/// A setting: a path and a value.
type Setting = (&'static str, &'static str);

const BEARERS: &[&str] = &[
    "ubr",
    "packet",
    "codewords and frames",
    "abr",
    "abr beside vbr",
    "abr beside ubr",
    "contracts",
];

/// Discard policies that act on cells, which nodes with whole packets refuse.
const OF_CELLS: [&str; 3] = ["partial_packet", "partial_buffer_sharing", "push_out"];

/// Members of families with parameters that change the order of events; [`all`] adds the others.
const FABRICS: &[Setting] = &[
    ("switch.west.fabric.slotted", "{ speedup = 2 }"),
    ("switch.west.fabric.slotted", "{ order = \"random\" }"),
    (
        "switch.west.fabric.slotted",
        "{ speedup = 1, order = \"input\" }",
    ),
    (
        "switch.west.fabric.virtual_output_queues",
        "{ matching.islip.iterations = 1 }",
    ),
    (
        "switch.west.fabric.virtual_output_queues",
        "{ matching.pim = {}, speedup = 2 }",
    ),
    (
        "switch.west.fabric.virtual_output_queues",
        "{ matching.wavefront = {} }",
    ),
    (
        "switch.west.fabric.virtual_output_queues",
        "{ matching.maximum_size = {} }",
    ),
    (
        "switch.west.fabric.virtual_output_queues",
        "{ matching.maximum_weight.weight = \"oldest_cell\", clock = \"80 Mbit/s\" }",
    ),
    (
        "switch.west.fabric.slotted",
        "{ speedup = 1, clock = \"40 Mbit/s\", input.buffer.per_input = \"20 cells\" }",
    ),
    (
        "switch.west.fabric.virtual_output_queues",
        "{ clock = \"40 Mbit/s\", queues = \"per_class\", \
         input = { buffer.per_input = \"30 cells\", discard.partial_packet = {} } }",
    ),
    (
        "switch.west.fabric.virtual_output_queues",
        "{ mode = \"packet\", queues = \"per_class\", clock = \"60 Mbit/s\" }",
    ),
    (
        "switch.west.fabric.virtual_output_queues",
        "{ mode = \"packet\", matching.pim = {}, clock = \"30 Mbit/s\", speedup = 2, \
         input = { buffer.per_input = \"40 cells\", discard.early_packet = {} } }",
    ),
    (
        "switch.west.fabric.virtual_output_queues",
        "{ matching.pim = {}, clock = \"30 Mbit/s\", \
         input = { buffer.per_queue = \"20 cells\", discard.early_packet = {} } }",
    ),
    (
        "switch.west.fabric.scheduled_cells",
        "{ grant = \"5 cells\", egress = \"60 cells\", control_delay = \"2 us\", links = 3, \
         link_rate = \"60 Mbit/s\", skew = \"3 us\" }",
    ),
    (
        "switch.west.fabric.scheduled_cells",
        "{ grant = \"300 B\", egress = \"40 cells\", control_delay = \"20 us\", links = 2, \
         link_rate = \"100 Mbit/s\", spray = \"random\", speedup = 1.1, \
         cell = { payload = \"256 B\", header = \"16 B\", adaptation.none = {} } }",
    ),
    (
        "switch.west.fabric.scheduled_cells",
        "{ grant = \"2 cells\", egress = \"50 cells\", control_delay = \"5 us\", links = 2, \
         link_rate = \"80 Mbit/s\", outages = [{ link = 1, at = \"6 ms\", lasts = \"4 ms\" }], \
         detection = \"1 ms\", reassembly_timeout = \"2 ms\" }",
    ),
    ("switch.west.fabric.knockout", "{ paths = 1 }"),
    ("switch.west.fabric.knockout", "{ paths = 2 }"),
    ("switch.west.fabric.knockout", "{ paths = 3 }"),
];

const DISCARDS: &[Setting] = &[
    (
        "switch.west.discard.early_packet",
        "{ threshold = \"20 cells\" }",
    ),
    (
        "switch.west.discard.partial_buffer_sharing",
        "{ threshold = \"20 cells\" }",
    ),
    (
        "switch.west.discard.selective_drop",
        "{ threshold = \"30 %\" }",
    ),
    (
        "switch.west.discard.fair_buffer_allocation",
        "{ threshold = \"30 %\" }",
    ),
    (
        "switch.west.discard.random_early",
        "{ minimum = \"5 %\", maximum = \"50 %\", weight = \"2 %\", probability = \"10 %\" }",
    ),
    (
        "switch.west.discard.random_early",
        "{ minimum = \"5 %\", maximum = \"90 %\", unit = \"cell\", weight = \"5 %\" }",
    ),
];

/// The schedulers that serve the queues of some policies, which are refused with most others.
const QUEUES: [(&str, Setting); 2] = [
    ("fq_codel", ("switch.west.scheduler.flow_queue", "{}")),
    ("dual_pi2", ("switch.west.scheduler.dual_queue", "{}")),
];

const TRANSPORTS: &[Setting] = &[
    ("flow.east.transport.tcp.congestion.tahoe_bsd", "{}"),
    (
        "flow.east.transport.tcp.congestion.tahoe_gbn",
        "{ growth = { at_ssthresh = \"linear\" } }",
    ),
    ("flow.east.transport.tcp.timestamps", "rfc1323"),
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

const TIES: &[Setting] = &[
    ("switch.west.ties", "in_order"),
    ("switch.west.ties", "random"),
    ("switch.east.ties", "random"),
];

const SCHEDULERS: &[Setting] = &[
    (
        "switch.west.scheduler.deficit_round_robin",
        "{ quantum = \"600 B\" }",
    ),
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
    (
        "switch.west.rate.erica",
        "{ preset = \"kalyanaraman_1997\" }",
    ),
];

/// The `listed` members of the family at `path`, and each other of its `kinds` with its defaults.
fn all(path: &str, listed: &[Setting], kinds: &[&str]) -> Vec<Setting> {
    let names = kinds.iter().map(|kind| format!("{path}.{kind}"));
    let others = names.filter(|name| listed.iter().all(|(known, _)| known != name));
    // Settings live as long as the test.
    let others = others.map(|name| (&*name.leak(), "{}"));
    listed.iter().copied().chain(others).collect()
}

fn fabrics() -> Vec<Setting> {
    all("switch.west.fabric", FABRICS, FabricSpec::kinds())
}

fn discards() -> Vec<Setting> {
    all("switch.west.discard", DISCARDS, DiscardSpec::kinds())
}

fn schedulers() -> Vec<Setting> {
    all("switch.west.scheduler", SCHEDULERS, SchedulerSpec::kinds())
}

/// The bearers of the two flows.
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
        "codewords and frames" => [
            ("flow.east.over.ptm", "{}"),
            ("flow.west.over.gse", "{ frame = \"374 B\" }"),
        ],
        _ => [
            ("flow.east.over.packet", "{}"),
            ("flow.west.over.packet", "{}"),
        ],
    }
}

/// Settings that a bearer, a scheduler and a buffer need: an allocator for ABR cells, and queues
/// that can serve them.
fn that_fit(over: &str, scheduler: Setting, buffer: Setting, rate: Setting) -> Vec<Setting> {
    let by_class = buffer.0.ends_with("per_class");
    let knows_classes = ["strict_priority", "multiclass"]
        .iter()
        .any(|kind| scheduler.0.ends_with(kind));
    let mut settings = carried(over).to_vec();
    if over == "packet" || over == "codewords and frames" {
        // Whole packets pass no fabric.
        settings.push(("switch.west.fabric.immediate", "{}"));
        // Whole packets have no class.
        if knows_classes {
            settings.push(("switch.west.scheduler.fifo", "{}"));
        }
        if by_class {
            settings.push(("switch.west.buffer.per_output", "60 cells"));
        }
        return settings;
    }
    settings.push(rate);
    if over == "contracts" {
        // The trunk changes the spacing of cells, so some arrive too early at this policer.
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

/// Draws the settings of a random scenario.
fn choices() -> impl Strategy<Value = Vec<Setting>> {
    let of = |settings: &[Setting]| prop::sample::select(settings.to_vec());
    let queues = (of(&schedulers()), of(BUFFERS), of(RATES));
    let others = (of(&fabrics()), of(&discards()), of(TRANSPORTS));
    let times = (of(DELAYS), of(TIES));
    (prop::sample::select(BEARERS), queues, others, times).prop_map(
        |(over, (scheduler, buffer, rate), (fabric, discard, transport), (delay, ties))| {
            let mark = ("switch.west.mark.threshold.above", "10 cells");
            // Whole packets have no cells to decide about.
            let is_whole = ["packet", "codewords and frames"].contains(&over);
            let needs_cells = OF_CELLS.iter().any(|policy| discard.0.ends_with(policy));
            let discard = if is_whole && needs_cells {
                ("switch.west.discard.tail_drop", "{}")
            } else {
                discard
            };
            let mut settings = vec![fabric, discard, transport, delay, ties, scheduler, buffer];
            settings.push(mark);
            settings.extend(that_fit(over, scheduler, buffer, rate));
            if discard.0.ends_with("push_out") {
                // Push-out needs a single queue at each output.
                settings.push(("switch.west.scheduler.fifo", "{}"));
                settings.push(("switch.west.buffer.per_output", "60 cells"));
            }
            let needed = QUEUES.iter().filter(|(kind, _)| discard.0.ends_with(kind));
            for (_, scheduler) in needed {
                settings.push(*scheduler);
                settings.push(("switch.west.buffer.per_output", "60 cells"));
            }
            settings
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn every_runner_reports_what_the_stepwise_runner_reports(
        settings in choices(),
        reversed in any::<bool>(),
        recorded in any::<bool>(),
    ) {
        let mut settings = settings;
        if recorded {
            settings.push(("record.every", "0.7 ms"));
        }
        let plan = plan(CROSSING, &settings);
        let nodes = plan.topology.nodes.len();
        let order = reversed.then(|| (0..nodes).rev().collect());
        let expected = specified(&plan);
        let windows = report(&plan, &mut Windows { order, ..Windows::default() });
        prop_assert_eq!(&windows, &expected);
        let on_demand = report(&plan, &mut OnDemand::default());
        prop_assert_eq!(&on_demand, &expected);
    }
}

/// A VBR flow in the direction of the ABR flows.
const BESIDE: Setting = (
    "flow.beside",
    "{ from = \"left\", to = \"right\", transport.tcp = {}, over.vbr.peak = \"20 Mbit/s\" }",
);

/// Push-out without tagged cells must equal tail drop, although it commits cells later.
#[test]
fn where_nothing_is_tagged_push_out_is_tail_drop() {
    let (fabrics, buffer) = (fabrics(), "30 cells");
    for (over, rate, buffer) in [
        ("ubr", RATES[0], buffer),
        // A cell that starts as it comes leaves the only place to the next.
        ("ubr", RATES[0], "1 cell"),
        ("abr", RATES[2], buffer),
        ("abr", RATES[3], buffer),
        ("abr beside vbr", RATES[1], buffer),
    ] {
        let each = fabrics.iter();
        for (fabric, ties) in each.flat_map(|fabric| TIES.iter().map(move |ties| (fabric, ties))) {
            let [pushing_out, tail_drop] = ["push_out", "tail_drop"].map(|policy| {
                let discard = format!("switch.west.discard.{policy}");
                let mut settings = vec![
                    *fabric,
                    *ties,
                    (&*discard, "{}"),
                    ("switch.west.buffer.per_output", buffer),
                    ("switch.west.mark.threshold.above", "30 %"),
                    rate,
                ];
                settings.extend(carried(over));
                if over == "abr beside vbr" {
                    // Cells of both classes wait at one output.
                    settings.push(BESIDE);
                }
                report(&plan(CROSSING, &settings), &mut OnDemand::default())
            });
            assert_eq!(
                pushing_out, tail_drop,
                "{over}, {rate:?}, {buffer}, {fabric:?}, {ties:?}"
            );
        }
    }
}

#[test]
fn the_first_study_is_the_same_stepwise() {
    let plan = plan(&ten_tcp(), &[("duration", "50 ms")]);
    by_every_runner(&plan);
}
