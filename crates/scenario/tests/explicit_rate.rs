//! Rates that switches allocate, in whole networks.

mod common;

use common::run;
use scenario::report::Report;

/// Greedy TCPs over ABR from hosts of their own, through two switches of which the first is the
/// bottleneck.
const LAN: &str = r#"
duration = "1 s"
[host.source]
count = 3
[host.sink]
count = 3
[switch.s1]
buffer.per_output = "1000000 cells"
[switch.s1.rate.erica]
interval = "5 ms"
one_feedback_per_interval = true
[switch.s2]
buffer.per_output = "1000000 cells"
[link.access]
between = ["source", "s1"]
rate = "149.76 Mbit/s"
delay = "100 km"
[link.trunk]
between = ["s1", "s2"]
rate = "149.76 Mbit/s"
delay = "1 km"
[link.exit]
between = ["s2", "sink"]
rate = "149.76 Mbit/s"
delay = "1 km"
[flow.bulk]
from = "source"
to = "sink"
source.greedy = {}
transport.tcp = { packet = "9180 B", window = "2 MiB", initial_window = 200 }
over.abr = { icr = "10 Mbit/s", icr_cap = "off", rif = "100 %", reverse = "ideal" }
[record]
every = "1 ms"
"#;

/// Three sources, each with a flow of its own, through one switch.
const THREE: &str = r#"
duration = "0.8 s"
[host.source]
count = 3
[host.sink]
[switch.s1]
buffer.per_output = "1000000 cells"
[switch.s1.rate.erica]
target.utilization = "100 %"
interval = "5 ms"
one_feedback_per_interval = true
fairness = "mcr_plus_equal_share"
[link.access]
between = ["source", "s1"]
rate = "149.76 Mbit/s"
delay = "200 us"
[link.exit]
between = ["s1", "sink"]
rate = "149.76 Mbit/s"
delay = "200 us"
[flow.one]
from = "source[0]"
to = "sink"
source.greedy = {}
transport.tcp = { packet = "9180 B", window = "2 MiB" }
over.abr = { rif = "100 %", icr = "50 Mbit/s" }
[flow.two]
from = "source[1]"
to = "sink"
source.greedy = {}
transport.tcp = { packet = "9180 B", window = "2 MiB" }
over.abr = { rif = "100 %", icr = "50 Mbit/s" }
[flow.three]
from = "source[2]"
to = "sink"
source.greedy = {}
transport.tcp = { packet = "9180 B", window = "2 MiB" }
over.abr = { rif = "100 %", icr = "50 Mbit/s" }
[record]
every = "1 ms"
"#;

/// Five greedy TCPs beneath a film that takes 80 % of the link while it is on.
const FILM: &str = r#"
duration = "1 s"
[host.source]
count = 5
[host.video]
[host.sink]
[switch.s1]
buffer.per_output = "1000000 cells"
scheduler.strict_priority = {}
[switch.s1.rate.erica]
target.utilization = "70 %"
cells = 100
one_feedback_per_interval = true
[link.access]
between = ["source", "s1"]
rate = "155.52 Mbit/s"
delay = "1 km"
[link.studio]
between = ["video", "s1"]
rate = "155.52 Mbit/s"
delay = "1 km"
[link.exit]
between = ["s1", "sink"]
rate = "155.52 Mbit/s"
delay = "1000 km"
[flow.bulk]
from = "source"
to = "sink"
source.greedy = {}
transport.tcp = { packet = "552 B", window = "1 MiB" }
over.abr = { icr = "10 Mbit/s", icr_cap = "off", rif = "100 %", reverse = "ideal", encapsulation = "8 B" }
[flow.film]
from = "video"
to = "sink"
source.on_off = { on = "7 ms", off = "7 ms", start = "2 ms" }
transport.datagram = {}
over.vbr = { peak = "124.416 Mbit/s" }
[record]
every = "1 ms"
"#;

/// Values of a series from `from` seconds on, which is sampled every millisecond.
fn from(report: &Report, scope: &str, quantity: &str, from: f64) -> Vec<f64> {
    let series = &report.series[scope][quantity];
    series.values()[(from * 1e3).round() as usize..].to_vec()
}

/// What the flows are allowed in the last 50 ms, in Mbit/s.
fn allowed(report: &Report, flows: &[&str], end: f64) -> Vec<f64> {
    let of_flow = |flow: &&str| {
        let acr = from(report, &format!("flow {flow}"), "acr", end - 0.05);
        acr.iter().take(50).sum::<f64>() / 50.0 * 424.0 / 1e6
    };
    flows.iter().map(of_flow).collect()
}

fn assert_close(found: &[f64], expected: &[f64], share: f64) {
    assert_eq!(found.len(), expected.len());
    for (one, other) in found.iter().zip(expected) {
        let is_close = (one - other).abs() <= share * other;
        assert!(is_close, "{found:?} are not {expected:?}");
    }
}

#[test]
fn greedy_sources_share_a_link_equally() {
    // Vandalore et al., 1998: the third comes at 0.4 s.
    let settings = [("flow.three.source.greedy.start", "0.4 s")];
    let report = run(THREE, &settings, 0);
    assert_close(&allowed(&report, &["one", "two"], 0.4), &[74.88; 2], 0.005);
    let flows = ["one", "two", "three"];
    assert_close(&allowed(&report, &flows, 0.8), &[49.92; 3], 0.005);
    let port = "port s1->sink";
    let share = from(&report, port, "fair_share", 0.75);
    assert_close(&[share[0] * 424.0 / 1e6], &[49.92], 0.001);
    let active = from(&report, port, "active_channels", 0.35);
    assert_close(&[active[0], *active.last().unwrap()], &[2.0, 3.0], 1e-9);
}

#[test]
fn minima_come_on_top_of_equal_shares_of_the_rest() {
    let mut settings = vec![
        ("flow.one.over.abr.mcr", "10 Mbit/s"),
        ("flow.two.over.abr.mcr", "30 Mbit/s"),
        ("flow.three.over.abr.mcr", "50 Mbit/s"),
    ];
    let flows = ["one", "two", "three"];
    let report = run(THREE, &settings, 0);
    let rates = allowed(&report, &flows, 0.8);
    assert_close(&rates, &[29.92, 49.92, 69.92], 0.005);
    // The first has less to send than it may: 10 Mbit/s, headers of cells included.
    settings.extend([
        (
            "flow.one.transport.datagram",
            "{ packet = \"472 B\", header = \"0 B\" }",
        ),
        (
            "flow.one.source.constant_rate",
            "{ rate = \"8.627 Mbit/s\" }",
        ),
        ("switch.s1.rate.erica.per_vc_rate", "true"),
        ("switch.s1.rate.erica.max_alloc.delta", "0 %"),
    ]);
    let report = run(THREE, &settings, 0);
    let rates = allowed(&report, &flows, 0.8);
    assert_close(&rates[1..], &[59.88, 79.88], 0.005);
}

#[test]
fn a_minimum_above_the_equal_share_leaves_the_load_where_it_is_meant_to_be() {
    // The first may send 10 Mbit/s at most, and the third is promised half of the 100 Mbit/s that all
    // share: that leaves 40 Mbit/s for the second.
    let settings = [
        ("duration", "2 s"),
        ("link.exit.rate", "100 Mbit/s"),
        ("switch.s1.rate.erica.fairness", "maximum"),
        ("switch.s1.rate.erica.max_alloc.delta", "0 %"),
        ("flow.one.over.abr.icr", "10 Mbit/s"),
        ("flow.one.over.abr.pcr", "10 Mbit/s"),
        ("flow.three.over.abr.mcr", "50 Mbit/s"),
    ];
    let report = run(THREE, &settings, 0);
    let rates = allowed(&report, &["two", "three"], 2.0);
    assert_close(&rates, &[40.0, 50.0], 0.005);
    let load = from(&report, "port s1->sink", "load_factor", 1.0);
    assert_close(
        &[load.iter().sum::<f64>() / load.len() as f64],
        &[1.0],
        0.005,
    );
    // What is left of the beginning does not grow.
    let queue = from(&report, "port s1->sink", "queue", 0.5);
    let growth = queue.last().unwrap() - queue[0];
    assert!(growth < 500.0, "{growth}");
}

#[test]
fn a_minimum_of_nothing_changes_nothing() {
    let settings = [
        ("duration", "0.2 s"),
        ("flow.three.over.abr.mcr", "0 Mbit/s"),
    ];
    assert_eq!(run(THREE, &settings, 0), run(THREE, &settings[..1], 0));
}

#[test]
fn goodput_is_the_target_less_rm_cells_and_headers() {
    for (target, share) in [("90 %", 0.90), ("95 %", 0.95)] {
        let settings = [
            ("host.source.count", "10"),
            ("host.sink.count", "10"),
            ("link.trunk.rate", "155.52 Mbit/s"),
            ("link.access.rate", "155.52 Mbit/s"),
            ("link.access.delay", "1 km"),
            ("link.exit.rate", "155.52 Mbit/s"),
            ("switch.s1.rate.erica.target.utilization", target),
            ("switch.s1.rate.erica.interval", "1 ms"),
            ("flow.bulk.transport.tcp.packet", "552 B"),
            ("flow.bulk.transport.tcp.window", "64 KiB"),
            ("flow.bulk.over.abr.encapsulation", "8 B"),
            ("warm_up", "0.3 s"),
        ];
        let report = run(LAN, &settings, 0);
        let goodput = report.value("network", "goodput").unwrap();
        // One RM cell to 31 others, and 512 octets of user data in each twelve cells of those.
        let law = share * 155.52e6 * 31.0 / 32.0 * 512.0 / 636.0;
        assert_close(&[goodput], &[law], 0.003);
    }
}

#[test]
fn who_is_told_to_stop_starts_again_only_with_rm_cells_out_of_rate() {
    let goodput = |settings: &[(&str, &str)]| {
        let report = run(FILM, settings, 0);
        report.value("network", "goodput").unwrap() / 1e6
    };
    // While the film is on it leaves nothing of the target, and everybody is told zero. At the
    // default of 10 cells/s somebody soon hears that it is off; at 1 in 424 s nobody ever does.
    let told = goodput(&[]);
    assert!(told > 10.0, "{told}");
    let never = goodput(&[("flow.bulk.over.abr.tcr", "1 bit/s")]);
    assert!(never < 0.2, "{never}");
    // Nor does anybody whose questions come in step with the film: ten a second, every five periods.
    let in_step = goodput(&[
        ("flow.film.source.on_off.on", "10 ms"),
        ("flow.film.source.on_off.off", "10 ms"),
    ]);
    assert!(in_step < 0.2, "{in_step}");
    // A minimum keeps them going.
    let minimum = goodput(&[
        ("flow.bulk.over.abr.mcr", "1 Mbit/s"),
        ("flow.bulk.over.abr.tcr", "1 bit/s"),
    ]);
    assert!(minimum > 10.0, "{minimum}");
}

/// What presets fill in, written out.
const WRITTEN: [(&str, &str); 3] = [
    (
        "tcp_over_abr_1996",
        "target.utilization = \"90 %\", interval = \"1 ms\", cells = 100, fair_share_first = true, \
         one_feedback_per_interval = true",
    ),
    (
        "kalyanaraman_1997",
        "target.utilization = \"90 %\", interval = \"1 ms\", cells = 100, fair_share_first = true, \
         one_feedback_per_interval = true, averaging.cells.alpha = \"20 %\", \
         max_alloc.delta = \"10 %\", bidirectional_counting = true, decay_count.decay = \"90 %\"",
    ),
    (
        "erica_plus",
        "target.queue = { delay = \"0.5 ms\", curve.hyperbolic = { a = 1.15, b = 1.05 } }, \
         interval = \"1 ms\", cells = 100, fair_share_first = true, \
         one_feedback_per_interval = true",
    ),
];

#[test]
fn a_preset_is_what_is_written_out() {
    let at = "switch.s1.rate.erica";
    let sources = [
        "{ preset = \"tcp_over_abr_1996\", tbe = 1024 }",
        "{ encapsulation = \"8 B\", icr = \"10 Mbit/s\", icr_cap = \"off\", rif = \"100 %\", \
         rdf = \"0.1953125 %\", tbe = 1024, cdf = \"50 %\" }",
    ];
    let mut reports = Vec::new();
    for (preset, written) in WRITTEN {
        let switches = [
            format!("{{ preset = \"{preset}\" }}"),
            format!("{{ {written} }}"),
        ];
        let [named, written] = [0, 1].map(|way| {
            let settings = [
                ("duration", "0.2 s"),
                (at, switches[way].as_str()),
                ("flow.bulk.over.abr", sources[way]),
            ];
            run(LAN, &settings, 0)
        });
        assert_eq!(named, written, "{preset}");
        reports.push(named);
    }
    assert!(reports[0] != reports[1] && reports[1] != reports[2]);
}

#[test]
fn a_hundred_sources_that_begin_at_the_rate_of_the_link_lose_what_the_buffer_does_not_hold() {
    let at_once = |buffer: &str, exposed: &str| {
        let settings = [
            ("duration", "0.1 s"),
            ("host.source.count", "100"),
            ("host.sink.count", "100"),
            ("switch.s1.buffer.per_output", buffer),
            ("flow.bulk.over.abr.icr", "149.76 Mbit/s"),
            ("flow.bulk.over.abr.icr_cap", "tbe_frtt"),
            ("flow.bulk.over.abr.tbe", exposed),
        ];
        let report = run(LAN, &settings, 0);
        ["cell_loss_ratio", "max_queue"].map(|name| report.value("port s1->s2", name).unwrap())
    };
    let [lost, queue] = at_once("400000 cells", "16777215");
    assert!(lost < f64::EPSILON && queue > 300_000.0, "{lost} {queue}");
    let [lost, queue] = at_once("400000 cells", "32");
    assert!(lost < f64::EPSILON && queue < 150_000.0, "{lost} {queue}");
    // Here RM cells are lost as well, so that nobody hears that he should slow down.
    let [lost, queue] = at_once("1000 cells", "16777215");
    assert!(lost > 0.9 && queue <= 1000.0, "{lost} {queue}");
}

/// Mean and standard deviation of the queue after one second.
fn queue(curve: (&str, &str)) -> (f64, f64) {
    let settings = [
        ("duration", "2 s"),
        ("switch.s1.rate.erica.target.queue.delay", "0.5 ms"),
        curve,
    ];
    let report = run(LAN, &settings, 0);
    let queue = from(&report, "port s1->s2", "queue", 1.0);
    let count = queue.len() as f64;
    let mean = queue.iter().sum::<f64>() / count;
    let variance = queue
        .iter()
        .map(|cells| (cells - mean).powi(2))
        .sum::<f64>()
        / count;
    (mean, variance.sqrt())
}

#[test]
fn steps_keep_the_queue_oscillating_and_curves_hold_it_where_it_is_wanted() {
    let at = "switch.s1.rate.erica.target.queue.curve";
    let curve = |kind: &str, parameters: &str| queue((&format!("{at}.{kind}"), parameters));
    // Vandalore et al., IC3N 1998: a standard deviation of hundreds of cells with steps, and of less
    // than one with each of the others.
    for steps in ["{ a = 0.9, b = 1.05 }", "{ a = 0.95, b = 1.01 }"] {
        let (_, deviation) = curve("step", steps);
        assert!(deviation > 20.0, "{steps}: {deviation}");
    }
    for kind in ["linear", "hyperbolic", "inverse_hyperbolic"] {
        let (mean, deviation) = curve(kind, "{}");
        // 0.5 ms at 149.76 Mbit/s.
        assert!((mean - 176.6).abs() < 2.0, "{kind}: {mean}");
        assert!(deviation < 1.0, "{kind}: {deviation}");
    }
}

#[test]
fn a_long_queue_slows_sources_down_by_one_bit() {
    let report = |rate: (&str, &str)| {
        let settings = [
            ("flow.bulk.over.abr.rif", "0.1 %"),
            ("flow.bulk.over.abr.rdf", "0.5 %"),
            ("flow.bulk.over.abr.icr_cap", "off"),
            ("warm_up", "0.5 s"),
            rate,
        ];
        let text = LAN.replace(
            "[switch.s1.rate.erica]\ninterval = \"5 ms\"\none_feedback_per_interval = true\n",
            "",
        );
        run(&text, &settings, 0)
    };
    let port = "port s1->s2";
    let thresholds = "{ high = \"400 cells\", low = \"200 cells\" }";
    for kind in ["efci", "binary"] {
        let report = report((&format!("switch.s1.rate.{kind}"), thresholds));
        let value = |metric| report.value(port, metric);
        let (queue, used) = (value("max_queue").unwrap(), value("utilization").unwrap());
        assert!(queue < 4000.0 && used > 0.9, "{kind}: {queue} {used}");
        assert_eq!(value("marked_share").is_some(), kind == "efci");
        let fairness = report.value("network", "fairness_index").unwrap();
        assert!(fairness > 0.99, "{kind}: {fairness}");
    }
}
